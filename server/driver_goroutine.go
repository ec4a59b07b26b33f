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
	secure *secureConn    // nc, if it is with TLS; else nil
	writer sync.WaitGroup // goroutines that write pushed messages

	// These are for a connection that waits until transfer allows more.
	woken  chan struct{} // has an element after wake
	killed chan struct{} // closed by kill
	closed sync.Once     // of killed
}

func (s *Server) serveByGoroutine(nc net.Conn) { s.begin(s.newGoroutineDriver(nc)) }

func (s *Server) newGoroutineDriver(nc net.Conn) *goroutineDriver {
	d := &goroutineDriver{conn: newConn(s, nc.LocalAddr(), nc.RemoteAddr()), nc: nc, woken: make(chan struct{}, 1),
		killed: make(chan struct{})}
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
	if d.secure != nil && !d.handshake() {
		return
	}
	in := &d.conn.in
	for alive := true; alive; {
		n, err := d.read(in.space())
		in.added(n)
		alive = d.serve(n, err)
		alive = d.conn.flush() && alive
		runtime.Gosched()
	}
}

// read reads what transfer allows, once it allows something. Signals end the wait as they end a read.
func (d *goroutineDriver) read(space []byte) (int, error) {
	t := d.conn.transfer.Load()
	if t == nil {
		return d.nc.Read(space)
	}
	for {
		allowed, more := t.receivable(len(space))
		t.settledUnlessSending() // it is not known whether there is something to read
		if allowed > 0 {
			n, err := d.nc.Read(space[:allowed])
			t.received(n, allowed)
			return n, err
		}
		select {
		case <-more:
		case <-d.woken:
			return 0, os.ErrDeadlineExceeded
		case <-d.killed:
			return 0, net.ErrClosed
		}
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
		return !d.isKilled() && d.conn.serve(isWoken)
	}
	d.conn.session.Traffic.Read(n)
	return d.conn.serve(hasInput) && err == nil
}

func (d *goroutineDriver) send(out []byte) (int, error) { return d.nc.Write(out) }

// flush returns when the outbox is written, so that a client which does not read its replies is not served further.
// What a partition keeps is left to a later call, so that the client can still control the server.
func (d *goroutineDriver) flush() bool {
	if t := d.conn.transfer.Load(); t != nil && t.isCut() {
		return true
	}
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
	if t := d.conn.transfer.Load(); t != nil {
		return d.writeSlowly(t, list)
	}
	return d.writeNow(list)
}

// writeSlowly writes all, as fast as transfer allows.
func (d *goroutineDriver) writeSlowly(t *transfer, list [][]byte) (written int, err error) {
	t.setSending(true)
	defer t.setSending(false)
	for size := totalSize(list); written < size && err == nil; {
		allowed, more := t.sendable(size - written)
		if allowed == 0 {
			t.settled()
			select {
			case <-more:
				continue
			case <-d.killed:
				return written, net.ErrClosed
			}
		}
		n := 0
		n, err = d.writeNow(firstBytes(list, allowed))
		list, written = afterBytes(list, n), written+n
		t.sent(n, written < size)
	}
	return written, err
}

func (d *goroutineDriver) writeNow(list [][]byte) (int, error) {
	buffers := append(make(net.Buffers, 0, len(list)), list...)
	n, err := buffers.WriteTo(d.nc)
	return int(n), err
}

// wake interrupts the read in run.
func (d *goroutineDriver) wake() {
	select {
	case d.woken <- struct{}{}:
	default:
	}
	_ = d.nc.SetReadDeadline(time.Unix(1, 0)) // last, since a handshake looks at woken when it allows this
}

func (d *goroutineDriver) kill() {
	d.closed.Do(func() { close(d.killed) })
	if d.secure != nil {
		d.secure.interrupt()
		return
	}
	_ = d.nc.Close()
}

func (d *goroutineDriver) isKilled() bool {
	select {
	case <-d.killed:
		return true
	default:
		return false
	}
}

func (d *goroutineDriver) ready() { d.wake() } // those that wait for transfer know already
func (d *goroutineDriver) shut()  { _ = d.nc.Close() }
