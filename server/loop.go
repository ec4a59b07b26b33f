//go:build linux

package server

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

// loop serves many connections from one goroutine by epoll. It asks without waiting; when nothing is ready the
// goroutine parks in Go's own poller, behind a gate, so that an idle loop costs neither CPU nor a thread.
//
// A connection whose command takes long (a long script, a shard that is held by one) must not hold up the others: the
// watchdog then hands the loop over to a new goroutine, and the old one is left with that connection until its command is
// done. All work for clients is done in serve, so that this holds for whatever has caused it.
type loop struct {
	server    *Server
	epfd      int
	gate      *gate
	wakeFD    int // an eventfd that wakes the loop
	asleep    atomic.Bool
	current   atomic.Pointer[epollDriver] // the connection being served; taken out by handOver
	served    atomic.Uint64               // how often it has served a connection
	rests     atomic.Uint64               // how often there was nothing to do
	handoff   atomic.Pointer[loop]        // the loop to give half of the connections to, nil most of the time
	unflushed []*epollDriver              // see queueFlush
	inFlight  int                         // how many commands' replies those have
	events    [128]syscall.EpollEvent

	mu     sync.Mutex // guards what follows
	queue  []*epollDriver
	conns  map[int32]*epollDriver
	closed bool
}

// loopBufferSize is how much a loop reads at once.
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
	l.gate, err = newGate(l.epfd)
	return err
}

// release closes the loop's descriptors.
func (l *loop) release() {
	if l.gate != nil {
		l.gate.close()
	}
	if l.wakeFD >= 0 {
		_ = syscall.Close(l.wakeFD)
	}
	_ = syscall.Close(l.epfd)
}

// run serves until the loop is closed or handed over.
func (l *loop) run() {
	defer l.rescue()
	l.server.watch()
	buffer := make([]byte, loopBufferSize) // lent to whichever connection is being read
	for {
		l.flushAll()
		if l.handoff.Load() != nil {
			l.giveConns(l.handoff.Swap(nil))
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

// serveQueue serves the first connections that have signals. It reports false if the loop was handed over meanwhile.
func (l *loop) serveQueue(queued int, buffer []byte) bool {
	for range queued {
		if d := l.dequeue(); !l.serve(d, 0, d.socket.takeSignals(), buffer) {
			return false
		}
	}
	l.flushAll() // so that no connection is put off twice
	return true
}

// serveEvents serves the connections whose sockets are ready. It reports false if the loop was handed over meanwhile.
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

// wait returns how many events there are. When there are none it sleeps first, until there are or it is called.
func (l *loop) wait() int {
	if n := epollNow(l.epfd, l.events[:]); n > 0 {
		return n
	}
	l.rests.Add(1)
	l.asleep.Store(true)
	l.gate.sleep(l.called) // who called before could not see that the loop sleeps
	l.asleep.Store(false)
	l.server.watch()
	return epollNow(l.epfd, l.events[:])
}

// serve does what there is to do for a connection. It is the only place where a loop works for a client, so the
// watchdog can see by current and served that it is held up. It reports false if the loop was handed over meanwhile:
// then the caller must let go of it.
func (l *loop) serve(d *epollDriver, events uint32, asked signal, buffer []byte) bool {
	if events == 0 && asked == 0 {
		return true // the signals are left to the goroutine that serves it
	}
	l.current.Store(d)
	l.served.Add(1)
	d.work(events, asked, buffer)
	if l.current.CompareAndSwap(d, nil) {
		l.queueFlush(d)
		return true
	}
	d.comeBack()
	return false
}

// comeBack gives a detached connection back to its loop, or ends it with that.
func (d *epollDriver) comeBack() {
	defer d.conn.rescue()
	switch {
	case d.conn.ended:
	case !d.conn.flush() || !d.socket.attach():
		d.conn.end()
	}
}

// queueFlush puts off the replies of a connection until those to a number of commands are there, or until the round ends, as Redis
// does. The first one that is written wakes the clients, and the others keep them from falling asleep again between two replies.
func (l *loop) queueFlush(d *epollDriver) {
	if d.conn.ended {
		return
	}
	l.unflushed = append(l.unflushed, d)
	if l.inFlight += d.conn.batch; l.inFlight >= maxInFlight {
		l.flushAll()
	}
}

// maxInFlight is how many commands are served before their replies are written: enough for the clients to be woken rarely, and so few
// that they have something to do while the loop goes on.
const maxInFlight = 128

// flushAll writes what queueFlush has put off.
func (l *loop) flushAll() {
	for _, d := range l.unflushed {
		d.flushOrKill()
	}
	l.unflushed, l.inFlight = l.unflushed[:0], 0
}

// flushOrKill writes replies after the connection was served.
func (d *epollDriver) flushOrKill() {
	defer d.conn.rescueForeign()
	if !d.conn.flush() {
		d.kill()
	}
}

// rescue is deferred by run. A panic outside of any connection's service leaves nothing to go on with: the loop ends with its connections.
func (l *loop) rescue() {
	if r := recover(); r != nil {
		l.server.logPanic(r)
		l.server.dropLoop(l)
		l.close()
		l.end()
	}
}

// handOver starts a new goroutine for the loop if it still serves d. It is called by the watchdog.
func (l *loop) handOver(d *epollDriver) {
	if d.socket.detach() {
		l.server.spawn(l.run)
	}
}

// add makes the loop watch a connection's socket.
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
	if l.asleep.Load() {
		signalWakeFD(l.wakeFD)
	}
}

// called reports whether there is something to do that no socket tells the loop.
func (l *loop) called() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue) > 0 || l.closed || l.handoff.Load() != nil
}

// queued is how many connections have signals.
func (l *loop) queued() (n int, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue), l.closed
}

// dequeue takes the first one out of the queue: there must be one. The others stay, should the loop be handed over.
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

// close makes run end.
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
