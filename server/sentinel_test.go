package server_test

import (
	"bufio"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/reply"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// events returns a function that returns the events of a sentinel since the call before, without the addresses.
func events(t *testing.T, s *server.Server) func() string {
	t.Helper()
	nc, err := s.Dial()
	require.NoError(t, err)
	t.Cleanup(func() { nc.Close() })
	in := bufio.NewReader(nc)
	send := func(line string) {
		_, err := nc.Write([]byte(line + "\r\n"))
		require.NoError(t, err)
	}
	send("PSUBSCRIBE *")
	_, err = reply.Read(in)
	require.NoError(t, err)
	return func() string {
		send("PING end")
		var names []string
		for {
			r, err := reply.Read(in)
			require.NoError(t, err)
			parts := r.Elems
			if parts[0].Text == "pong" {
				return strings.Join(names, " ")
			}
			names = append(names, parts[2].Text)
		}
	}
}

// When a master is closed, the sentinels make a replica the master once down-after-milliseconds have passed.
func TestStartSentinel_MasterCloses(t *testing.T) {
	g := server.StartSentinel(t, server.SentinelOptions{})
	old := g.Master()
	call(t, old, "SET k v")
	require.NoError(t, g.Sync(t.Context()))
	seen := events(t, g.Sentinels()[0])
	other := events(t, g.Sentinels()[1])
	require.NoError(t, old.Close())
	g.Sentinels()[0].Advance(29 * time.Second)
	require.True(t, g.Master() == nil)
	require.Equal(t, "", seen())
	g.Sentinels()[0].Advance(2 * time.Second)
	require.NoError(t, g.Sync(t.Context()))
	require.Equal(t, "+sdown +odown +new-epoch +try-failover +vote-for-leader +elected-leader "+
		"+failover-state-select-slave +selected-slave +failover-state-send-slaveof-noone +failover-state-wait-promotion "+
		"-role-change +promoted-slave +failover-state-reconf-slaves +slave-reconf-sent +slave-reconf-inprog "+
		"+slave-reconf-done +failover-end +switch-master +slave +slave", seen())
	require.Equal(t, "+sdown +odown +new-epoch +vote-for-leader -role-change +config-update-from +switch-master "+
		"+slave +slave", other())
	require.Equal(t, `"v"`, call(t, g.Master(), "GET k"))
	require.Equal(t, 1, len(g.Replicas()))
	for _, s := range g.Sentinels() {
		require.Same(t, g.Master(), g.MasterOf(s))
	}
}

// SENTINEL FAILOVER replies when the old master follows the new one, whose data lack only what it had not applied.
func TestStartSentinel_FAILOVER(t *testing.T) {
	g := server.StartSentinel(t, server.SentinelOptions{Replicas: 1})
	old, replica := g.Master(), g.Replicas()[0]
	replica.SetLag(server.Lag{Writes: 1})
	call(t, old, "RPUSH l 1")
	call(t, old, "RPUSH l 2")
	require.Equal(t, "OK", call(t, g.Sentinels()[1], "SENTINEL FAILOVER mymaster"))
	require.Same(t, replica, g.Master())
	require.Equal(t, `["1"]`, call(t, replica, "LRANGE l 0 -1"))
	require.NoError(t, g.Sync(t.Context()))
	for _, s := range g.Sentinels() {
		require.Same(t, replica, g.MasterOf(s))
	}
	require.Equal(t, `["1"]`, call(t, old, "LRANGE l 0 -1"))
}

// A failover by other means is what the sentinels tell, too.
func TestStartSentinel_FailOver(t *testing.T) {
	g := server.StartSentinel(t, server.SentinelOptions{})
	replica := g.Replicas()[1]
	require.NoError(t, g.Master().FailOver(replica))
	require.NoError(t, g.Sync(t.Context()))
	for _, s := range g.Sentinels() {
		require.Same(t, replica, g.MasterOf(s))
	}
	require.Equal(t, "OK", call(t, replica, "FAILOVER"))
	call(t, replica, "SET x y") // waits until the failover is over
	require.NoError(t, g.Sync(t.Context()))
	require.Same(t, g.Master(), g.MasterOf(g.Sentinels()[2]))
}

// A master that is cut off with one sentinel goes on; the others have another one. Heal ends that.
func TestStartSentinel_SplitBrain(t *testing.T) {
	g := server.StartSentinel(t, server.SentinelOptions{DownAfter: time.Second})
	old, replicas, sentinels := g.Master(), g.Replicas(), g.Sentinels()
	call(t, old, "SET k before")
	require.NoError(t, g.Sync(t.Context()))
	g.Partition([]*server.Server{old, sentinels[0]}, append(sentinels[1:3:3], replicas...))
	old.Advance(time.Second)
	require.NoError(t, g.Sync(t.Context()))
	require.Same(t, old, g.MasterOf(sentinels[0]))
	next := g.MasterOf(sentinels[1])
	require.NotSame(t, old, next)
	require.Equal(t, "OK", call(t, old, "SET k lost"))
	require.Equal(t, "OK", call(t, next, "SET k kept"))

	first, second := events(t, sentinels[0]), events(t, sentinels[1])
	g.Heal()
	require.NoError(t, g.Sync(t.Context()))
	require.Contains(t, first(), " +new-epoch +config-update-from +switch-master +slave +slave")
	require.Equal(t, "-sdown +convert-to-slave +role-change", second())
	require.Same(t, next, g.MasterOf(sentinels[0]))
	require.Equal(t, `"kept"`, call(t, old, "GET k"))
	require.Same(t, next, g.Master())
}

// Without a majority of sentinels there is no failover.
func TestStartSentinel_Minority(t *testing.T) {
	g := server.StartSentinel(t, server.SentinelOptions{Quorum: 1, DownAfter: time.Second})
	old, replicas, sentinels := g.Master(), g.Replicas(), g.Sentinels()
	seen := events(t, sentinels[2])
	g.Partition([]*server.Server{old, sentinels[0], sentinels[1]}, append(replicas, sentinels[2]))
	old.Advance(time.Hour)
	require.Equal(t, "+sdown +sdown +sdown +odown +new-epoch +try-failover +vote-for-leader -failover-abort-not-elected",
		seen())
	require.Same(t, old, g.MasterOf(sentinels[2]))
	g.Heal()
	require.NoError(t, g.Sync(t.Context()))
	require.Same(t, old, g.MasterOf(sentinels[2]))
}

// A replica that is made a master by hand is made a replica again.
func TestStartSentinel_REPLICAOF(t *testing.T) {
	g := server.StartSentinel(t, server.SentinelOptions{Replicas: 1})
	master, replica := g.Master(), g.Replicas()[0]
	require.Equal(t, "OK", call(t, replica, "REPLICAOF NO ONE"))
	master.Advance(7 * time.Second)
	require.Equal(t, "OK", call(t, replica, "SET k v"))
	master.Advance(2 * time.Second)
	require.NoError(t, g.Sync(t.Context()))
	require.Same(t, replica, g.Replicas()[0])
	require.Equal(t, "0", call(t, replica, "EXISTS k"))
}

// FAULT.PARTITION keeps the sentinels from the master as well.
func TestStartSentinel_Silent(t *testing.T) {
	g := server.StartSentinel(t, server.SentinelOptions{})
	old := g.Master()
	require.Equal(t, "OK", call(t, old, "FAULT.PARTITION"))
	old.Advance(31 * time.Second)
	require.NotSame(t, old, g.MasterOf(g.Sentinels()[0]))
	call(t, old, "FAULT.HEAL") // there may be no reply: the sentinels disconnect the clients of the old master
	require.NoError(t, g.Sync(t.Context()))
	require.NotSame(t, old, g.Master())
	require.Equal(t, 2, len(g.Replicas()))
}

// The sentinels are in memory, too, in a bubble.
func TestStartSentinel_InBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := server.StartSentinel(t, server.SentinelOptions{})
		_, err := g.DialContext(t.Context(), "tcp", "127.0.0.1:26380")
		require.NoError(t, err)
		old := g.Master()
		require.NoError(t, old.Close())
		time.Sleep(31 * time.Second)
		synctest.Wait()
		require.True(t, g.Master() != nil)
	})
}
