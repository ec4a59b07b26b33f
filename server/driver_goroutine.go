package server

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// goroutineDriver serves a connection from a goroutine of its own: any net.Conn, on any system.
type goroutineDriver struct {
	conn   *conn
	nc     net.Conn
	writer sync.WaitGroup // the goroutines that write what others push; waited for when nothing is pushed any more
}

func (s *Server) serveByGoroutine(nc net.Conn) {
	d := &goroutineDriver{conn: newConn(s, nc.LocalAddr(), nc.RemoteAddr()), nc: nc}
	d.conn.driver = d
	d.conn.out.start = func(*conn) { d.writer.Go(func() { d.drain() }) }
	if !s.add(d.conn) {
		_ = nc.Close()
		return
	}
	s.work.Go(d.serve)
}

// serve reads and answers until the client or the server closes the connection.
func (d *goroutineDriver) serve() {
	s, in := d.conn.server, &d.conn.in
	for alive := true; alive; {
		n, err := d.nc.Read(in.space())
		in.added(n)
		s.awake.Add(1)
		s.watch() // a script may begin
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			_ = d.nc.SetReadDeadline(time.Time{})
			alive = d.conn.resume()
		default:
			alive = d.conn.feed() && err == nil
		}
		s.awake.Add(-1)
		alive = d.conn.flush() && alive
	}
	d.conn.session.Close() // from here on nothing is pushed
	d.conn.out.fail()
	_ = d.nc.Close()
	d.writer.Wait()
	s.remove(d.conn)
}

func (d *goroutineDriver) send(out []byte) bool {
	_, err := d.nc.Write(out)
	return err == nil
}

// flush returns when all that was posted has been written, so that a client which does not read is not served further.
func (d *goroutineDriver) flush() bool {
	d.conn.out.beginNext()
	return d.drain()
}

// drain writes until nothing is pending. The caller has begun.
func (d *goroutineDriver) drain() bool {
	all, _ := d.conn.out.pour(d.nc.Write)
	if !all {
		d.conn.out.fail()
		d.conn.out.take(nil)
	}
	return all
}

// wake interrupts the read: see serve.
func (d *goroutineDriver) wake() { _ = d.nc.SetReadDeadline(time.Unix(1, 0)) }

func (d *goroutineDriver) kill() { _ = d.nc.Close() }
