package server

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServer_UnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	require.NoError(t, os.WriteFile(path, nil, 0o600)) // left behind
	s, err := Start(context.Background(), Options{UnixSocket: path})
	require.NoError(t, err)
	defer s.Close()
	nc, err := net.Dial("unix", path)
	require.NoError(t, err)
	defer nc.Close()

	ask(t, nc, "SET k v\r\nCLIENT INFO\r\n", "+OK\r\n")
	info := make([]byte, 500)
	n, err := nc.Read(info)
	require.NoError(t, err)
	require.Contains(t, string(info[:n]), " addr="+path+":0 laddr="+path+":0 ")
	require.Contains(t, string(info[:n]), " flags=U ")
	ask(t, dial(t, s), "GET k\r\n", "$1\r\nv\r\n")

	require.NoError(t, s.Close())
	require.NoFileExists(t, path)
}

func TestServer_UnixSocket_WhereItCannotBe(t *testing.T) {
	_, err := Start(context.Background(), Options{UnixSocket: filepath.Join(t.TempDir(), "none", "socket")})
	require.ErrorContains(t, err, "minilockd: listen unix")
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "file"), nil, 0o600))
	_, err = Start(context.Background(), Options{UnixSocket: full})
	require.ErrorContains(t, err, "minilockd: remove")
}
