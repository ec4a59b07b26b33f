//go:build linux

package server

import (
	"maps"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// loop serves many connections from one goroutine with epoll. It polls without waiting; when nothing is ready the
// goroutine sleeps in Go's own poller (see nestedEpoll), so that an idle loop needs neither CPU nor a thread.
//
// A command that takes long (a script, or a wait for a shard) must not delay the other connections: the watchdog then
// starts a new goroutine for the loop, and the old one keeps only that connection until its command ends. All work for
// clients is done in serve, so that this covers all of it. In exchange, a long command delays the others for one or two
// rounds of the watchdog.
type loop struct {
	server     *Server
	epfd       int
	nested     *nestedEpoll
	wakeFD     int // an eventfd that wakes the loop
	sleeping   atomic.Bool
	current    atomic.Pointer[epollDriver] // the connection being served; replaceGoroutine removes it
	served     atomic.Uint64               // number of times a connection was served
	idleRounds atomic.Uint64               // number of times there was nothing to do
	giveTo     atomic.Pointer[loop]        // the loop that is to get half of the connections, or nil
	unflushed  []*epollDriver              // see queueFlush
	inFlight   int                         // number of commands whose replies are unflushed
	events     [128]syscall.EpollEvent

	mu     lockrank.Mutex[lockrank.Loop] // guards what follows
	queue  []*epollDriver
	conns  map[int32]*epollDriver
	closed bool
}

// loopBufferSize is the largest number of bytes that a loop reads at once.
const loopBufferSize = 64 << 10

func newLoop(s *Server) (*loop, error) {
	epfd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	l := &loop{server: s, epfd: epfd, wakeFD: -1, conns: make(map[int32]*epollDriver)}
	if err := l.open(); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

func (l *loop) open() (err error) {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		return errno
	}
	l.wakeFD = int(fd)
	if err := l.control(syscall.EPOLL_CTL_ADD, l.wakeFD, syscall.EPOLLIN); err != nil {
		return err
	}
	l.nested, err = newNestedEpoll(l.epfd)
	return err
}

// release closes the descriptors of the loop.
func (l *loop) release() {
	if l.nested != nil {
		l.nested.close()
	}
	if l.wakeFD >= 0 {
		_ = syscall.Close(l.wakeFD)
	}
	_ = syscall.Close(l.epfd)
}

// run serves until the loop is closed or another goroutine runs it.
func (l *loop) run() {
	defer l.recoverPanic()
	l.server.watch()
	buffer := make([]byte, loopBufferSize) // for the connection that is being read
	for {
		l.flushAll()
		if l.giveTo.Load() != nil {
			l.giveConns(l.giveTo.Swap(nil))
		}
		queued, closed := l.queued()
		if closed {
			break
		}
		if !l.serveQueue(queued, buffer) || !l.serveEvents(buffer) {
			return // another goroutine runs the loop now
		}
	}
	l.end()
}

// serveQueue serves the first queued connections, which have signals. It reports false if another goroutine
// runs the loop now.
func (l *loop) serveQueue(queued int, buffer []byte) bool {
	for range queued {
		if d := l.dequeue(); !l.serve(d, 0, d.socket.takeSignals(), buffer) {
			return false
		}
	}
	l.flushAll() // a connection must not be in unflushed twice
	return true
}

// serveEvents serves the connections whose sockets are ready. It reports false if another goroutine
// runs the loop now.
func (l *loop) serveEvents(buffer []byte) bool {
	for i := range l.wait() {
		e := l.events[i]
		if int(e.Fd) == l.wakeFD {
			drainWake(l.wakeFD)
			continue
		}
		if d := l.connOf(e.Fd); d != nil && !l.serve(d, e.Events, 0, buffer) {
			return false
		}
	}
	return true
}

// wait returns the number of events. If there are none, it first sleeps until there are some or another goroutine has
// work for the loop.
func (l *loop) wait() int {
	if n := epollNow(l.epfd, l.events[:]); n > 0 {
		return n
	}
	l.idleRounds.Add(1)
	l.sleeping.Store(true)
	l.nested.sleep(l.hasWork) // it calls hasWork: signals sent before sleeping was set did not wake the loop
	l.sleeping.Store(false)
	l.server.watch()
	return epollNow(l.epfd, l.events[:])
}

// serve does all work that a loop does for a client, so current and served show the watchdog that it takes long. It
// reports false if another goroutine runs the loop now: then the caller must no longer use it.
func (l *loop) serve(d *epollDriver, events uint32, signals signal, buffer []byte) bool {
	if events == 0 && signals == 0 {
		return true // the goroutine that serves it detached takes the signals
	}
	l.current.Store(d)
	l.served.Add(1)
	d.work(events, signals, buffer)
	if l.current.CompareAndSwap(d, nil) {
		l.queueFlush(d)
		return true
	}
	d.reattach()
	return false
}

// reattach returns a detached connection to its loop, or ends it if the loop is closed.
func (d *epollDriver) reattach() {
	defer d.conn.recoverPanic()
	switch {
	case d.conn.ended:
	case !d.conn.flush() || !d.socket.attach():
		d.conn.end()
	}
}

// queueFlush delays the replies of a connection until the replies to maxInFlight commands are ready, or until the round
// ends, as Redis does: the first reply wakes a client, and the next ones keep it from sleeping again between two
// replies.
func (l *loop) queueFlush(d *epollDriver) {
	if d.conn.ended {
		return
	}
	l.unflushed = append(l.unflushed, d)
	if l.inFlight += d.conn.batch; l.inFlight >= maxInFlight {
		l.flushAll()
	}
}

// maxInFlight is the number of commands that are served before their replies are written: enough for clients to be
// woken rarely, and few enough for clients to have work while the loop goes on.
const maxInFlight = 128

// flushAll writes what queueFlush has delayed.
func (l *loop) flushAll() {
	for _, d := range l.unflushed {
		d.flushOrKill()
	}
	l.unflushed, l.inFlight = l.unflushed[:0], 0
}

// flushOrKill writes the replies, or closes the connection soon.
func (d *epollDriver) flushOrKill() {
	defer d.conn.recoverOther()
	if !d.conn.flush() {
		d.kill()
	}
}

// recoverPanic is deferred by run. After a panic in the code of the loop itself the loop ends with its connections.
func (l *loop) recoverPanic() {
	if r := recover(); r != nil {
		l.server.logPanic(r)
		l.server.dropLoop(l)
		l.close()
		l.end()
	}
}

// replaceGoroutine starts a new goroutine for the loop if it still serves d. The watchdog calls it.
func (l *loop) replaceGoroutine(d *epollDriver) {
	if d.socket.detach() {
		l.server.spawn(l.run)
	}
}

// add makes the loop watch the socket of a connection.
func (l *loop) add(d *epollDriver, fd int, events uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.control(syscall.EPOLL_CTL_ADD, fd, events) != nil {
		return false
	}
	l.conns[int32(fd)] = d
	return true
}

func (l *loop) control(op, fd int, events uint32) error {
	return syscall.EpollCtl(l.epfd, op, fd, &syscall.EpollEvent{Events: events, Fd: int32(fd)})
}

// connOf is the connection of a descriptor, nil if the loop has none.
func (l *loop) connOf(fd int32) *epollDriver {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conns[fd]
}

func (l *loop) forget(fd int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, int32(fd))
}

// enqueue makes the loop serve the driver for its signals.
func (l *loop) enqueue(d *epollDriver) {
	l.mu.Lock()
	l.queue = append(l.queue, d)
	l.mu.Unlock()
	l.wake()
}

func (l *loop) wake() {
	if l.sleeping.Load() {
		signalWakeFD(l.wakeFD)
	}
}

// hasWork reports whether there is work that epoll does not report.
func (l *loop) hasWork() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue) > 0 || l.closed || l.giveTo.Load() != nil
}

// queued returns the number of connections that have signals.
func (l *loop) queued() (n int, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue), l.closed
}

// dequeue removes the first connection from the queue, which must not be empty. The others stay, in case another
// goroutine takes the loop over.
func (l *loop) dequeue() *epollDriver {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.queue[0]
	l.queue[0] = nil
	if l.queue = l.queue[1:]; len(l.queue) == 0 {
		l.queue = nil
	}
	return d
}

// close makes run return.
func (l *loop) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.wake()
}

// end closes all connections and the loop. Those that are detached are closed by the goroutines that serve them.
func (l *loop) end() {
	l.mu.Lock()
	all := slices.Collect(maps.Values(l.conns))
	l.mu.Unlock()
	for _, d := range all {
		d.conn.end()
	}
	l.release()
}
