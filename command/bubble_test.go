package command

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/store"
)

// bubbleClient is a client of a server whose clock stands still until the test advances it. It hears of every event.
type bubbleClient struct {
	*testClient
	env    *Env
	clock  *clock.Offset
	events []string
}

// inBubble runs a test in a bubble of virtual time.
func inBubble(t *testing.T, test func(*bubbleClient)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		env, clk := newEnv(t)
		c := &bubbleClient{testClient: newClient(t, env), env: env, clock: clk}
		env.Store.SetEventSink(func(_ *store.Tx, class store.EventClass, event string, db int, key []byte) {
			if class == store.EventNew || class == store.EventMiss { // they come with every new or missing key, and A includes neither
				return
			}
			place := ""
			if db != 0 {
				place = fmt.Sprintf("%d: ", db)
			}
			c.events = append(c.events, fmt.Sprintf("%s%s %s", place, event, key))
		})
		test(c)
	})
}

// wantEvents asserts the keyspace events of a command, each as "event key", with the number of the database before it
// unless it is 0.
func (c *bubbleClient) wantEvents(line string, events ...string) {
	c.t.Helper()
	c.events = nil
	c.do(line)
	require.Equal(c.t, append([]string(nil), events...), c.events, line)
}
