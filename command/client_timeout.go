package command

import (
	"time"

	"github.com/minilockd/minilockd/internal/config"
)

// Touch notes that the client has done something just now.
func (s *Session) Touch() { update(&s.info.active, s.env.Clock.Now().Unix()) }

// OutputLimit is that of the session's class at present. It may be called from any goroutine.
func (s *Session) OutputLimit() config.OutputLimit {
	class := config.Normal
	if s.info.subscribed() {
		class = config.PubSub
	}
	return s.env.Config.OutputLimit(class)
}

// IdleUntil is when the session, unless its client does something until then, has been idle for too long (timeout in
// redis.conf). None is for as long as it subscribes, monitors or waits, and where no timeout is set. It may be called
// from any goroutine, but what it tells of a session that is being served just now is out of date.
func (s *Session) IdleUntil() (until time.Time, ok bool) {
	timeout := s.env.Config.Timeout()
	if timeout == 0 || s.Blocked() || s.info.subscribed() || s.info.monitors.Load() {
		return time.Time{}, false
	}
	active := max(s.info.active.Load(), s.Created.Unix())
	return time.Unix(active+timeout+1, 0), true // longer than the timeout, in whole seconds
}
