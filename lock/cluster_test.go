package lock_test

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
)

// node is a redis-server of a test cluster, which the test may kill.
type node struct {
	addr string
	cmd  *exec.Cmd
}

func startNode(t *testing.T, args ...string) *node {
	t.Helper()
	addr, cmd := testenv.StartRedisProcess(t, args...)
	return &node{addr, cmd}
}

func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

func (n *node) port() string { return portOf(n.addr) }

func portOf(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}

// startCluster starts three masters, each with a third of the slots, and three replicas.
func startCluster(t *testing.T) []*node {
	t.Helper()
	testenv.RequirePrograms(t, "redis-cli")
	nodes := make([]*node, 6)
	for i := range nodes {
		nodes[i] = startNode(t, "--cluster-enabled", "yes", "--cluster-port", portOf(testenv.FreeAddress(t)),
			"--cluster-node-timeout", "1000", "--cluster-config-file", fmt.Sprintf("nodes-%d.conf", i))
	}
	create := []string{"--cluster", "create", "--cluster-replicas", "1", "--cluster-yes"}
	for _, n := range nodes {
		create = append(create, n.addr)
	}
	output, err := exec.Command("redis-cli", create...).CombinedOutput()
	require.NoError(t, err, string(output))
	for _, n := range nodes {
		rdb := redis.NewClient(&redis.Options{Addr: n.addr})
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
		addrs[i] = n.addr
	}
	return func() redis.UniversalClient { return redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs}) }
}

func TestCluster_AllKindsAndAMasterThatDies(t *testing.T) {
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
			if n.addr == master.Options().Addr {
				n.kill()
			}
		}
	})
}
