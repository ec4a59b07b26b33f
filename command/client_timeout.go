package command

import (
	"time"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
)

// Touch makes now the time of the client's last activity.
func (s *Session) Touch() { update(&s.info.active, s.env.Clock.Now().Unix()) }

// outputBeforeLogin is how many bytes a client that has never authenticated may leave unread.
const outputBeforeLogin = 1024

// OutputLimit returns client-output-buffer-limit for the class of the session. It is safe for concurrent use.
func (s *Session) OutputLimit() config.OutputLimit {
	if s.env.Table.Server.Does(emulate.LimitsUnauthenticated) && !s.info.known.Load() && !s.env.ACL.Open() {
		return config.OutputLimit{Hard: outputBeforeLogin}
	}
	class := config.Normal
	switch {
	case s.IsReplica():
		class = config.Replica
	case s.info.subscribed():
		class = config.PubSub
	}
	return s.env.Config.OutputLimit(class)
}

// IdleUntil returns when the client will have been idle for longer than timeout (redis.conf) if it sends no command. ok
// is false without a timeout, and for a client that is blocked, in MONITOR mode, a replica or has subscriptions. It is
// safe for concurrent use; while a command runs the result may be too early.
func (s *Session) IdleUntil() (until time.Time, ok bool) {
	timeout := s.env.Config.Timeout()
	if timeout == 0 || s.Blocked() || s.info.subscribed() || s.info.monitors.Load() || s.IsReplica() {
		return time.Time{}, false
	}
	active := max(s.info.active.Load(), s.Created.Unix())
	return time.Unix(active+timeout+1, 0), true // longer than the timeout, in whole seconds
}
