package load

import (
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// silence is how long no server may answer at all before the run is given up.
const silence = 10 * time.Second

// dial connects by the net package and keeps a duplicate of its descriptor: the flags set there (no delay, non-blocking)
// belong to the connection and stay.
func dial(addr string) (transport, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		return nil, err
	}
	fd, dupErr := -1, error(nil)
	if err := raw.Control(func(original uintptr) { fd, dupErr = unix.Dup(int(original)) }); err != nil {
		return nil, err
	}
	return socket(fd), dupErr
}

// drive keeps every connection busy for the window, then lets the batches under way end.
func drive(conns []*conn, window time.Duration) error {
	poll, err := watch(conns)
	if err != nil {
		return err
	}
	defer unix.Close(poll)
	for _, c := range conns {
		if err := c.send(); err != nil {
			return err
		}
	}
	return loop(poll, conns, time.Now().Add(window))
}

// watch makes an epoll descriptor whose events carry indexes into conns.
func watch(conns []*conn) (int, error) {
	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("epoll_create1: %w", err)
	}
	for i, c := range conns {
		event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(i)}
		if err := unix.EpollCtl(poll, unix.EPOLL_CTL_ADD, int(c.transport.(socket)), &event); err != nil {
			return -1, errors.Join(fmt.Errorf("epoll_ctl: %w", err), unix.Close(poll))
		}
	}
	return poll, nil
}

// loop serves events until the deadline is over and every connection has its replies.
func loop(poll int, conns []*conn, deadline time.Time) error {
	events := make([]unix.EpollEvent, len(conns))
	for busy := len(conns); busy > 0; {
		n, err := wait(poll, events, silence)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("epoll_wait: %w", err)
		}
		if n == 0 {
			return fmt.Errorf("no reply within %v", silence)
		}
		ended, err := serve(conns, events[:n], time.Now().After(deadline))
		if err != nil {
			return err
		}
		busy -= ended
	}
	return nil
}

// serve reads from each ready connection and sends the next batch where the last is answered, unless it is the last.
func serve(conns []*conn, events []unix.EpollEvent, last bool) (ended int, err error) {
	for i := range events {
		c := conns[events[i].Fd]
		done, err := c.receive()
		switch {
		case err != nil:
			return ended, err
		case done && last:
			ended++
		case done:
			err = c.send()
		}
		if err != nil {
			return ended, err
		}
	}
	return ended, nil
}
