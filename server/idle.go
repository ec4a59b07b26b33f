package server

import (
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// idleCheck closes clients that have been idle for too long (timeout in redis.conf), by the server's clock. Its timer
// is set for the first client that may be due, and not at all while no timeout is set or no client is connected. It
// only marks and wakes the clients: the goroutine that serves a client decides, since only it knows whether a command
// runs.
type idleCheck struct {
	mu        lockrank.Mutex[lockrank.IdleClients] // guards what follows; taken before that of the server
	timer     clock.Timer                          // nil until it is first used
	scheduled bool
	closed    bool
}

// idlePause is the least time between two checks: the timeout is in seconds.
const idlePause = time.Second

// scheduleIdleCheck sets the timer for a check in at most after; 0 is at once.
func (s *Server) scheduleIdleCheck(after time.Duration) {
	if s.env.Config.Timeout() == 0 {
		return
	}
	w := &s.idle
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.scheduled || after == 0 {
		s.scheduleIdleLocked(s.clock.Now().Add(after))
	}
}

// scheduleIdleLocked sets the timer for a time, even if Advance moves the clock at the same time.
func (s *Server) scheduleIdleLocked(at time.Time) {
	w := &s.idle
	if w.closed {
		return
	}
	w.scheduled = true
	for now, stable := s.clock.Now(), false; !stable; {
		w.setTimer(s.env.Clock, at.Sub(now), s.checkIdle)
		was := now
		now = s.clock.Now()
		stable = now.Sub(was) < idlePause
	}
}

func (w *idleCheck) setTimer(c clock.Clock, after time.Duration, check func()) {
	if w.timer == nil {
		w.timer = c.AfterFunc(after, check)
		return
	}
	w.timer.Reset(after)
}

// checkIdle wakes the clients that are due. Only the goroutine that serves a client knows whether a command runs.
func (s *Server) checkIdle() {
	w := &s.idle
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scheduled = false
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
		s.scheduleIdleLocked(next)
	}
}

func (w *idleCheck) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
}

// idleTooLong reports whether the client, for which no command runs, has been idle for too long.
func (c *conn) idleTooLong() bool {
	if !c.maybeIdle.Load() {
		return false
	}
	c.maybeIdle.Store(false)
	until, ok := c.session.IdleUntil()
	return ok && !c.server.clock.Now().Before(until)
}

// markActive records that the client is not idle where the session does not: its command ran long, or was received in
// part.
func (c *conn) markActive() {
	if idle := c.maybeIdle.Load(); idle || c.in.partial() && c.server.env.Config.Timeout() > 0 {
		c.maybeIdle.Store(false)
		c.session.Touch()
	}
}
