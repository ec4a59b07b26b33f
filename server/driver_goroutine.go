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
	d.conn.out.start = func(*conn) { d.writer.Go(d.drainForOthers) }
	if !s.add(d.conn) {
		_ = nc.Close()
		return
	}
	s.spawn(d.run)
}

// run reads and answers until the client or the server closes the connection.
func (d *goroutineDriver) run() {
	defer d.writer.Wait()
	defer d.conn.end() // from here on nothing is pushed
	defer d.conn.rescue()
	in := &d.conn.in
	for alive := true; alive; {
		n, err := d.nc.Read(in.space())
		in.added(n)
		alive = d.serve(n, err)
		alive = d.conn.flush() && alive
	}
}

// serve does what there is to do after a read of n bytes that has ended with err.
func (d *goroutineDriver) serve(n int, err error) (alive bool) {
	s := d.conn.server
	s.awake.Add(1)
	defer s.awake.Add(-1)
	s.watch() // a script may begin
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = d.nc.SetReadDeadline(time.Time{})
		return d.conn.serve(isWoken)
	}
	d.conn.session.Traffic.Read(n)
	return d.conn.serve(hasInput) && err == nil
}

func (d *goroutineDriver) send(out []byte) (int, error) { return d.nc.Write(out) }

// flush returns when all that was posted has been written, so that a client which does not read is not served further.
func (d *goroutineDriver) flush() bool {
	d.conn.out.beginNext()
	return d.drain()
}

// drainForOthers is drain in a goroutine of its own.
func (d *goroutineDriver) drainForOthers() {
	defer d.conn.rescueForeign()
	d.drain()
}

// drain writes until nothing is unsent. The caller has begun.
func (d *goroutineDriver) drain() bool {
	all, _ := d.conn.out.pour(d.write)
	if !all {
		d.conn.out.fail()
		d.conn.out.take(0)
	}
	return all
}

func (d *goroutineDriver) write(list [][]byte) (int, error) {
	buffers := append(make(net.Buffers, 0, len(list)), list...)
	n, err := buffers.WriteTo(d.nc)
	return int(n), err
}

// wake interrupts the read: see run.
func (d *goroutineDriver) wake() { _ = d.nc.SetReadDeadline(time.Unix(1, 0)) }

func (d *goroutineDriver) kill() { _ = d.nc.Close() }
func (d *goroutineDriver) shut() { _ = d.nc.Close() }
