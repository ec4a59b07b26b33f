package server

import (
	"cmp"
	"context"
	"net"
	"strconv"
	"sync"
	"syscall"

	"github.com/minilockd/minilockd/internal/memconn"
)

// memoryAddr is the address of the server's end of connections in memory, and of a server that listens on no other. It
// has an IP address since go-redis looks up the names of hosts, which fails in bubbles of testing/synctest.
const memoryAddr = memconn.Addr("127.0.0.1:0")

// Dial connects to the server in memory, without the network, also in a bubble of testing/synctest. The connection is
// served as any other: its address in CLIENT LIST is "memory:" with a number. Deadlines of the connection are on real
// time. If the server is closed, the error matches syscall.ECONNREFUSED, as of a server that does not listen any more.
func (s *Server) Dial() (net.Conn, error) { return s.DialContext(context.Background(), "", "") }

// DialContext is Dial for clients that take a function to connect by, such as go-redis:
//
//	redis.NewClient(&redis.Options{Addr: srv.Addr(), Dialer: srv.DialContext})
//
// It connects to the server whatever network and addr are, and returns the error of a context that has ended.
func (s *Server) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, dialError(err)
	}
	near, far, err := s.newPipe()
	if err != nil {
		return nil, err
	}
	s.take(far, s.ServeConn)
	return near, nil
}

// newPipe returns the ends of a new connection in memory, or an error if the server is closed.
func (s *Server) newPipe() (near, far net.Conn, err error) {
	select {
	case <-s.done:
		return nil, nil, dialError(syscall.ECONNREFUSED)
	default:
	}
	near, far = memconn.Pipe(memconn.Addr("memory:"+strconv.FormatInt(s.dialed.Add(1), 10)), memoryAddr)
	return near, far, nil
}

// dialError adds to an error what package net does.
func dialError(err error) error {
	return &net.OpError{Op: "dial", Net: memoryAddr.Network(), Addr: memoryAddr, Err: err}
}

// memoryListener is the listener of a server that listens on no address.
type memoryListener struct {
	addr   memconn.Addr
	closed chan struct{}
	once   sync.Once
}

func newMemoryListener(addr memconn.Addr) *memoryListener {
	return &memoryListener{addr: cmp.Or(addr, memoryAddr), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (l *memoryListener) Accept() (net.Conn, error) {
	<-l.closed
	return nil, net.ErrClosed
}

// Close implements net.Listener.
func (l *memoryListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *memoryListener) Addr() net.Addr { return l.addr }
