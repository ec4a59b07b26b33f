package server_test

import (
	"bufio"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// clusterDo runs a command given as words, and returns the reply, or the text of the error.
func clusterDo(t *testing.T, s *server.Server, line string) string {
	t.Helper()
	var args []any
	for word := range strings.FieldsSeq(line) {
		args = append(args, word)
	}
	v, err := s.Do(t.Context(), args...).Text()
	if err != nil {
		return err.Error()
	}
	return v
}

// A call runs where its slot is, and is redirected from elsewhere.
func TestCluster_Redirects(t *testing.T) {
	c := server.StartCluster(t, 3, 1)
	require.Equal(t, 6, len(c.Servers()))
	require.Equal(t, 3, len(c.Masters()))
	require.Equal(t, 3, len(c.Replicas()))
	first, third := c.Servers()[0], c.Servers()[2]
	require.Equal(t, "MOVED 12182 "+third.Addr(), clusterDo(t, first, "SET foo 1")) // the slots are 0-5460
	require.Equal(t, "OK", clusterDo(t, third, "SET foo 1"))
	require.NoError(t, c.Sync(t.Context()))
	replica := c.Servers()[5]
	require.Equal(t, "MOVED 12182 "+third.Addr(), clusterDo(t, replica, "GET foo"))
	require.Contains(t, clusterDo(t, first, "CLUSTER INFO"), "cluster_state:ok")
	require.Equal(t, "CROSSSLOT Keys in request don't hash to the same slot", clusterDo(t, first, "MGET foo bar"))
}

// While a slot moves, a key that has moved is asked for by ASK, and several that are on both nodes by TRYAGAIN.
func TestCluster_MovesSlots(t *testing.T) {
	c := server.StartCluster(t, 2, 0)
	from, to := c.Servers()[0], c.Servers()[1] // bar is in slot 5061
	fromID, toID := clusterDo(t, from, "CLUSTER MYID"), clusterDo(t, to, "CLUSTER MYID")
	require.Equal(t, "OK", clusterDo(t, from, "SET {bar}1 a"))
	require.Equal(t, "OK", clusterDo(t, from, "SET {bar}2 b"))
	require.Equal(t, "OK", clusterDo(t, to, "CLUSTER SETSLOT 5061 IMPORTING "+fromID))
	require.Equal(t, "OK", clusterDo(t, from, "CLUSTER SETSLOT 5061 MIGRATING "+toID))
	host, port, _ := strings.Cut(to.Addr(), ":")
	require.Equal(t, "OK", clusterDo(t, from, "MIGRATE "+host+" "+port+" {bar}1 0 1000"))
	ask := "ASK 5061 " + to.Addr()
	require.Equal(t, ask, clusterDo(t, from, "GET {bar}1"))
	require.Equal(t, "b", clusterDo(t, from, "GET {bar}2"))
	require.Equal(t, ask, clusterDo(t, from, "SET {bar}3 c"))
	require.Equal(t, "TRYAGAIN Multiple keys request during rehashing of slot", clusterDo(t, from, "MGET {bar}1 {bar}2"))
	require.Equal(t, "MOVED 5061 "+from.Addr(), clusterDo(t, to, "GET {bar}1"))

	client := to.NewClient()
	defer client.Close()
	require.NoError(t, client.Do(t.Context(), "ASKING").Err())
	text, err := client.Do(t.Context(), "GET", "{bar}1").Text()
	require.NoError(t, err)
	require.Equal(t, "a", text)
	require.ErrorContains(t, client.Do(t.Context(), "GET", "{bar}1").Err(), "MOVED") // ASKING holds for one command

	require.Equal(t, "OK", clusterDo(t, from, "MIGRATE "+host+" "+port+" {bar}2 0 1000"))
	require.Equal(t, "OK", clusterDo(t, to, "CLUSTER SETSLOT 5061 NODE "+toID))
	require.Equal(t, "MOVED 5061 "+to.Addr(), clusterDo(t, from, "GET {bar}2"))
	require.Equal(t, "b", clusterDo(t, to, "GET {bar}2"))
}

// A replica that fails over has all that its master has written, and the master follows it.
func TestCluster_FailsOver(t *testing.T) {
	c := server.StartCluster(t, 3, 1)
	old, next := c.Servers()[0], c.Servers()[3]
	require.Equal(t, "OK", clusterDo(t, old, "SET bar 1"))
	require.Equal(t, "ERR You should send CLUSTER FAILOVER to a replica", clusterDo(t, old, "CLUSTER FAILOVER"))
	require.Equal(t, "OK", clusterDo(t, next, "CLUSTER FAILOVER"))
	require.Equal(t, "1", clusterDo(t, next, "GET bar"))
	require.Equal(t, "MOVED 5061 "+next.Addr(), clusterDo(t, old, "SET bar 2"))
	require.Equal(t, "OK", clusterDo(t, next, "SET bar 2"))
	require.NoError(t, c.Sync(t.Context()))
	client := old.NewClient()
	defer client.Close()
	require.NoError(t, client.Do(t.Context(), "READONLY").Err())
	text, err := client.Do(t.Context(), "GET", "bar").Text()
	require.NoError(t, err)
	require.Equal(t, "2", text)
}

// FORCE loses what the replica has not applied.
func TestCluster_FailsOverWithLoss(t *testing.T) {
	c := server.StartCluster(t, 1, 1)
	old, next := c.Servers()[0], c.Servers()[1]
	require.Equal(t, "OK", clusterDo(t, old, "SET bar 1"))
	require.NoError(t, c.Sync(t.Context()))
	next.SetLag(server.Lag{Stopped: true})
	require.Equal(t, "OK", clusterDo(t, old, "SET bar 2"))
	require.Equal(t, "OK", clusterDo(t, next, "CLUSTER FAILOVER FORCE"))
	require.Equal(t, "1", clusterDo(t, next, "GET bar"))
}

// A client that waits for a key is redirected when the slot gets another node.
func TestCluster_RedirectsBlockedClients(t *testing.T) {
	c := server.StartCluster(t, 2, 0)
	from, to := c.Servers()[0], c.Servers()[1]
	done := make(chan error)
	go func() { done <- from.Do(t.Context(), "BLPOP", "bar", 0).Err() }()
	for !strings.Contains(clusterDo(t, from, "INFO clients"), "blocked_clients:1") {
		runtime.Gosched()
	}
	require.Equal(t, "OK", clusterDo(t, from, "CLUSTER SETSLOT 5061 NODE "+clusterDo(t, to, "CLUSTER MYID")))
	require.ErrorContains(t, <-done, "MOVED 5061 "+to.Addr())
}

// EXEC replies the error of its keys, and a rejected command makes it fail.
func TestCluster_Transactions(t *testing.T) {
	c := server.StartCluster(t, 3, 0)
	client := c.Servers()[0].NewClient()
	defer client.Close()
	replies := func(lines ...string) (texts []string) {
		for _, line := range lines {
			var args []any
			for word := range strings.FieldsSeq(line) {
				args = append(args, word)
			}
			r := client.Do(t.Context(), args...)
			if err := r.Err(); err != nil {
				texts = append(texts, err.Error())
				continue
			}
			texts = append(texts, r.String())
		}
		return texts
	}
	const crossSlot = "CROSSSLOT Keys in request don't hash to the same slot"
	got := replies("MULTI", "SET bar 1", "SET b 1", "EXEC")
	require.Equal(t, crossSlot, got[3])
	got = replies("MULTI", "SET foo 1", "EXEC", "EXEC")
	require.Equal(t, "MOVED 12182 "+c.Servers()[2].Addr(), got[1])
	require.Equal(t, "EXECABORT Transaction discarded because of previous errors.", got[2])
	require.Equal(t, "ERR EXEC without MULTI", got[3])
}

// PUBLISH reaches all nodes, SPUBLISH those of the shard.
func TestCluster_Publishes(t *testing.T) {
	c := server.StartCluster(t, 2, 1)
	other, replica := c.Servers()[1], c.Servers()[2]
	subscribe := func(s *server.Server, command string) *bufio.Reader {
		nc, err := s.Dial()
		require.NoError(t, err)
		t.Cleanup(func() { _ = nc.Close() })
		_, _ = nc.Write([]byte(command + "\r\n"))
		in := bufio.NewReader(nc)
		readLines(t, in, 6)
		return in
	}
	everywhere := subscribe(other, "SUBSCRIBE bar")
	shard := subscribe(replica, "SSUBSCRIBE bar")
	require.Equal(t, nil, c.Servers()[0].Do(t.Context(), "PUBLISH", "bar", "hello").Err())
	require.Contains(t, readLines(t, everywhere, 7), "hello")
	require.Equal(t, nil, c.Servers()[0].Do(t.Context(), "SPUBLISH", "bar", "there").Err())
	require.Contains(t, readLines(t, shard, 7), "there")
}

func readLines(t *testing.T, in *bufio.Reader, n int) (text string) {
	t.Helper()
	for range n {
		line, err := in.ReadString('\n')
		require.NoError(t, err)
		text += line
	}
	return text
}

// Nodes that meet become one cluster; one that is forgotten leaves it.
func TestCluster_MeetsAndForgets(t *testing.T) {
	c := server.StartCluster(t, 3, 0)
	third := c.Servers()[2]
	id := clusterDo(t, third, "CLUSTER MYID")
	require.Equal(t, "OK", clusterDo(t, third, "CLUSTER RESET"))
	for _, s := range c.Servers()[:2] {
		require.Equal(t, "OK", clusterDo(t, s, "CLUSTER FORGET "+id))
		require.Contains(t, clusterDo(t, s, "CLUSTER INFO"), "cluster_state:fail")
	}
	require.Equal(t, "CLUSTERDOWN The cluster is down", clusterDo(t, c.Servers()[0], "GET bar"))
	require.Equal(t, "CLUSTERDOWN Hash slot not served", clusterDo(t, c.Servers()[0], "GET foo"))
	for _, s := range c.Servers()[:2] { // each has forgotten the third for a minute, whoever names it
		host, port, _ := strings.Cut(s.Addr(), ":")
		require.Equal(t, "OK", clusterDo(t, third, "CLUSTER MEET "+host+" "+port))
	}
	require.Equal(t, "OK", clusterDo(t, third, "CLUSTER ADDSLOTSRANGE 10923 16383"))
	for _, s := range c.Servers() {
		require.Contains(t, clusterDo(t, s, "CLUSTER INFO"), "cluster_state:ok")
		require.Contains(t, clusterDo(t, s, "CLUSTER INFO"), "cluster_known_nodes:3")
	}
}

// When a master ends, its replica takes over.
func TestCluster_ReplacesEndedMaster(t *testing.T) {
	c := server.StartCluster(t, 3, 1)
	require.Equal(t, "OK", clusterDo(t, c.Servers()[0], "SET bar 1"))
	require.NoError(t, c.Sync(t.Context()))
	require.NoError(t, c.Servers()[0].Close())
	next := c.Servers()[3]
	for !strings.Contains(clusterDo(t, next, "INFO replication"), "role:master") {
		runtime.Gosched()
	}
	require.Equal(t, "1", clusterDo(t, next, "GET bar"))
	require.Contains(t, clusterDo(t, c.Servers()[1], "CLUSTER INFO"), "cluster_state:ok")
}

// What the servers do differently in a cluster.
func TestCluster_Versions(t *testing.T) {
	const bySlot = "ERR BY option of SORT denied in Cluster mode when keys formed by the pattern may be in different " +
		"slots."
	for version, want := range map[string]struct{ sort, sel, script string }{
		"7.0": {"ERR BY option of SORT denied in Cluster mode.", "ERR SELECT is not allowed in cluster mode",
			"Script attempted to access a non local key in a cluster node"},
		"8.2": {bySlot,
			"ERR SELECT is not allowed in cluster mode",
			"Command 'mget' in script attempted to access keys that don't hash to the same slot"},
		"valkey-9.1": {bySlot,
			"ERR DB index is out of range", "Attempted to access a non local key in a cluster node"},
	} {
		s := server.StartCluster(t, 1, 0, server.Options{Emulate: version}).Servers()[0]
		require.Equal(t, "OK", clusterDo(t, s, "SET bar 1"))
		require.Equal(t, want.sort, clusterDo(t, s, "SORT {bar}l BY x*"), version)
		client := s.NewClient()
		require.ErrorContains(t, client.Do(t.Context(), "SELECT", 1).Err(), want.sel, version)
		_ = client.Close()
		err := s.Do(t.Context(), "EVAL", "return redis.call('mget', 'bar', 'b')", 0).Err()
		require.ErrorContains(t, err, want.script, version)
		require.Equal(t, "ERR Can not run script on cluster, 'no-cluster' flag is set.",
			s.Do(t.Context(), "EVAL", "#!lua flags=no-cluster\nreturn 1", 0).Err().Error(), version)
		require.Equal(t, "ERR Script attempted to access keys that do not hash to the same slot", firstWords(
			s.Do(t.Context(), "EVAL", "#!lua\nreturn redis.call('get', 'b')", 1, "bar").Err()), version)
		require.Equal(t, "ERR SWAPDB is not allowed in cluster mode", clusterDo(t, s, "SWAPDB 0 1"), version)
	}
}

// firstWords returns an error of a script without the position.
func firstWords(err error) string {
	text, _, _ := strings.Cut(err.Error(), " script: ")
	return text
}

// In a bubble the nodes are in memory, and slots move between them all the same.
func TestCluster_InBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := server.StartCluster(t, 2, 1)
		from, to := c.Servers()[0], c.Servers()[1]
		require.Equal(t, "OK", clusterDo(t, from, "SET bar 1"))
		host, port, _ := strings.Cut(to.Addr(), ":")
		require.Equal(t, "OK", clusterDo(t, to, "CLUSTER SETSLOT 5061 IMPORTING "+clusterDo(t, from, "CLUSTER MYID")))
		require.Equal(t, "OK", clusterDo(t, from, "MIGRATE "+host+" "+port+" bar 0 1000"))
		require.Equal(t, "OK", clusterDo(t, to, "CLUSTER SETSLOT 5061 NODE "+clusterDo(t, to, "CLUSTER MYID")))
		require.Equal(t, "1", clusterDo(t, to, "GET bar"))
	})
}
