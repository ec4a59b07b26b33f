package server

import (
	"errors"
	"net"
	"os"
	"runtime"
	"sync"
	"time"
)

// goroutineDriver serves a connection from its own goroutine: any net.Conn, on any system.
type goroutineDriver struct {
	conn   *conn
	nc     net.Conn
	writer sync.WaitGroup // goroutines that write pushed messages
}

func (s *Server) serveByGoroutine(nc net.Conn) { s.begin(s.newGoroutineDriver(nc)) }

func (s *Server) newGoroutineDriver(nc net.Conn) *goroutineDriver {
	d := &goroutineDriver{conn: newConn(s, nc.LocalAddr(), nc.RemoteAddr()), nc: nc}
	d.conn.driver = d
	d.conn.out.start = func(*conn) { d.writer.Go(d.drainPushed) }
	return d
}

// begin serves a connection.
func (s *Server) begin(d *goroutineDriver) {
	if !s.add(d.conn) {
		_ = d.nc.Close()
		return
	}
	s.spawn(d.run)
}

// run reads and answers until the client or the server closes the connection. After each batch it lets others run: a
// client of this process and this goroutine wake each other, and would keep their processor for 10 ms otherwise, while
// all other clients wait.
func (d *goroutineDriver) run() {
	defer d.writer.Wait()
	defer d.conn.end() // from now on nothing is pushed
	defer d.conn.recoverPanic()
	in := &d.conn.in
	for alive := true; alive; {
		n, err := d.nc.Read(in.space())
		in.added(n)
		alive = d.serve(n, err)
		alive = d.conn.flush() && alive
		runtime.Gosched()
	}
}

// serve handles the result of a read.
func (d *goroutineDriver) serve(n int, err error) (alive bool) {
	s := d.conn.server
	s.busy.Add(1)
	defer s.busy.Add(-1)
	s.watch() // a script may begin
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = d.nc.SetReadDeadline(time.Time{})
		return d.conn.serve(isWoken)
	}
	d.conn.session.Traffic.Read(n)
	return d.conn.serve(hasInput) && err == nil
}

func (d *goroutineDriver) send(out []byte) (int, error) { return d.nc.Write(out) }

// flush returns when the outbox is written, so that a client which does not read its replies is not served further.
func (d *goroutineDriver) flush() bool {
	d.conn.out.beginNext()
	return d.drain()
}

// drainPushed is drain in its own goroutine.
func (d *goroutineDriver) drainPushed() {
	defer d.conn.recoverOther()
	d.drain()
}

// drain writes until the outbox is empty. The caller is the writer: outbox.beginNext or outbox.push has made it that.
func (d *goroutineDriver) drain() bool {
	all, _ := d.conn.out.writeAll(d.write)
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

// wake interrupts the read in run.
func (d *goroutineDriver) wake() { _ = d.nc.SetReadDeadline(time.Unix(1, 0)) }

func (d *goroutineDriver) kill() { _ = d.nc.Close() }
func (d *goroutineDriver) shut() { _ = d.nc.Close() }
