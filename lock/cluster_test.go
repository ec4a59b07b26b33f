package lock_test

import (
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
)

// needRedis skips a test if there is no redis-server, except in CI.
func needRedis(t *testing.T) {
	t.Helper()
	testenv.RequirePrograms(t, "redis-server")
}

// node is a redis-server of a test cluster.
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
	all := append([]string{"--port", n.port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir(), "--loglevel",
		"warning"}, args...)
	n.cmd = testenv.EndWithParent(exec.Command("redis-server", all...))
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
	require.Eventually(t, func() bool { return rdb.Ping(ctx).Err() == nil }, testTimeout, 10*time.Millisecond)
}

// startCluster starts three masters, each with a third of the slots, and three replicas.
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
				strings.Count(rdb.ClusterNodes(ctx).Val(), "slave") == 3 &&
				!strings.Contains(rdb.Info(ctx, "replication").Val(), "link_status:down")
		}, testTimeout, 20*time.Millisecond)
	}
	return nodes
}

// clusterDial returns a function that dials a cluster.
func clusterDial(nodes []*node) func() redis.UniversalClient {
	addrs := make([]string, len(nodes))
	for i, n := range nodes {
		addrs[i] = n.addr()
	}
	return func() redis.UniversalClient { return redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs}) }
}

func TestCluster_AllKindsAndAMasterThatDies(t *testing.T) {
	needRedis(t)
	nodes := startCluster(t)
	dial := clusterDial(nodes)
	a, b := dial().(*redis.ClusterClient), dial().(*redis.ClusterClient)
	defer a.Close()
	defer b.Close()
	one, other := lock.New(a), lock.New(b)
	for _, suffix := range []string{"", "{tag}", ":1", ":2"} {
		everyLocker(t, one, other, suffix)
	}
	require.NoError(t, one.Close())
	require.NoError(t, other.Close())
	through(t, newLock(t, dial), func() {
		master, err := a.MasterForKey(ctx, "{tag}contended")
		require.NoError(t, err)
		for _, n := range nodes {
			if n.addr() == master.Options().Addr {
				n.kill()
			}
		}
	})
}
