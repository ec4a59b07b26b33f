package server

import (
	"os"
	"syscall"
)

// nestedEpoll lets a loop sleep in Go's poller until the loop's epoll descriptor has events. It is a second epoll
// descriptor between the two, which reports events only while the loop sleeps. If the poller watched the loop's
// descriptor itself, each event would wake the thread that waits in the poller, in addition to the one that is about to
// serve it.
type nestedEpoll struct {
	fd, inner int
	file      *os.File // of fd, which is non-blocking, so that Go's poller takes it
	raw       syscall.RawConn
}

func newNestedEpoll(inner int) (*nestedEpoll, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	_ = syscall.SetNonblock(fd, true)
	g := &nestedEpoll{fd: fd, inner: inner, file: os.NewFile(uintptr(fd), "epoll")}
	if g.raw, err = g.file.SyscallConn(); err == nil {
		err = g.set(syscall.EPOLL_CTL_ADD, 0)
	}
	if err != nil {
		_ = g.file.Close()
		return nil, err
	}
	return g, nil
}

// sleep returns once there are events, or at once if hasWork reports true after events are enabled.
func (g *nestedEpoll) sleep(hasWork func() bool) {
	open := false
	_ = g.raw.Read(func(uintptr) bool {
		if open {
			return true
		}
		open = true
		return g.set(syscall.EPOLL_CTL_MOD, syscall.EPOLLIN|syscall.EPOLLONESHOT) != nil || hasWork()
	})
	g.disable()
}

// disable removes the event that has woken the loop, which is the only one (EPOLLONESHOT), or disables events.
func (g *nestedEpoll) disable() {
	var passed [1]syscall.EpollEvent
	if epollNow(g.fd, passed[:]) == 0 {
		_ = g.set(syscall.EPOLL_CTL_MOD, 0)
		epollNow(g.fd, passed[:]) // it may have come before
	}
}

func (g *nestedEpoll) set(op int, events uint32) error {
	return syscall.EpollCtl(g.fd, op, g.inner, &syscall.EpollEvent{Events: events, Fd: int32(g.inner)})
}

func (g *nestedEpoll) close() { _ = g.file.Close() }
