// Package memconn has connections within the process: two ends of a buffered pipe, each a net.Conn. They need no
// network, so they work in a bubble of testing/synctest.
package memconn

import (
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// Addr is the address of an end: "memory:7".
type Addr string

// Network implements net.Addr.
func (Addr) Network() string { return "memory" }

func (a Addr) String() string { return string(a) }

// Pipe returns both ends of a connection; each has the address of the other as its remote address. What one end writes
// is buffered until the other reads it, and can be read after Close. All methods are safe for concurrent use.
func Pipe(a, b Addr) (atA, atB net.Conn) {
	toA, toB := newStream(), newStream()
	return &conn{in: toA, out: toB, local: a, remote: b}, &conn{in: toB, out: toA, local: b, remote: a}
}

// conn is one end.
type conn struct {
	in, out       *stream
	local, remote Addr
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.in.read(b)
	if err != nil && err != io.EOF {
		err = c.wrap("read", err)
	}
	return n, err
}

// Write implements net.Conn. Concurrent writes come one after the other.
func (c *conn) Write(b []byte) (int, error) {
	n, err := c.out.write(b)
	if err != nil {
		err = c.wrap("write", err)
	}
	return n, err
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.in.closeReader()
	c.out.closeWriter()
	return nil
}

// LocalAddr implements net.Conn.
func (c *conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error {
	return c.wrap("set", c.in.setDeadline(&c.in.reader, t))
}

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error {
	return c.wrap("set", c.out.setDeadline(&c.out.writer, t))
}

// wrap adds to an error what package net does.
func (c *conn) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return &net.OpError{Op: op, Net: c.local.Network(), Source: c.local, Addr: c.remote, Err: err}
}

// The errors of streams, as sockets have them.
var (
	errClosed   = net.ErrClosed          // this end was closed
	errNoReader = error(syscall.EPIPE)   // the other end was closed
	errTooLate  = os.ErrDeadlineExceeded // the deadline has passed
)
