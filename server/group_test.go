package server_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// call sends a line and returns the reply, whose lines are joined by blanks.
func call(t *testing.T, s *server.Server, line string) string {
	t.Helper()
	return s.Do(t.Context(), toAny(line)...).String()
}

func toAny(line string) (args []any) {
	for _, word := range strings.Fields(line) {
		args = append(args, word)
	}
	return args
}

// A replica has what its master has, whatever changes it: commands, scripts, transactions, expiry.
func TestStartReplicated(t *testing.T) {
	g := server.StartReplicated(t, 2)
	master := g.Master()
	for _, line := range []string{"SET a 1", "HSET h f 1", "EVAL redis.call('incr','a');redis.call('rpush','l','x') 0",
		"SET gone 1 PX 50", "SADD s 1 2 3", "SREM s 2"} {
		call(t, master, line)
	}
	require.Equal(t, "2", call(t, master, "WAIT 2 0"))
	master.Advance(time.Second)
	require.NoError(t, g.Sync(t.Context()))
	for _, replica := range g.Replicas() {
		require.Equal(t, master.Dump(), replica.Dump())
		require.Contains(t, call(t, replica, "SET a 2"), "READONLY You can't write against a read only replica.")
	}
}

// What a replica has received and not applied is lost when it becomes master.
func TestServer_SetLag(t *testing.T) {
	g := server.StartReplicated(t, 1)
	master, replica := g.Master(), g.Replicas()[0]
	replica.SetLag(server.Lag{Writes: 2})
	for i := range 5 {
		call(t, master, fmt.Sprintf("RPUSH l %d", i))
	}
	require.NoError(t, g.Sync(t.Context()))
	require.Equal(t, `["0" "1" "2"]`, call(t, replica, "LRANGE l 0 -1"))
	call(t, replica, "REPLICAOF NO ONE")
	require.Equal(t, "4", call(t, replica, "RPUSH l new"))
	require.Equal(t, `["0" "1" "2" "new"]`, call(t, replica, "LRANGE l 0 -1"))

	host, port, _ := net.SplitHostPort(replica.Addr())
	call(t, master, "REPLICAOF "+host+" "+port)
	require.NoError(t, g.Sync(t.Context()))
	require.Equal(t, `["0" "1" "2" "new"]`, call(t, master, "LRANGE l 0 -1"))
}

// A lag in time follows the clock of the servers.
func TestServer_SetLag_Delay(t *testing.T) {
	g := server.StartReplicated(t, 1)
	master, replica := g.Master(), g.Replicas()[0]
	replica.SetLag(server.Lag{Delay: time.Minute})
	call(t, master, "SET k 1")
	require.NoError(t, g.Sync(t.Context()))
	require.Equal(t, "0", call(t, replica, "EXISTS k"))
	master.Advance(time.Minute / 2)
	require.Equal(t, "0", call(t, replica, "EXISTS k"))
	master.Advance(time.Minute)
	require.Equal(t, "1", call(t, replica, "EXISTS k"))
}

// In a bubble all servers of a group are in memory, at addresses of their own.
func TestStartReplicated_InBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := server.StartReplicated(t, 1)
		call(t, g.Master(), "SET k v")
		require.NoError(t, g.Sync(t.Context()))
		nc, err := g.DialContext(t.Context(), "tcp", g.Replicas()[0].Addr())
		require.NoError(t, err)
		defer nc.Close()
		_, err = nc.Write([]byte("GET k\r\n"))
		require.NoError(t, err)
		reply := bufio.NewReader(nc)
		for _, want := range []string{"$1\r\n", "v\r\n"} {
			line, err := reply.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, want, line)
		}
	})
}

// A failover loses the writes that the replica had not applied, and no others. The old master follows, and so do the
// other replicas.
func TestServer_FailOver(t *testing.T) {
	g := server.StartReplicated(t, 2)
	old, replicas := g.Master(), g.Replicas()
	replicas[1].SetLag(server.Lag{Writes: 3})
	for i := range 10 {
		call(t, old, fmt.Sprintf("RPUSH l %d", i))
	}
	require.NoError(t, old.FailOver(replicas[1]))
	require.True(t, g.Master() == replicas[1])
	require.Equal(t, "7", call(t, g.Master(), "LLEN l"))
	require.Equal(t, "8", call(t, g.Master(), "RPUSH l new"))
	replicas[1].SetLag(server.Lag{})
	require.NoError(t, g.Sync(t.Context()))
	for _, s := range []*server.Server{old, replicas[0]} {
		require.Equal(t, "8", call(t, s, "LLEN l"))
		require.Contains(t, call(t, s, "SET x y"), "READONLY")
	}
}

// FAILOVER loses nothing, and the master continues as a replica without a full copy.
func TestServer_FAILOVER(t *testing.T) {
	g := server.StartReplicated(t, 1)
	old, replica := g.Master(), g.Replicas()[0]
	for i := range 10 {
		call(t, old, fmt.Sprintf("RPUSH l %d", i))
	}
	copies := infoField(t, old, "stats", "sync_full")
	require.Equal(t, "OK", call(t, old, "FAILOVER"))
	call(t, old, "SET x y") // waits until the failover is over
	require.Equal(t, "no-failover", infoField(t, old, "replication", "master_failover_state"))
	require.NoError(t, g.Sync(t.Context()))
	require.Equal(t, "11", call(t, replica, "RPUSH l new"))
	require.NoError(t, g.Sync(t.Context()))
	require.Equal(t, "11", call(t, old, "LLEN l"))
	require.Equal(t, copies, infoField(t, old, "stats", "sync_full"))
	require.Equal(t, "0", infoField(t, replica, "stats", "sync_full"))
	require.Equal(t, "1", infoField(t, replica, "stats", "sync_partial_ok"))
}

// infoField returns a field of INFO.
func infoField(t *testing.T, s *server.Server, section, name string) string {
	t.Helper()
	text, err := s.Do(t.Context(), "INFO", section).Text()
	require.NoError(t, err)
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// A master that its replica does not reach goes on. When it follows another one later, what it has written is lost.
func TestGroup_Partition(t *testing.T) {
	g := server.StartReplicated(t, 1)
	master, replica := g.Master(), g.Replicas()[0]
	call(t, master, "SET k before")
	require.NoError(t, g.Sync(t.Context()))
	g.Partition([]*server.Server{master}, []*server.Server{replica})
	call(t, replica, "REPLICAOF NO ONE")
	call(t, master, "SET k lost")
	call(t, replica, "SET k kept")
	require.Equal(t, `"lost"`, call(t, master, "GET k"))
	g.Heal()
	host, port, _ := net.SplitHostPort(replica.Addr())
	call(t, master, "REPLICAOF "+host+" "+port)
	require.NoError(t, g.Sync(t.Context()))
	require.Equal(t, `"kept"`, call(t, master, "GET k"))
}

// The line replicaof of a redis.conf makes a server follow a master from the start, by TCP.
func TestOptions_ReplicaOf(t *testing.T) {
	master := server.StartT(t)
	call(t, master, "SET k v")
	host, port, _ := net.SplitHostPort(master.Addr())
	replica := server.StartT(t, server.Options{Config: "replicaof " + host + " " + port})
	require.Equal(t, "1", call(t, master, "INCR n"))
	for call(t, master, "WAIT 1 10") != "1" { // until the replica has connected
		call(t, master, "INCR n")
	}
	require.Equal(t, `"v"`, call(t, replica, "GET k"))
	require.Equal(t, `{"replicaof": "`+host+" "+port+`"}`, call(t, replica, "CONFIG GET replicaof"))
	require.Contains(t, call(t, master, "CLIENT LIST TYPE replica"), "flags=S")
}

// Who waits for a key when the server becomes a replica gets an error.
func TestServer_BecomesReplica(t *testing.T) {
	g := server.StartReplicated(t, 1)
	master, replica := g.Master(), g.Replicas()[0]
	waits := make(chan string)
	go func() { waits <- call(t, master, "BLPOP q 0") }()
	for infoField(t, master, "clients", "blocked_clients") != "1" {
		time.Sleep(time.Millisecond)
	}
	host, port, _ := net.SplitHostPort(replica.Addr())
	call(t, replica, "REPLICAOF NO ONE")
	call(t, master, "REPLICAOF "+host+" "+port)
	require.Contains(t, <-waits, "UNBLOCKED force unblock from blocking operation")
}

// What changes the data of a master otherwise than by commands reaches its replicas, too.
func TestServer_ReplicasGetReplacedData(t *testing.T) {
	g := server.StartReplicated(t, 1)
	master, replica := g.Master(), g.Replicas()[0]
	call(t, master, "SET before 1")
	snapshot := master.Snapshot()
	equal := func(want string) {
		t.Helper()
		for infoField(t, replica, "replication", "master_replid") != infoField(t, master, "replication", "master_replid") {
			time.Sleep(time.Millisecond)
		}
		require.NoError(t, g.Sync(t.Context()))
		require.Equal(t, want, call(t, replica, "KEYS *"))
	}
	master.Reset()
	call(t, master, "SET after 1")
	equal(`["after"]`)
	master.Restore(snapshot)
	equal(`["before"]`)
	var file strings.Builder
	require.NoError(t, master.SaveRDB(&file))
	call(t, master, "FLUSHALL")
	require.NoError(t, master.Seed(strings.NewReader(file.String())))
	equal(`["before"]`)
	require.Equal(t, "OK", call(t, master, "FAULT.RESTART LOSE"))
	equal("[]")
}
