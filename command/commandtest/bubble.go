package commandtest

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// BubbleClient is a client of a server in a synctest bubble: time stands still until the test advances it.
type BubbleClient struct {
	*Client
	Env   *command.Env
	Clock *clock.Offset

	eventsMu sync.Mutex // guards events, which timers add to
	events   []string
}

// InBubble runs a test in a synctest bubble.
func InBubble(t *testing.T, test func(*BubbleClient)) {
	t.Helper()
	InBubbleOf(t, "", test)
}

// InBubbleOf is InBubble with a server that stands for another one than the default (server.Options.Emulate).
func InBubbleOf(t *testing.T, server string, test func(*BubbleClient)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		env, clk := newEnv(t, server, clock.Real{})
		c := &BubbleClient{Client: NewClient(t, env), Env: env, Clock: clk}
		env.Store.SetEventSink(func(_ *store.Tx, class store.EventClass, event string, db int, key []byte) {
			const notInA = store.EventNew | store.EventMiss | store.EventOverwritten | store.EventTypeChanged
			if class&notInA != 0 {
				return
			}
			prefix := ""
			if db != 0 {
				prefix = fmt.Sprintf("%d: ", db)
			}
			c.eventsMu.Lock()
			defer c.eventsMu.Unlock()
			c.events = append(c.events, fmt.Sprintf("%s%s %s", prefix, event, key))
		})
		test(c)
	})
}

// TakeEvents returns the keyspace events since the last call of it, each as "event key", with the number of the
// database before it unless it is 0.
func (c *BubbleClient) TakeEvents() []string {
	c.eventsMu.Lock()
	defer c.eventsMu.Unlock()
	events := c.events
	c.events = nil
	return events
}

// WantEvents asserts the keyspace events of a command, as TakeEvents returns them.
func (c *BubbleClient) WantEvents(line string, events ...string) {
	c.T.Helper()
	c.TakeEvents()
	c.Do(line)
	require.Equal(c.T, append([]string(nil), events...), c.TakeEvents(), line)
}
