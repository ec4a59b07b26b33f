package lock_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
)

// startSentinels starts a master with a replica and three sentinels, and returns a function that dials them.
func startSentinels(t *testing.T) (master *node, dial func() redis.UniversalClient) {
	t.Helper()
	master = startNode(t)
	startNode(t, "--replicaof", "127.0.0.1 "+master.port())
	sentinels := make([]string, 3)
	for i := range sentinels {
		sentinels[i] = startSentinel(t, master)
	}
	known(t, sentinels)
	return master, func() redis.UniversalClient {
		return redis.NewFailoverClient(&redis.FailoverOptions{MasterName: "them", SentinelAddrs: sentinels})
	}
}

func startSentinel(t *testing.T, master *node) (addr string) {
	t.Helper()
	config := t.TempDir() + "/sentinel.conf"
	addr = testenv.FreeAddress(t)
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\ndir %s\nsentinel monitor them 127.0.0.1 %s 2\n"+
		"sentinel down-after-milliseconds them 1000\nsentinel failover-timeout them 5000\n",
		portOf(addr), t.TempDir(), master.port())
	require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	testenv.Start(t, exec.Command("redis-server", config, "--sentinel"))
	return testenv.AwaitServer(t, addr)
}

// known waits until each sentinel knows the replica and the two others.
func known(t *testing.T, sentinels []string) {
	t.Helper()
	for _, addr := range sentinels {
		s := redis.NewSentinelClient(&redis.Options{Addr: addr})
		defer s.Close()
		require.Eventually(t, func() bool {
			m := s.Master(ctx, "them").Val()
			return m["num-slaves"] == "1" && m["num-other-sentinels"] == "2"
		}, testTimeout, 50*time.Millisecond)
	}
}

func TestSentinel_AllKindsAndAMasterThatDies(t *testing.T) {
	master, dial := startSentinels(t)
	a, b := dial(), dial()
	defer a.Close()
	defer b.Close()
	one, other := lock.New(a), lock.New(b)
	everyLocker(t, one, other, "{tag}")
	require.NoError(t, one.Close())
	require.NoError(t, other.Close())
	through(t, newLock(t, dial), master.kill)
}
