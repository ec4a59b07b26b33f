//go:build linux

package server

import (
	"sync"
	"sync/atomic"
	"syscall"
)

// loop serves many connections from one goroutine by epoll. It asks without waiting; when nothing is ready the
// goroutine parks in Go's own poller, behind a gate, so that an idle loop costs neither CPU nor a thread.
//
// A connection whose command takes long (a long script, a lock that is held by one) must not hold up the others: the
// watchdog then hands the loop over to a new goroutine, and the old one is left with that connection until its command is
// done. See handOver.
type loop struct {
	server  *Server
	epfd    int
	gate    *gate
	bell    int // an eventfd that wakes the loop
	asleep  atomic.Bool
	serves  atomic.Pointer[epollDriver] // the connection being served; taken out by handOver
	rounds  atomic.Uint64               // connections served so far
	rests   atomic.Uint64               // how often there was nothing to do
	bequest atomic.Pointer[bequest]     // see share
	late    []*epollDriver              // see answer
	owed    int                         // how many commands those are
	events  [128]syscall.EpollEvent

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
	l := &loop{server: s, epfd: epfd, bell: -1, conns: make(map[int32]*epollDriver)}
	if err := l.open(); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

func (l *loop) open() (err error) {
	bell, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		return errno
	}
	l.bell = int(bell)
	if err := l.control(syscall.EPOLL_CTL_ADD, l.bell, syscall.EPOLLIN); err != nil {
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
	if l.bell >= 0 {
		_ = syscall.Close(l.bell)
	}
	_ = syscall.Close(l.epfd)
}

// run serves until the loop is closed.
func (l *loop) run() {
	l.server.watch()
	buffer := make([]byte, loopBufferSize) // lent to whichever connection is being read
	for l.answerLate(); l.serviceQueue(); l.answerLate() {
		if l.bequest.Load() != nil {
			l.share(l.bequest.Swap(nil))
		}
		for i := range l.wait() {
			if !l.dispatch(l.events[i], buffer) {
				return // another goroutine runs the loop now
			}
		}
	}
	l.end()
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

// dispatch serves what an event is about. It reports false if the loop was handed over meanwhile.
func (l *loop) dispatch(e syscall.EpollEvent, buffer []byte) bool {
	if int(e.Fd) == l.bell {
		hearBell(l.bell)
		return true
	}
	l.mu.Lock()
	d := l.conns[e.Fd]
	l.mu.Unlock()
	if d == nil || d.away.Load() {
		return true
	}
	l.serves.Store(d)
	l.rounds.Add(1)
	alive := d.ready(e.Events, buffer)
	if l.serves.CompareAndSwap(d, nil) {
		l.answer(d, alive)
		return true
	}
	d.comeBack(d.conn.flush() && alive)
	return false
}

// answer puts off the replies of a connection until those to a number of commands are there, or until the round ends, as Redis
// does. The first one that is written wakes the clients, and the others keep them from falling asleep again between two replies.
func (l *loop) answer(d *epollDriver, alive bool) {
	l.late = append(l.late, d)
	if l.owed += d.conn.batch; !alive || l.owed >= maxOwed {
		l.answerLate()
	}
	if !alive {
		d.close()
	}
}

// maxOwed is how many commands are served before their replies are written: enough for the clients to be woken rarely, and so few
// that they have something to do while the loop goes on.
const maxOwed = 128

// answerLate writes what answer has put off.
func (l *loop) answerLate() {
	for _, d := range l.late {
		if !d.conn.flush() {
			d.close()
		}
	}
	l.late, l.owed = l.late[:0], 0
}

// handOver starts a new goroutine for the loop if it still serves d. It is called by the watchdog.
func (l *loop) handOver(d *epollDriver) {
	d.mu.Lock() // comeBack waits for it
	defer d.mu.Unlock()
	if !l.serves.CompareAndSwap(d, nil) {
		return
	}
	d.away.Store(true)
	_ = l.control(syscall.EPOLL_CTL_MOD, d.fd, 0)
	l.server.work.Go(l.run)
}

func (l *loop) add(d *epollDriver) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	if l.control(syscall.EPOLL_CTL_ADD, d.fd, d.armed) != nil {
		return false
	}
	l.conns[int32(d.fd)] = d
	return true
}

func (l *loop) control(op, fd int, events uint32) error {
	return syscall.EpollCtl(l.epfd, op, fd, &syscall.EpollEvent{Events: events, Fd: int32(fd)})
}

// take takes a connection back that was away. It reports false if the loop has been closed meanwhile.
func (l *loop) take(d *epollDriver) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	d.away.Store(false)
	return l.control(syscall.EPOLL_CTL_MOD, d.fd, d.armed) == nil
}

func (l *loop) forget(fd int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, int32(fd))
}

// enqueue makes the loop call the driver's service.
func (l *loop) enqueue(d *epollDriver) {
	l.mu.Lock()
	l.queue = append(l.queue, d)
	l.mu.Unlock()
	l.ring()
}

func (l *loop) ring() {
	if l.asleep.Load() {
		ringBell(l.bell)
	}
}

// called reports whether somebody wants something of the loop that no socket tells it.
func (l *loop) called() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue) > 0 || l.closed || l.bequest.Load() != nil
}

// serviceQueue calls the drivers that were woken. It reports false once the loop is closed.
func (l *loop) serviceQueue() bool {
	l.mu.Lock()
	queue, closed := l.queue, l.closed
	l.queue = nil
	l.mu.Unlock()
	for _, d := range queue {
		d.service()
	}
	return !closed
}

// close makes run end.
func (l *loop) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.ring()
}

// end closes all connections and the loop.
func (l *loop) end() {
	l.mu.Lock()
	all := make([]*epollDriver, 0, len(l.conns))
	for _, d := range l.conns {
		all = append(all, d)
	}
	l.mu.Unlock()
	for _, d := range all {
		if !d.away.Load() { // else the goroutine that serves it closes it
			d.close()
		}
	}
	l.release()
}
