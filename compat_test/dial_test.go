package compat

import (
	"net"
	"testing"

	"golang.org/x/net/nettest"

	"github.com/minilockd/minilockd/internal/memconn"
)

// The connections that Server.Dial returns behave as net.Conn demands.
func TestMemoryConnections(t *testing.T) {
	nettest.TestConn(t, func() (a, b net.Conn, stop func(), err error) {
		a, b = memconn.Pipe("memory:1", "memory:0")
		return a, b, func() {
			_ = a.Close()
			_ = b.Close()
		}, nil
	})
}
