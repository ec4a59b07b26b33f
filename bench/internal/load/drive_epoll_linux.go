package load

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// toEpoll makes one loop serve the connections.
func (c *cycles) toEpoll() error {
	for _, one := range c.conns {
		s, err := rawSocket(one.transport)
		if err != nil {
			return err
		}
		one.transport = s
	}
	c.drive = byEpoll
	return nil
}

// rawSocket closes a connection of the net package and keeps a duplicate of its descriptor: the flags set there (no
// delay, non-blocking) belong to the connection and stay.
func rawSocket(t transport) (socket, error) {
	defer t.Close()
	raw, err := t.(syscall.Conn).SyscallConn()
	if err != nil {
		return -1, err
	}
	fd, dupErr := -1, error(nil)
	if err := raw.Control(func(original uintptr) { fd, dupErr = unix.Dup(int(original)) }); err != nil {
		return -1, err
	}
	return socket(fd), dupErr
}

// byEpoll keeps every connection busy for the window, then completes the current batches.
func byEpoll(conns []*conn, window time.Duration) error {
	p, err := newPoll()
	if err != nil {
		return err
	}
	defer p.close()
	l := &loop{poll: p, conns: conns, deadline: time.Now().Add(window)}
	for i, c := range conns {
		err := errors.Join(p.watch(unix.EPOLL_CTL_ADD, c.transport.(socket), i, false), c.send(), l.wantWrite(i))
		if err != nil {
			return err
		}
	}
	return l.run()
}

// loop serves all connections from one thread. A connection that has its last replies after the deadline gets no
// further batch, so that the run ends with complete operations; Elapsed counts until then.
type loop struct {
	poll     poll
	conns    []*conn
	deadline time.Time
}

// run serves events until the deadline has passed and every connection has its replies.
func (l *loop) run() error {
	events := make([]unix.EpollEvent, len(l.conns))
	for busy := len(l.conns); busy > 0; {
		ready, err := l.poll.wait(events)
		if err != nil {
			return err
		}
		ended, err := l.serve(ready, time.Now().After(l.deadline))
		if err != nil {
			return err
		}
		busy -= ended
	}
	return nil
}

// serve continues each ready connection and returns the number of those that have ended.
func (l *loop) serve(ready []unix.EpollEvent, last bool) (ended int, err error) {
	for _, event := range ready {
		done, err := l.step(int(event.Fd), event.Events, last)
		if err != nil {
			return ended, err
		}
		if done {
			ended++
		}
	}
	return ended, nil
}

// step writes the rest of a batch, reads, and sends the next batch when this one is complete, unless it is the last.
func (l *loop) step(i int, events uint32, last bool) (ended bool, err error) {
	c := l.conns[i]
	if events&unix.EPOLLOUT != 0 {
		if err := errors.Join(c.flush(), l.dropWrite(i)); err != nil {
			return false, err
		}
	}
	if events&^unix.EPOLLOUT == 0 {
		return false, nil
	}
	done, err := c.receive()
	switch {
	case err != nil:
		return false, err
	case done && last:
		return true, nil
	case done:
		err = errors.Join(c.send(), l.wantWrite(i))
	}
	return false, err
}

// wantWrite registers for writability if the batch is not completely sent.
func (l *loop) wantWrite(i int) error {
	if !l.conns[i].writing() {
		return nil
	}
	return l.poll.watch(unix.EPOLL_CTL_MOD, l.conns[i].transport.(socket), i, true)
}

// dropWrite is the reverse of wantWrite, once the batch is sent.
func (l *loop) dropWrite(i int) error {
	if l.conns[i].writing() {
		return nil
	}
	return l.poll.watch(unix.EPOLL_CTL_MOD, l.conns[i].transport.(socket), i, false)
}

// poll is an epoll descriptor whose events have numbers that the caller chooses, here indexes of connections: no map
// from descriptors is needed.
type poll int

func newPoll() (poll, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("epoll_create1: %w", err)
	}
	return poll(fd), nil
}

func (p poll) close() { _ = unix.Close(int(p)) }

// watch registers a socket for input, and for space to write if writing is set. Events are level-triggered, so a loop
// that reads only a part of the input gets the event again.
func (p poll) watch(op int, s socket, number int, writing bool) error {
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(number)}
	if writing {
		event.Events |= unix.EPOLLOUT
	}
	if err := unix.EpollCtl(int(p), op, int(s), &event); err != nil {
		return fmt.Errorf("epoll_ctl: %w", err)
	}
	return nil
}

// wait waits for at least one event. No event within replyTimeout is an error: some reply is always outstanding.
func (p poll) wait(events []unix.EpollEvent) ([]unix.EpollEvent, error) {
	for {
		n, err := wait(int(p), events, replyTimeout)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, fmt.Errorf("epoll_wait: %w", err)
		case n == 0:
			return nil, fmt.Errorf("no reply within %v", replyTimeout)
		}
		return events[:n], nil
	}
}
