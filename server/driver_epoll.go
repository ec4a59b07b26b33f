//go:build linux

package server

import (
	"net"
	"syscall"
)

// epollDriver serves a connection from a loop: it is called when its socket is ready or has signals, and never waits for the client.
// Reads and writes are raw system calls that can't block, so the scheduler need not be told of them.
type epollDriver struct {
	conn    *conn
	socket  socket
	armed   uint32 // the events asked for
	stalled bool   // the client does not take what it is sent: until it does, its requests are not read
	closing bool   // the connection ends once the client has taken its replies
}

// serveByLoop takes the socket of nc over. It reports false if that can't be had.
func (s *Server) serveByLoop(nc net.Conn) bool {
	fd, ok := takeDescriptor(nc)
	if !ok {
		return false
	}
	l, err := s.pickLoop()
	if err != nil {
		_ = syscall.Close(fd)
		return false
	}
	d := &epollDriver{conn: newConn(s, nc.LocalAddr(), nc.RemoteAddr()), armed: syscall.EPOLLIN}
	d.socket = socket{driver: d, loop: l, fd: fd, armed: syscall.EPOLLIN}
	_ = nc.Close() // the descriptor is a duplicate
	d.conn.driver = d
	d.conn.out.start = d.startWriting
	if !s.add(d.conn) || !l.add(d, fd, syscall.EPOLLIN) {
		_ = syscall.Close(fd)
		s.remove(d.conn)
	}
	return true
}

// work does what the socket's events and the signals ask for. It is called by loop.serve only.
func (d *epollDriver) work(events uint32, asked signal, buffer []byte) {
	defer d.conn.rescue()
	switch {
	case d.conn.ended:
	case asked&signalKill != 0:
		d.conn.end()
	case !d.serveIO(events, asked, buffer):
		d.finish()
	}
}

// serveIO reports whether the connection goes on.
func (d *epollDriver) serveIO(events uint32, asked signal, buffer []byte) bool {
	if (events&syscall.EPOLLOUT != 0 || asked&signalWrite != 0) && !d.drain() {
		return false
	}
	input := events &^ syscall.EPOLLOUT
	if d.closing {
		return input == 0 && (d.stalled || d.socket.asks(signalWrite))
	}
	if asked != 0 && !d.conn.serve(isWoken) {
		return false
	}
	if input != 0 && (d.conn.session.Blocked() || !d.read(buffer)) {
		return false
	}
	return d.listen()
}

// finish ends the connection, but lets the client first take what it has been answered.
func (d *epollDriver) finish() {
	if d.conn.session.Closing && !d.closing {
		d.closing = true
		if d.conn.flush() && (d.stalled || d.socket.asks(signalWrite)) {
			return
		}
	}
	d.conn.end()
}

// read takes what there is, once: if there is more, the loop comes back after the others. It reports false at the end.
func (d *epollDriver) read(buffer []byte) bool {
	in := &d.conn.in
	in.lend(buffer)
	n, err := receive(d.socket.fd, in.space())
	if err == syscall.EAGAIN || err == syscall.EINTR {
		in.reclaim()
		return true
	}
	d.conn.session.Traffic.Read(max(n, 0)) // Redis counts the end as a read, too
	if err != nil || n == 0 {
		return false
	}
	in.added(n)
	alive := d.conn.serve(hasInput)
	in.reclaim()
	return alive
}

// listen asks for the events that matter in the state of the connection.
func (d *epollDriver) listen() bool {
	events := uint32(syscall.EPOLLIN)
	switch {
	case d.stalled:
		events = syscall.EPOLLOUT
	case d.conn.session.Blocked():
		events = syscall.EPOLLRDHUP // only that the client goes; what it sends is not read
	}
	if d.armed == events {
		return true
	}
	d.armed = events
	return d.socket.arm(events)
}

func (d *epollDriver) send(out []byte) (int, error) {
	n, err := transmit(d.socket.fd, out)
	if mayPass(err) {
		err = nil
	}
	return max(n, 0), err
}

func (d *epollDriver) flush() bool {
	if d.stalled || !d.conn.out.begin() {
		return true // there is a writer, or the client has to read first
	}
	return d.drain()
}

// drain writes what is unsent as far as the client takes it.
func (d *epollDriver) drain() bool {
	all, err := d.conn.out.pour(d.transmit)
	d.stalled = !all
	return (all || mayPass(err)) && d.listen()
}

func (d *epollDriver) transmit(list [][]byte) (int, error) { return transmitAll(d.socket.fd, list) }

// mayPass reports whether a read or a write is worth another try.
func mayPass(err error) bool { return err == nil || err == syscall.EAGAIN || err == syscall.EINTR }

// startWriting has what is unsent written: by the connection that has published it, or else by the loop.
func (d *epollDriver) startWriting(from *conn) {
	if from == nil || !from.deferWrite(d) {
		d.socket.signal(signalWrite)
	}
}

// writeNow writes what is unsent as far as the client takes it; the loop does the rest. It is called by the goroutine of another
// connection.
func (d *epollDriver) writeNow() {
	defer d.conn.rescueForeign()
	if all, _ := d.conn.out.pour(d.socket.tryWrite); !all {
		d.socket.signal(signalWrite)
	}
}

func (d *epollDriver) kill() { d.socket.signal(signalKill) }
func (d *epollDriver) wake() { d.socket.signal(signalWake) }
func (d *epollDriver) shut() { d.socket.close() }
