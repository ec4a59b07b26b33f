package server

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestServer_UnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	require.NoError(t, err)
	left.SetUnlinkOnClose(false)
	require.NoError(t, left.Close())
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

func TestServer_UnixSocket_Errors(t *testing.T) {
	_, err := Start(context.Background(), Options{UnixSocket: filepath.Join(t.TempDir(), "none", "socket")})
	require.ErrorContains(t, err, "minilockd: listen unix")
}

// Only a socket is replaced.
func TestServer_UnixSocket_OnAnotherFile(t *testing.T) {
	empty := t.TempDir()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	for _, path := range []string{empty, file} {
		_, err := Start(context.Background(), Options{UnixSocket: path})
		require.ErrorContains(t, err, "no socket")
	}
	require.DirExists(t, empty)
	require.FileExists(t, file)
}
