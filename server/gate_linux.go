package server

import (
	"os"
	"syscall"
)

// gate lets a loop sleep in Go's poller until its epoll descriptor has events. It is an epoll descriptor itself, between the two:
// while the loop is awake it is shut, so that events wake nobody. Were the poller to watch the loop's descriptor, each event would
// wake the thread that waits in the poller, beside the one that is about to serve it.
type gate struct {
	fd, inner int
	file      *os.File // the gate's descriptor; its being non-blocking hands it to Go's poller
	raw       syscall.RawConn
}

func newGate(inner int) (*gate, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	_ = syscall.SetNonblock(fd, true)
	g := &gate{fd: fd, inner: inner, file: os.NewFile(uintptr(fd), "epoll")}
	if g.raw, err = g.file.SyscallConn(); err == nil {
		err = g.set(syscall.EPOLL_CTL_ADD, 0)
	}
	if err != nil {
		_ = g.file.Close()
		return nil, err
	}
	return g, nil
}

// sleep returns once there are events, or at once if awake says so when the gate is open.
func (g *gate) sleep(awake func() bool) {
	open := false
	_ = g.raw.Read(func(uintptr) bool {
		if open {
			return true
		}
		open = true
		return g.set(syscall.EPOLL_CTL_MOD, syscall.EPOLLIN|syscall.EPOLLONESHOT) != nil || awake()
	})
	g.shut()
}

// shut takes the event that has passed, which is the last because it is asked for once, or no longer asks for one.
func (g *gate) shut() {
	var passed [1]syscall.EpollEvent
	if epollNow(g.fd, passed[:]) == 0 {
		_ = g.set(syscall.EPOLL_CTL_MOD, 0)
		epollNow(g.fd, passed[:]) // it may have passed before
	}
}

func (g *gate) set(op int, events uint32) error {
	return syscall.EpollCtl(g.fd, op, g.inner, &syscall.EpollEvent{Events: events, Fd: int32(g.inner)})
}

func (g *gate) close() { _ = g.file.Close() }
