package commandtest

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// BubbleClient is a client of a server in a synctest bubble: time stands still until the test advances it. Events are
// all keyspace events.
type BubbleClient struct {
	*Client
	Env    *command.Env
	Clock  *clock.Offset
	Events []string
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
			c.Events = append(c.Events, fmt.Sprintf("%s%s %s", prefix, event, key))
		})
		test(c)
	})
}

// WantEvents asserts the keyspace events of a command, each as "event key", with the number of the database before it
// unless it is 0.
func (c *BubbleClient) WantEvents(line string, events ...string) {
	c.T.Helper()
	c.Events = nil
	c.Do(line)
	require.Equal(c.T, append([]string(nil), events...), c.Events, line)
}
