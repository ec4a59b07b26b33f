package command

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/store"
)

// stillClient is a client of a server whose clock stands still until the test advances it. It hears of every event.
type stillClient struct {
	*testClient
	env    *Env
	clock  *clock.Offset
	events []string
}

// inStillTime runs a test in a bubble of virtual time.
func inStillTime(t *testing.T, test func(*stillClient)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		env, clk := newTestEnv(t)
		c := &stillClient{testClient: newTestClient(t, env), env: env, clock: clk}
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
func (c *stillClient) wantEvents(line string, events ...string) {
	c.t.Helper()
	c.events = nil
	c.do(line)
	require.Equal(c.t, append([]string(nil), events...), c.events, line)
}
