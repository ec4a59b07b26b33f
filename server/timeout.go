package server

import (
	"sync"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// idleWatch closes clients that have been idle for too long (timeout in redis.conf), by the server's clock. It sleeps until the first of
// them may be due, and is not there at all where no timeout is set or nobody is connected.
type idleWatch struct {
	mu     sync.Mutex  // guards what follows; taken before that of the server
	timer  clock.Timer // nil until it is first needed
	armed  bool
	closed bool
}

// idlePause is the least time between two looks: idleness is counted in seconds.
const idlePause = time.Second

// watchIdle sees to it that clients are looked at in after, or sooner; at once if that is 0.
func (s *Server) watchIdle(after time.Duration) {
	if s.env.Config.Timeout() == 0 {
		return
	}
	w := &s.idle
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.armed || after == 0 {
		s.armIdleLocked(s.clock.Now().Add(after))
	}
}

// armIdleLocked has clients looked at when the clock is there, also if it is moved just now.
func (s *Server) armIdleLocked(at time.Time) {
	w := &s.idle
	if w.closed {
		return
	}
	w.armed = true
	for now, settled := s.clock.Now(), false; !settled; {
		w.arm(s.env.Clock, at.Sub(now), s.lookForIdle)
		was := now
		now = s.clock.Now()
		settled = now.Sub(was) < idlePause
	}
}

func (w *idleWatch) arm(c clock.Clock, after time.Duration, look func()) {
	if w.timer == nil {
		w.timer = c.AfterFunc(after, look)
		return
	}
	w.timer.Reset(after)
}

// lookForIdle has clients that are due look at themselves: only the goroutine that serves one knows that it is not at work for it.
func (s *Server) lookForIdle() {
	w := &s.idle
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	timeout := s.env.Config.Timeout()
	if w.closed || timeout == 0 {
		return
	}
	now := s.clock.Now()
	soon, next, some := now.Add(idlePause), now.Add(time.Duration(timeout)*time.Second), false
	s.eachConn(func(c *conn) {
		some = true
		until, ok := c.session.IdleUntil()
		switch {
		case ok && !now.Before(until):
			c.maybeIdle.Store(true)
			c.driver.wake()
		case ok && until.Before(next):
			next = until
		}
	})
	if some {
		if next.Before(soon) {
			next = soon
		}
		s.armIdleLocked(next)
	}
}

func (w *idleWatch) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
}

// overdue reports whether the client, which is not being served, has been idle for too long.
func (c *conn) overdue() bool {
	if !c.maybeIdle.Load() {
		return false
	}
	c.maybeIdle.Store(false)
	until, ok := c.session.IdleUntil()
	return ok && !c.server.clock.Now().Before(until)
}

// alive notes that the client is not idle where that would else not be seen: its command took long, or has come in part.
func (c *conn) alive() {
	if idle := c.maybeIdle.Load(); idle || c.in.partial() && c.server.env.Config.Timeout() > 0 {
		c.maybeIdle.Store(false)
		c.session.Touch()
	}
}
