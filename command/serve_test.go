package command_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// A panic in a handler gets an error reply, is logged once with its stack, and leaves no shard locked and no
// transaction behind.
func TestInvoke_Panic(t *testing.T) {
	log := new(testenv.Buffer)
	env, _ := commandtest.NewEnv(t)
	env.Log = slog.New(slog.NewTextHandler(log, nil))
	clients := commandtest.Connect(t, env, 2)
	registry := env.PubSub
	t.Cleanup(func() { env.PubSub = registry }) // for the check of the fixture
	env.PubSub = nil
	faults := 0
	for _, line := range []string{"PUBLISH ch m",
		"EVAL return{redis.call('set',KEYS[1],1),redis.call('publish','ch','m')} 1 k"} {
		require.Contains(t, clients[0].Do(line), "ERR internal error", line)
		faults++
		require.Equal(t, faults, strings.Count(log.String(), "panic in command"), log.String())
	}
	clients[0].Want("MULTI", "OK", "SET k 2", "QUEUED", "PUBLISH ch m", "QUEUED", "EXEC", `[OK ERR internal error]`)
	require.Contains(t, log.String(), "pubsub.go")
	clients[1].Want("GET k", `"2"`, "FLUSHALL", "OK")
}
