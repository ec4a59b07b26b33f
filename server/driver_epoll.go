//go:build linux

package server

import (
	"net"
	"sync"
	"sync/atomic"
	"syscall"
)

// epollDriver serves a connection from a loop: it is called when its socket is ready, and never waits. Reads and writes are
// raw system calls that can't block, so the scheduler need not be told of them.
type epollDriver struct {
	conn *conn
	loop *loop       // written with mu held, by the goroutine that serves the connection
	fd   int         // -1 once closed; written with mu held
	away atomic.Bool // served by a goroutine that has lost the loop; written with mu held

	mu     sync.Mutex // guards what follows
	armed  uint32     // the events asked for; while away, those to ask for afterwards
	queued bool       // the loop will call service
	writes bool       // service is to write what is pending
	doomed bool       // the connection is to be closed
}

// serveByLoop takes the socket of nc over. It reports false if that can't be had.
func (s *Server) serveByLoop(nc net.Conn) bool {
	fd, ok := takeSocket(nc)
	if !ok {
		return false
	}
	l, err := s.pickLoop()
	if err != nil {
		_ = syscall.Close(fd)
		return false
	}
	d := &epollDriver{conn: newConn(s, nc.LocalAddr(), nc.RemoteAddr()), loop: l, fd: fd, armed: syscall.EPOLLIN}
	_ = nc.Close() // the descriptor is a duplicate
	d.conn.driver = d
	d.conn.out.start = d.startWriting
	if !s.add(d.conn) || !l.add(d) {
		_ = syscall.Close(fd)
		s.remove(d.conn)
	}
	return true
}

// takeSocket duplicates the descriptor of a socket; the duplicate is non-blocking as the original is.
func takeSocket(nc net.Conn) (fd int, ok bool) {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return 0, false
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return 0, false
	}
	var errno syscall.Errno
	err = raw.Control(func(old uintptr) {
		var dup uintptr
		dup, _, errno = syscall.RawSyscall(syscall.SYS_FCNTL, old, syscall.F_DUPFD_CLOEXEC, 0)
		fd = int(dup)
	})
	return fd, err == nil && errno == 0
}

// ready is called by the loop when the socket is. It reports whether to go on with the connection.
func (d *epollDriver) ready(events uint32, buffer []byte) bool {
	if events&syscall.EPOLLOUT != 0 && !d.drain() {
		return false
	}
	if d.conn.session.Parked() {
		return events&^syscall.EPOLLOUT == 0
	}
	return events&^syscall.EPOLLOUT == 0 || d.read(buffer)
}

// comeBack gives the connection back to the loop, or ends it if it is not alive or was killed meanwhile.
func (d *epollDriver) comeBack(alive bool) {
	d.mu.Lock()
	alive = alive && !d.doomed && d.loop.take(d)
	d.mu.Unlock()
	switch {
	case !alive:
		d.close()
	case d.conn.session.Awake(): // woken while it was away
		d.wake()
	}
}

// arm asks for other events than before.
func (d *epollDriver) arm(events uint32) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.armed == events {
		return true
	}
	d.armed = events
	return d.away.Load() || d.loop.control(syscall.EPOLL_CTL_MOD, d.fd, events) == nil
}

// read takes what there is, once: if there is more, the loop comes back after the others. It reports false at the end.
func (d *epollDriver) read(buffer []byte) bool {
	in := &d.conn.in
	in.lend(buffer)
	n, err := receive(d.fd, in.space())
	if err == syscall.EAGAIN || err == syscall.EINTR {
		in.reclaim()
		return true
	}
	if err != nil || n == 0 {
		return false
	}
	in.added(n)
	ok := d.conn.feed()
	in.reclaim()
	return ok && (!d.conn.session.Parked() || d.arm(parkedEvents))
}

// parkedEvents tell that the client has gone; what it sends is not read while its session is parked.
const parkedEvents = syscall.EPOLLRDHUP

// reading is the events to ask for when there is nothing to write.
func (d *epollDriver) reading() uint32 {
	if d.conn.session.Parked() {
		return parkedEvents
	}
	return syscall.EPOLLIN
}

func (d *epollDriver) send(out []byte) bool {
	n, err := 0, error(nil)
	if !d.conn.out.busy() { // else what the client has not taken yet goes first
		n, err = transmit(d.fd, out)
	}
	switch {
	case err == nil && n == len(out):
		return true
	case !mayPass(err):
		return false
	}
	d.conn.out.post(out[max(n, 0):], d.conn.session.Proto())
	return d.flush()
}

func (d *epollDriver) flush() bool {
	if !d.conn.out.begin() {
		return true // waiting for the client to read
	}
	return d.drain()
}

// drain writes what is pending as far as the client takes it. While it does not, the client's requests are not read.
func (d *epollDriver) drain() bool {
	all, err := d.conn.out.pour(func(out []byte) (int, error) { return transmit(d.fd, out) })
	switch {
	case all:
		return d.arm(d.reading())
	case mayPass(err):
		return d.arm(syscall.EPOLLOUT)
	}
	return false
}

// mayPass reports whether a read or a write is worth another try.
func mayPass(err error) bool { return err == nil || err == syscall.EAGAIN || err == syscall.EINTR }

// call makes the loop call service, for what mark notes down.
func (d *epollDriver) call(mark func()) {
	d.mu.Lock()
	mark()
	queued, loop := d.queued, d.loop
	d.queued = true
	d.mu.Unlock()
	if !queued {
		loop.enqueue(d) // it keeps the connection until it has called service
	}
}

// startWriting has what is pending written: by the connection that has published it, or else by the loop.
func (d *epollDriver) startWriting(from *conn) {
	if from == nil || !from.lend(d) {
		d.write()
	}
}

// writeNow writes what is pending as far as the client takes it; the loop does the rest. It is called by the goroutine of another
// connection.
func (d *epollDriver) writeNow() {
	if all, _ := d.conn.out.pour(d.tryWrite); !all {
		d.write()
	}
}

// tryWrite is a write by a goroutine that does not keep the connection from being closed.
func (d *epollDriver) tryWrite(out []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fd < 0 {
		return 0, syscall.EBADF
	}
	return transmit(d.fd, out)
}

func (d *epollDriver) write() { d.call(func() { d.writes = true }) }
func (d *epollDriver) kill()  { d.call(func() { d.doomed = true }) }
func (d *epollDriver) wake()  { d.call(func() {}) }

// service is called by the loop after call.
func (d *epollDriver) service() {
	d.mu.Lock()
	doomed, writes := d.doomed, d.writes
	d.queued, d.writes = false, false
	d.mu.Unlock()
	alive := !writes || d.drain()
	if d.away.Load() {
		return // the goroutine that serves it notices
	}
	if doomed || !alive || !d.goOn() {
		d.close()
	}
}

// goOn resumes a session whose waiting is over, and reads again, unless the client has to take first what is pending.
func (d *epollDriver) goOn() bool {
	if d.fd < 0 {
		return true
	}
	alive := d.conn.resume()
	return d.conn.flush() && alive && (d.writesLater() || d.arm(d.reading()))
}

// writesLater reports whether drain goes on once the client has taken something.
func (d *epollDriver) writesLater() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.armed == syscall.EPOLLOUT
}

// close ends the connection. It runs on the loop.
func (d *epollDriver) close() {
	fd := d.fd
	if fd < 0 {
		return
	}
	d.conn.session.Close()
	d.conn.out.fail()
	d.loop.forget(fd)
	d.mu.Lock()
	d.fd = -1
	_ = syscall.Close(fd)
	d.mu.Unlock()
	d.conn.server.remove(d.conn)
}
