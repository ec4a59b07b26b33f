//go:build linux

package server

import (
	"net"
	"syscall"
)

// epollDriver serves a connection from a loop, which calls it when its socket is ready or has signals. It never waits
// for the client: reads and writes are raw system calls on a non-blocking descriptor, which skip the scheduler's
// bookkeeping for calls that block. doc.go draws the states of a connection; here they are combinations of writing,
// closing, conn.ended and socket.detached.
type epollDriver struct {
	conn    *conn
	socket  socket
	watched uint32 // the events registered for
	writing bool   // the client does not read its replies; until it does, its requests are not read
	closing bool   // the connection ends once the client has read its replies
}

// serveByLoop takes the socket over from nc. It reports false if nc has none, or no loop could be made.
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
	d := &epollDriver{conn: newConn(s, nc.LocalAddr(), nc.RemoteAddr()), watched: syscall.EPOLLIN}
	d.socket = socket{driver: d, loop: l, fd: fd, watched: syscall.EPOLLIN}
	_ = nc.Close() // the descriptor is a duplicate
	d.conn.driver = d
	d.conn.out.start = d.startWriting
	if !s.add(d.conn) || !l.add(d, fd, syscall.EPOLLIN) {
		_ = syscall.Close(fd)
		s.remove(d.conn)
	}
	return true
}

// work handles the socket's events and the signals. Only loop.serve calls it.
func (d *epollDriver) work(events uint32, signals signal, buffer []byte) {
	defer d.conn.recoverPanic()
	switch {
	case d.conn.ended:
	case signals&signalKill != 0:
		d.conn.end()
	case !d.serveIO(events, signals, buffer):
		d.finish()
	}
	if t := d.conn.transfer.Load(); t != nil && signals&signalReady != 0 {
		t.settled()
	}
}

// serveIO is work without the end of the connection; it reports whether the connection stays open.
func (d *epollDriver) serveIO(events uint32, signals signal, buffer []byte) bool {
	if (events&syscall.EPOLLOUT != 0 || signals&signalWrite != 0) && !d.drain() {
		return false
	}
	ready := signals&signalReady != 0
	if ready && !d.goOn() {
		return false
	}
	input := events &^ syscall.EPOLLOUT
	if d.closing {
		return input == 0 && (d.writing || d.socket.hasSignal(signalWrite))
	}
	if signals != 0 && !d.conn.serve(isWoken) {
		return false
	}
	if (input != 0 || ready && !d.writing && !d.conn.session.Blocked()) && !d.input(input, buffer) {
		return false
	}
	return d.listen()
}

// goOn writes what transfer did not allow before.
func (d *epollDriver) goOn() bool {
	if d.writing {
		return d.drain()
	}
	return d.flush()
}

// input handles events other than that the client takes more. It reports whether the connection stays open.
func (d *epollDriver) input(events uint32, buffer []byte) bool {
	if d.conn.session.Blocked() {
		return false
	}
	if t := d.conn.transfer.Load(); t != nil && !t.mayReceive() {
		return events&^syscall.EPOLLIN == 0 // otherwise the client has left
	}
	return d.read(buffer)
}

// finish ends the connection, but lets the client read its replies first.
func (d *epollDriver) finish() {
	if d.conn.session.Closing && !d.closing {
		d.closing = true
		if d.conn.flush() && (d.writing || d.socket.hasSignal(signalWrite)) {
			return
		}
	}
	d.conn.end()
}

// read reads once; if there is more, the loop continues after it has served other connections. It reports false at the
// end of the stream.
func (d *epollDriver) read(buffer []byte) bool {
	in := &d.conn.in
	in.useBuffer(buffer)
	n, err := d.receive(in.space())
	if err == syscall.EAGAIN || err == syscall.EINTR {
		in.releaseBuffer()
		return true
	}
	d.conn.session.Traffic.Read(max(n, 0)) // Redis counts the read at the end, too
	if err != nil || n == 0 {
		return false
	}
	in.added(n)
	alive := d.conn.serve(hasInput)
	in.releaseBuffer()
	return alive
}

// receive reads what transfer allows, which is something.
func (d *epollDriver) receive(space []byte) (int, error) {
	t := d.conn.transfer.Load()
	if t == nil {
		return receive(d.socket.fd, space)
	}
	allowed, _ := t.receivable(len(space))
	n, err := receive(d.socket.fd, space[:allowed])
	t.received(max(n, 0), allowed)
	return n, err
}

// listen registers for the events that matter in the current state.
func (d *epollDriver) listen() bool {
	events := uint32(syscall.EPOLLIN)
	switch t := d.conn.transfer.Load(); {
	case t != nil:
		events = d.restricted(t)
	case d.writing:
		events = syscall.EPOLLOUT
	case d.conn.session.Blocked():
		events = syscall.EPOLLRDHUP // only for the end; what the client sends is not read
	}
	if d.watched == events {
		return true
	}
	d.watched = events
	return d.socket.watch(events)
}

// restricted returns the events that matter to a connection which has a transfer. Errors of the socket always do.
func (d *epollDriver) restricted(t *transfer) uint32 {
	allowed, _ := t.sendable(1)
	switch {
	case d.writing && allowed > 0:
		return syscall.EPOLLOUT
	case d.closing:
		return 0
	case d.conn.session.Blocked():
		return syscall.EPOLLRDHUP
	case d.writing && !t.isCut():
		return 0 // until the timer
	case t.mayReceive():
		return syscall.EPOLLIN
	case t.stopsReading():
		return syscall.EPOLLRDHUP
	}
	return 0 // until the timer
}

func (d *epollDriver) send(out []byte) (int, error) {
	n, err := sendTo(d.socket.fd, out)
	if temporary(err) {
		err = nil
	}
	return max(n, 0), err
}

func (d *epollDriver) flush() bool {
	switch {
	case d.writing && d.conn.transfer.Load() != nil:
		return d.drain() // this may be a reply that a partition lets through
	case d.writing || !d.conn.out.begin():
		return true // another goroutine writes, or the client has to read first
	}
	return d.drain()
}

// drain writes the outbox until the client takes no more.
func (d *epollDriver) drain() bool {
	all, err := d.conn.out.writeAll(d.writeList)
	d.writing = !all
	return (all || temporary(err)) && d.listen()
}

func (d *epollDriver) writeList(list [][]byte) (int, error) {
	if t := d.conn.transfer.Load(); t != nil {
		return t.send(list, func(list [][]byte) (int, error) { return sendAll(d.socket.fd, list) })
	}
	return sendAll(d.socket.fd, list)
}

// tryWriteList is writeList for another goroutine than that which serves the connection.
func (d *epollDriver) tryWriteList(list [][]byte) (int, error) {
	if t := d.conn.transfer.Load(); t != nil {
		return t.send(list, d.socket.tryWrite)
	}
	return d.socket.tryWrite(list)
}

// temporary reports whether a read or write may be retried.
func temporary(err error) bool { return err == nil || err == syscall.EAGAIN || err == syscall.EINTR }

// startWriting makes the connection of the publisher write the outbox (see deferWrite), or else the loop.
func (d *epollDriver) startWriting(from *conn) {
	if from == nil || !from.deferWrite(d) {
		d.socket.signal(signalWrite)
	}
}

// writeNow writes the outbox until the client takes no more; the loop writes the rest. The goroutine of another
// connection calls it.
func (d *epollDriver) writeNow() {
	defer d.conn.recoverOther()
	if all, _ := d.conn.out.writeAll(d.tryWriteList); !all {
		d.socket.signal(signalWrite)
	}
}

func (d *epollDriver) kill()  { d.socket.signal(signalKill) }
func (d *epollDriver) wake()  { d.socket.signal(signalWake) }
func (d *epollDriver) ready() { d.socket.signal(signalReady) }
func (d *epollDriver) shut()  { d.socket.close() }
