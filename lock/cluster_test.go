package lock_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/lock"
)

// needRedis skips a test where there is no redis-server, but not in CI.
func needRedis(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		require.Empty(t, os.Getenv("CI"), "redis-server must be installed where CI is set")
		t.Skip("redis-server is not installed")
	}
}

// node is a redis-server of a test's cluster.
type node struct {
	port string
	cmd  *exec.Cmd
}

func (n *node) addr() string { return "127.0.0.1:" + n.port }

func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

// startNode starts a redis-server on a free port that ends with the test.
func startNode(t *testing.T, args ...string) *node {
	t.Helper()
	n := &node{port: freePort(t)}
	all := append([]string{"--port", n.port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir(), "--loglevel", "warning"}, args...)
	n.cmd = exec.Command("redis-server", all...)
	require.NoError(t, n.cmd.Start())
	t.Cleanup(n.kill)
	n.answers(t)
	return n
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func (n *node) answers(t *testing.T) {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: n.addr()})
	defer rdb.Close()
	require.Eventually(t, func() bool { return rdb.Ping(ctx).Err() == nil }, patience, 10*time.Millisecond)
}

// startCluster starts three masters and as many replicas, each master with a third of the slots.
func startCluster(t *testing.T) []*node {
	t.Helper()
	nodes := make([]*node, 6)
	for i := range nodes {
		nodes[i] = startNode(t, "--cluster-enabled", "yes", "--cluster-port", freePort(t), "--cluster-node-timeout", "1000",
			"--cluster-config-file", fmt.Sprintf("nodes-%d.conf", i))
	}
	create := []string{"--cluster", "create", "--cluster-replicas", "1", "--cluster-yes"}
	for _, n := range nodes {
		create = append(create, n.addr())
	}
	output, err := exec.Command("redis-cli", create...).CombinedOutput()
	require.NoError(t, err, string(output))
	for _, n := range nodes {
		rdb := redis.NewClient(&redis.Options{Addr: n.addr()})
		defer rdb.Close()
		require.Eventually(t, func() bool {
			return strings.Contains(rdb.ClusterInfo(ctx).Val(), "cluster_state:ok") &&
				strings.Count(rdb.ClusterNodes(ctx).Val(), "slave") == 3 && !strings.Contains(rdb.Info(ctx, "replication").Val(), "link_status:down")
		}, patience, 20*time.Millisecond)
	}
	return nodes
}

// kinds takes each kind of lock once, and once after somebody else.
func kinds(t *testing.T, c *lock.Client, other *lock.Client, suffix string) {
	t.Helper()
	both := func(name string, of func(c *lock.Client) lock.Locker) {
		h, err := of(c).Lock(ctx)
		require.NoError(t, err, name)
		_, err = of(other).TryLock(ctx)
		require.ErrorIs(t, err, lock.ErrTaken, name)
		got := async(func() error { return of(other).Do(ctx, func(context.Context) error { return nil }) })
		require.NoError(t, h.Unlock(ctx), name)
		require.NoError(t, await(t, got), name)
	}
	both("mutex", func(c *lock.Client) lock.Locker { return c.Mutex("m" + suffix) })
	both("fair", func(c *lock.Client) lock.Locker { return c.FairMutex("f" + suffix) })
	both("spin", func(c *lock.Client) lock.Locker { return c.SpinMutex("s" + suffix) })
	both("fenced", func(c *lock.Client) lock.Locker { return c.FencedMutex("n" + suffix) })
	both("write", func(c *lock.Client) lock.Locker { return c.RWMutex("w" + suffix) })
	require.NoError(t, c.RWMutex("r"+suffix).RDo(ctx, func(ctx context.Context) error {
		return other.RWMutex("r"+suffix).RDo(ctx, func(context.Context) error { return nil })
	}))
	require.NoError(t, lock.NewMulti(c.Mutex("a"+suffix), c.Mutex("b"+suffix)).Do(ctx, func(context.Context) error { return nil }))
	counters(t, c, other, suffix)
}

// counters has one client wait for what another one gives, with each kind that counts.
func counters(t *testing.T, c, other *lock.Client, suffix string) {
	t.Helper()
	_, err := c.Semaphore("sem"+suffix).TrySetPermits(ctx, 1)
	require.NoError(t, err)
	require.NoError(t, c.Semaphore("sem"+suffix).Acquire(ctx, 1))
	got := async(func() error { return other.Semaphore("sem"+suffix).Acquire(ctx, 1) })
	require.NoError(t, c.Semaphore("sem"+suffix).Release(ctx, 1))
	require.NoError(t, await(t, got))

	_, err = c.PermitSemaphore("per"+suffix).TrySetPermits(ctx, 1)
	require.NoError(t, err)
	_, err = c.PermitSemaphore("per" + suffix).Acquire(ctx)
	require.NoError(t, err)
	_, err = other.PermitSemaphore("per" + suffix).TryAcquire(ctx)
	require.ErrorIs(t, err, lock.ErrTaken)

	suffix = strings.Trim(suffix, "{}") // Redisson puts a latch's name into braces of its own, so one with braces has no slot
	_, err = c.Latch("lat"+suffix).TrySetCount(ctx, 1)
	require.NoError(t, err)
	got = async(func() error { return other.Latch("lat" + suffix).Await(ctx) })
	require.NoError(t, c.Latch("lat"+suffix).CountDown(ctx))
	require.NoError(t, await(t, got))

	_, err = c.RateLimiter("rate"+suffix).TrySetRate(ctx, lock.Rate{Permits: 1, Interval: time.Hour})
	require.NoError(t, err)
	require.NoError(t, c.RateLimiter("rate"+suffix).TryAcquire(ctx, 1))
	require.ErrorIs(t, other.RateLimiter("rate"+suffix).TryAcquire(ctx, 1), lock.ErrTaken)
}

// contention is a number of workers that count under a lock.
type contention struct {
	inside, counted atomic.Int64
	overlaps        atomic.Int64
	failures        atomic.Int64
}

// work counts under the lock until n more have been counted by all, in the face of errors. Holders that were told that their
// lock is lost, in a failover, are not counted as overlapping.
func (c *contention) work(m lock.Locker, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		bounded, cancel := context.WithTimeout(ctx, patience)
		h, err := m.Lock(bounded)
		cancel()
		if err != nil {
			c.failures.Add(1)
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if c.inside.Add(1) > 1 && h.Context().Err() == nil {
			c.overlaps.Add(1)
		}
		c.counted.Add(1)
		c.inside.Add(-1)
		_ = h.Unlock(ctx)
	}
}

// through has clients contend while something happens to the servers, and asserts that they count before and after it, and
// that at most one pair of them was ever inside together: the holder whose lock a dead master had not yet passed on, and who
// got it next.
func through(t *testing.T, dial func() redis.UniversalClient, happens func()) {
	t.Helper()
	var c contention
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		rdb := dial()
		t.Cleanup(func() { _ = rdb.Close() })
		l := lock.New(rdb, lock.WithWatchdog(3*time.Second))
		t.Cleanup(func() { _ = l.Close() })
		all.Go(func() { c.work(l.Mutex("{tag}contended"), stop) })
	}
	more := func(n int64) {
		from := c.counted.Load()
		require.Eventually(t, func() bool { return c.counted.Load() >= from+n }, patience, 5*time.Millisecond, "nobody gets the lock")
	}
	more(50)
	happens()
	more(1)
	more(50)
	close(stop)
	all.Wait()
	require.LessOrEqual(t, c.overlaps.Load(), int64(1))
	t.Logf("%d critical sections, %d overlaps, %d errors told", c.counted.Load(), c.overlaps.Load(), c.failures.Load())
}

func TestCluster_AllKindsAndAMasterThatDies(t *testing.T) {
	needRedis(t)
	nodes := startCluster(t)
	addrs := make([]string, len(nodes))
	for i, n := range nodes {
		addrs[i] = n.addr()
	}
	dial := func() redis.UniversalClient { return redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs}) }
	a, b := dial().(*redis.ClusterClient), dial().(*redis.ClusterClient)
	defer a.Close()
	defer b.Close()
	one, other := lock.New(a), lock.New(b)
	for _, suffix := range []string{"", "{tag}", ":1", ":2"} {
		kinds(t, one, other, suffix)
	}
	require.NoError(t, one.Close())
	require.NoError(t, other.Close())
	through(t, dial, func() {
		master, err := a.MasterForKey(ctx, "{tag}contended")
		require.NoError(t, err)
		for _, n := range nodes {
			if n.addr() == master.Options().Addr {
				n.kill()
			}
		}
	})
}

func TestSentinel_AllKindsAndAMasterThatDies(t *testing.T) {
	needRedis(t)
	master := startNode(t)
	startNode(t, "--replicaof", "127.0.0.1 "+master.port)
	sentinels := make([]string, 3)
	for i := range sentinels {
		config := t.TempDir() + "/sentinel.conf"
		port := freePort(t)
		text := fmt.Sprintf("port %s\nbind 127.0.0.1\ndir %s\nsentinel monitor them 127.0.0.1 %s 2\n"+
			"sentinel down-after-milliseconds them 1000\nsentinel failover-timeout them 5000\n", port, t.TempDir(), master.port)
		require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
		n := &node{port: port, cmd: exec.Command("redis-server", config, "--sentinel")}
		require.NoError(t, n.cmd.Start())
		t.Cleanup(n.kill)
		n.answers(t)
		sentinels[i] = n.addr()
	}
	dial := func() redis.UniversalClient {
		return redis.NewFailoverClient(&redis.FailoverOptions{MasterName: "them", SentinelAddrs: sentinels})
	}
	known(t, sentinels)
	a, b := dial(), dial()
	defer a.Close()
	defer b.Close()
	one, other := lock.New(a), lock.New(b)
	kinds(t, one, other, "{tag}")
	require.NoError(t, one.Close())
	require.NoError(t, other.Close())
	through(t, dial, master.kill)
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
		}, patience, 50*time.Millisecond)
	}
}
