//go:build !linux

package server

import "net"

// loop is not available on this system: every connection has a goroutine.
type loop struct{}

func (*loop) close() {}

func (*Server) serveByLoop(net.Conn) bool { return false }
