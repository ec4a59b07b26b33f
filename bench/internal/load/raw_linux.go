package load

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls here are ones that the Go scheduler isn't told of. Told, it takes the processor away from a thread
// that waits for 20 µs, by a second thread that is woken all the time to look: a quarter of the generator's CPU time,
// and a pause before the next batch. Nothing else need run in the generator's process. Where something does, as in
// tests, a wait delays it by no more than 10 ms: the signal by which the scheduler preempts interrupts epoll_wait.

// socket is a file descriptor which Go's own poller doesn't know, in non-blocking mode.
type socket int

func (s socket) Read(p []byte) (int, error) { return s.transfer(unix.SYS_RECVFROM, p) }

func (s socket) Write(p []byte) (int, error) {
	n, err := s.transfer(unix.SYS_SENDTO, p)
	if err == unix.EAGAIN {
		return 0, nil // no room: see conn.writing
	}
	return n, err
}

func (s socket) Close() error { return unix.Close(int(s)) }

// transfer makes a call that is for sockets only: 4 % less to do than for read or write.
func (s socket) transfer(call uintptr, p []byte) (int, error) {
	n, _, errno := unix.RawSyscall6(call, uintptr(s), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
		unix.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// wait fills events with those that are ready and returns their number, 0 after the timeout.
func wait(poll int, events []unix.EpollEvent, timeout time.Duration) (int, error) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(poll), uintptr(unsafe.Pointer(unsafe.SliceData(events))),
		uintptr(len(events)), uintptr(timeout.Milliseconds()), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
