package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// startReady runs the program and returns its line of --ready-json.
func startReady(t *testing.T, args ...string) (r ready) {
	t.Helper()
	input, closeInput := io.Pipe()
	stdout, printed := io.Pipe()
	status := make(chan int, 1)
	args = append(args, "--ready-json", "--exit-with-stdin", "--log-level", "error")
	go func() { status <- run(args, input, printed, os.Stderr) }()
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, closeInput.Close())
		require.Equal(t, 0, <-status)
		require.NoFileExists(t, r.CA)
		require.NoFileExists(t, r.Key)
	})
	require.NoError(t, json.Unmarshal(line, &r))
	return r
}

// pingTLS connects as a client that knows only the line of --ready-json.
func pingTLS(t *testing.T, r ready, ca string, certs ...tls.Certificate) {
	t.Helper()
	text, err := os.ReadFile(ca)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(text))
	nc, err := tls.Dial("tcp", r.tlsReady.Addr, &tls.Config{RootCAs: roots, Certificates: certs})
	require.NoError(t, err)
	defer nc.Close()
	_, err = io.WriteString(nc, "PING\r\n")
	require.NoError(t, err)
	reply := make([]byte, len("+PONG\r\n"))
	_, err = io.ReadFull(nc, reply)
	require.NoError(t, err)
	require.Equal(t, "+PONG\r\n", string(reply))
}

// --tls-out writes what clients need, and the files are gone at the end.
func TestRun_TLS(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "certs")
	t.Cleanup(func() {
		_, err := os.Stat(dir)
		require.ErrorIs(t, err, os.ErrNotExist)
	})
	r := startReady(t, "--addr", "127.0.0.1:0", "--tls-addr", "127.0.0.1:0", "--tls-out", dir, "--tls-auth-clients", "yes")
	require.NotEqual(t, r.Port, r.tlsReady.Port)
	require.Equal(t, []string{dir + "/ca.crt", dir + "/client.crt", dir + "/client.key"}, []string{r.CA, r.Cert, r.Key})
	pair, err := tls.LoadX509KeyPair(r.Cert, r.Key)
	require.NoError(t, err)
	pingTLS(t, r, r.CA, pair)

	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, _ := net.SplitHostPort(free.Addr().String())
	require.NoError(t, free.Close())
	only := startReady(t, "--port", "0", "--tls-port", port, "--tls-out", t.TempDir())
	require.Zero(t, only.Port)
	require.Equal(t, only.Addr, only.tlsReady.Addr)
	require.Equal(t, "127.0.0.1:"+port, only.Addr)
	pingTLS(t, only, only.CA)
}
