package command_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// What a session leaves in the server is reported while it is open, and is gone once it is closed.
func TestEnv_CheckNoClients(t *testing.T) {
	for _, c := range []struct {
		lines  []string
		report string
	}{
		{[]string{"BLPOP k 0"}, `1 clients wait for key "k"`},
		{[]string{"WATCH k"}, `1 clients watch key "k"`},
		{[]string{"SUBSCRIBE ch"}, `1 subscriptions to "ch"`},
		{[]string{"MONITOR"}, "1 sessions still monitor"},
		{[]string{"HELLO 3", "CLIENT TRACKING ON"}, "1 clients still track"},
		{[]string{"CLIENT PAUSE 100000", "GET k"}, "1 calls wait for the end of CLIENT PAUSE"},
	} {
		t.Run(c.report, func(t *testing.T) {
			env, _ := commandtest.NewEnv(t)
			client := commandtest.NewClient(t, env)
			require.NoError(t, env.CheckNoClients())
			for _, line := range c.lines {
				client.Do(line)
			}
			require.ErrorContains(t, env.CheckNoClients(), c.report)
			client.Session.Close()
			require.NoError(t, env.CheckNoClients())
		})
	}
}

// Close leaves no timer behind: neither that of keys that expire nor that of CLIENT PAUSE.
func TestEnv_Close_StopsTimers(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want("SET k v PX 100000", "OK", "CLIENT PAUSE 100000 WRITE", "OK")
	require.Equal(t, 2, clock.PendingTimers())
	env.Close()
	require.Zero(t, clock.PendingTimers())
}
