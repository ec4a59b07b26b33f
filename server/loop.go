//go:build linux

package server

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// loop serves many connections from one goroutine by epoll. It asks without waiting; when nothing is ready the
// goroutine parks in Go's own poller, which watches the epoll descriptor, so that an idle loop costs neither CPU nor a thread.
//
// A connection whose command takes long (a long script, a lock that is held by one) must not hold up the others: the
// watchdog then hands the loop over to a new goroutine, and the old one is left with that connection until its command is
// done. See handOver.
type loop struct {
	server  *Server
	file    *os.File // the epoll descriptor
	raw     syscall.RawConn
	epfd    int
	bell    int // an eventfd that wakes the loop
	asleep  atomic.Bool
	serves  atomic.Pointer[epollDriver] // the connection being served; taken out by handOver
	rounds  atomic.Uint64               // connections served so far
	rests   atomic.Uint64               // how often there was nothing to do
	bequest atomic.Pointer[bequest]     // see share
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
	_ = syscall.SetNonblock(epfd, true) // makes os.File hand it to Go's poller
	l := &loop{server: s, epfd: epfd, file: os.NewFile(uintptr(epfd), "epoll"), conns: make(map[int32]*epollDriver)}
	if l.raw, err = l.file.SyscallConn(); err != nil {
		_ = l.file.Close()
		return nil, err
	}
	bell, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		_ = l.file.Close()
		return nil, errno
	}
	l.bell = int(bell)
	if err := l.control(syscall.EPOLL_CTL_ADD, l.bell, syscall.EPOLLIN); err != nil {
		_ = syscall.Close(l.bell)
		_ = l.file.Close()
		return nil, err
	}
	return l, nil
}

// run serves until the loop is closed.
func (l *loop) run() {
	l.server.watch()
	buffer := make([]byte, loopBufferSize) // lent to whichever connection is being read
	for l.serviceQueue() {
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

// poll asks which sockets are ready, without waiting.
func (l *loop) poll() int {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(l.epfd), uintptr(unsafe.Pointer(&l.events[0])),
		uintptr(len(l.events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// wait returns how many events there are, once there are some; none when the queue is to be looked at. Go's poller hears of new
// events only, so it must be made ready before the loop asks: events that were there before would be missed.
func (l *loop) wait() (n int) {
	slept := false
	_ = l.raw.Read(func(uintptr) bool {
		if n = l.poll(); n > 0 || slept {
			return n > 0
		}
		slept = true
		l.rests.Add(1)
		l.asleep.Store(true)
		return l.hasQueue() // enqueued before it could see that the loop sleeps
	})
	if slept {
		l.asleep.Store(false)
		l.server.watch()
	}
	return n
}

// dispatch serves what an event is about. It reports false if the loop was handed over meanwhile.
func (l *loop) dispatch(e syscall.EpollEvent, buffer []byte) bool {
	if int(e.Fd) == l.bell {
		var count [8]byte
		_, _ = rawRead(l.bell, count[:])
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
		if !alive {
			d.close()
		}
		return true
	}
	d.comeBack(alive)
	return false
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
		one := [8]byte{1}
		if isBigEndian {
			one = [8]byte{7: 1}
		}
		_, _ = rawWrite(l.bell, one[:])
	}
}

var isBigEndian = func() bool { one := uint16(1); return *(*byte)(unsafe.Pointer(&one)) == 0 }()

func (l *loop) hasQueue() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue) > 0 || l.closed
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

// end closes all connections and the loop's descriptors.
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
	_ = syscall.Close(l.bell)
	_ = l.file.Close()
}

// rawRead and rawWrite are for descriptors that do not block.
func rawRead(fd int, b []byte) (int, error)  { return rawIO(syscall.SYS_READ, fd, b) }
func rawWrite(fd int, b []byte) (int, error) { return rawIO(syscall.SYS_WRITE, fd, b) }

func rawIO(call uintptr, fd int, b []byte) (int, error) {
	n, _, errno := syscall.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}
