package server

import (
	"crypto/tls"
	"net"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// dialTLS connects with TLS and fails any read that takes half a minute.
func dialTLS(t testing.TB, s *Server) net.Conn {
	t.Helper()
	nc, err := tls.Dial("tcp", s.TLSAddr(), s.TLSConfig())
	require.NoError(t, err)
	t.Cleanup(func() { _ = nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(testTimeout)))
	return nc
}

// Without any certificate the server makes its own, and speaks both.
func TestTLS(t *testing.T) {
	s := StartT(t, Options{TLS: &TLS{}})
	require.NotEqual(t, s.Addr(), s.TLSAddr())
	ask(t, dialTLS(t, s), "SET k v\r\n", "+OK\r\n")
	ask(t, dial(t, s), "GET k\r\n", "$1\r\nv\r\n")
}
