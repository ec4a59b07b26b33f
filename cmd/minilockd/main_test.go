package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var quiet = slog.New(slog.DiscardHandler)

func TestRun_VersionAndHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, 0, run([]string{"--version"}, &stdout, &stderr))
	require.True(t, strings.HasPrefix(stdout.String(), "minilockd "), stdout.String())
	require.Equal(t, 0, run([]string{"--help"}, &stdout, &stderr))
	for _, name := range []string{"-addr", "-unixsocket", "-port-file", "-requirepass", "-databases", "-log-level", "-version"} {
		require.Contains(t, stderr.String(), name)
	}
}

func TestRun_BadArguments(t *testing.T) {
	for _, args := range [][]string{{"--nosuch"}, {"stray"}, {"--databases", "0"}, {"--log-level", "loud"}} {
		var stderr bytes.Buffer
		require.Equal(t, 2, run(args, io.Discard, &stderr), "%q", args)
		require.NotEmpty(t, stderr.String(), "%q", args)
	}
}

func TestRun_TakenPort_NamesItAndExits1(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	var stderr bytes.Buffer
	require.Equal(t, 1, run([]string{"--addr", taken.Addr().String()}, io.Discard, &stderr))
	require.Contains(t, stderr.String(), taken.Addr().String())
}

// A server on port 0 prints its address and writes the port, and SHUTDOWN ends it.
func TestServe_PortFileAndShutdown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "port")
	stdout, printed := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- serve(context.Background(), settings{addr: "127.0.0.1:0", portFile: file, databases: 16}, quiet, printed)
	}()
	line := make([]byte, 100)
	n, err := stdout.Read(line)
	require.NoError(t, err)
	addr := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "minilockd listens on "))

	nc, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer nc.Close()
	_, err = nc.Write([]byte("PING\r\n"))
	require.NoError(t, err)
	pong := make([]byte, 7)
	_, err = io.ReadFull(nc, pong)
	require.NoError(t, err)
	port, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, addr, "127.0.0.1:"+strings.TrimSpace(string(port)))

	_, err = nc.Write([]byte("SHUTDOWN NOSAVE\r\n"))
	require.NoError(t, err)
	require.NoError(t, <-served)
}

func TestServe_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, serve(ctx, settings{addr: "127.0.0.1:0", databases: 1}, quiet, io.Discard))
}

func TestServe_PortFileInNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "none", "port")
	require.ErrorContains(t, serve(context.Background(), settings{addr: "127.0.0.1:0", portFile: file, databases: 1}, quiet, io.Discard), "port file")
}
