package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

var monitorCommands = []Command{
	{Name: "monitor", Arity: 1, Flags: operating, Since: "1.0.0",
		Summary: "Shows every command that the server runs, as it runs.", Run: monitor},
}

var errMonitorNested = errors.New("ERR MONITOR isn't allowed for DENY BLOCKING client")

// monitors are the sessions that have called MONITOR. The zero value is ready; it is safe for concurrent use.
type monitors struct {
	count atomic.Int32 // all that a command costs where nobody looks

	mu       sync.Mutex // guards sessions
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

func (m *monitors) push(line string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	message := pubsub.NewMessage(resp.Status(line))
	for _, s := range m.sessions {
		s.peer.Push(message)
	}
}

// monitored is the line of a call, which is shown when its transaction commits.
type monitored struct {
	to   *monitors
	line string
}

// Commit implements store.Effect.
func (m *monitored) Commit() { m.to.push(m.line) }

var _ store.Effect = (*monitored)(nil)

// observe shows the call to those who monitor. Commands of administration are not shown, as in Redis.
func (c *Call) observe() {
	if !c.Cmd.Flags.has(Admin) {
		c.Tx.Defer(&monitored{&c.Env().monitors, c.monitorLine()})
	}
}

// monitorLine is the time in seconds with microseconds, the database, where the call comes from, and its words.
func (c *Call) monitorLine() string {
	now, from := c.Tx.Time(), c.Session.Addr
	if c.scripted {
		from = "lua"
	}
	var line strings.Builder
	fmt.Fprintf(&line, "%d.%06d [%d %s]", now.Unix(), now.Nanosecond()/1000, c.Tx.DB(), from)
	for _, word := range c.redacted() {
		line.WriteByte(' ')
		line.WriteString(words.Quote(word))
	}
	return line.String()
}

// monitor makes the session one of those who are shown all commands, from the next on.
func monitor(c *Call) resp.Value {
	if c.nested {
		return c.Fail(errMonitorNested)
	}
	s := c.Session
	s.share()
	s.info.monitors.Store(true)
	c.Env().monitors.add(s)
	return resp.OK
}

// unmonitor ends MONITOR.
func (s *Session) unmonitor() {
	if s.info.monitors.Load() {
		s.info.monitors.Store(false)
		s.env.monitors.remove(s)
	}
}
