package command

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

var (
	errMonitorNested = errors.New("ERR MONITOR isn't allowed for DENY BLOCKING client")
	errMonitorKeys   = errors.New("ERR Replica can't interact with the keyspace")
)

// monitors is the set of sessions in MONITOR mode. The zero value is empty; it is safe for concurrent use.
type monitors struct {
	count atomic.Int32 // len(sessions). Without a monitor, loading it is all that a command costs.

	mu       lockrank.Mutex[lockrank.Monitors] // guards sessions
	sessions []*Session
}

func (m *monitors) add(s *Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.sessions, s) {
		m.sessions = append(m.sessions, s)
		m.count.Add(1)
	}
}

func (m *monitors) remove(s *Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(m.sessions, s); i >= 0 {
		m.sessions = slices.Delete(m.sessions, i, i+1)
		m.count.Add(-1)
	}
}

// push sends a line to all monitors. The session that made the call gets it after its reply.
func (m *monitors) push(line string, by *Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	message := pubsub.NewMessage(resp.Status(line))
	for _, s := range m.sessions {
		switch {
		case s == by:
			s.monitorLines = append(s.monitorLines, message)
		case !s.info.muted.Load():
			s.peer.Push(message)
		}
	}
}

// pushMonitorLines sends a session in MONITOR mode the lines of its own calls, unless CLIENT REPLY suppresses them or
// the connection closes.
func (s *Session) pushMonitorLines() {
	if s.replyMode <= ReplySkipNext && !s.Closing {
		for _, message := range s.monitorLines {
			s.peer.Push(message)
		}
	}
	s.monitorLines = nil
}

// monitorEffect sends the line of a call when its transaction commits.
type monitorEffect struct {
	by   *Session
	line string
}

// Commit implements store.Effect.
func (m *monitorEffect) Commit() { m.by.env.monitors.push(m.line, m.by) }

var _ store.Effect = (*monitorEffect)(nil)

// feedMonitors sends the call to the sessions in MONITOR mode. As in Redis, those of flag admin are left out.
func (c *Call) feedMonitors() {
	if !c.Cmd.Flags.Has(Admin) {
		c.Tx.Defer(&monitorEffect{c.Session, c.monitorLine(c.Tx.Time())})
	}
}

// feedMonitorsNow is feedMonitors for a call that fails before its transaction starts.
func (c *Call) feedMonitorsNow() {
	switch {
	case c.nested:
		c.feedMonitors()
	case !c.Cmd.Flags.Has(Admin):
		c.Env().monitors.push(c.monitorLine(c.Env().Clock.Now()), c.Session)
	}
}

// monitorLine returns the line of a call: time with microseconds, database, client address or "lua", and arguments.
func (c *Call) monitorLine(now time.Time) string {
	from := c.Session.Addr
	if c.fromScript {
		from = "lua"
	}
	escapes := !c.Does(emulate.QuotesUnescaped)
	line := fmt.Appendf(nil, "%d.%06d [%d %s]", now.Unix(), now.Nanosecond()/1000, c.Tx.DB(), from)
	for _, arg := range c.redacted() {
		line = words.AppendQuoted(append(line, ' '), arg, escapes)
	}
	return string(line)
}

// Monitor implements MONITOR.
func (c *Call) Monitor() (resp.Value, error) {
	if c.nested {
		return resp.None, errMonitorNested
	}
	s := c.Session
	if s.info.monitors.Load() {
		return resp.None, nil // no reply, as in Redis
	}
	s.enablePushes()
	s.info.monitors.Store(true)
	c.Env().monitors.add(s)
	return resp.OK, nil
}

// unmonitor ends MONITOR mode: RESET, or the end of the connection.
func (s *Session) unmonitor() {
	if s.info.monitors.Load() {
		s.info.monitors.Store(false)
		s.env.monitors.remove(s)
	}
}
