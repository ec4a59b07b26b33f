package compat

import (
	"flag"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// replicatedCommands are few, since each run of the tests compares several pairs of servers by them.
var replicatedCommands = flag.Int("replicated", 4000, "random commands to send to each master with a replica")

// A replica has the data of its master after random commands, whichever of the two is a real server.
func TestRandom_Replicas(t *testing.T) {
	for _, c := range []struct {
		name            string
		master, replica func(testing.TB, ...string) string
	}{
		{"minilockd of minilockd", startTarget, startTarget},
		{"redis of minilockd", startTarget, startEmulatedReal},
		{"minilockd of redis", startEmulatedReal, startTarget},
	} {
		t.Run(c.name, func(t *testing.T) {
			requireReference(t)
			compareReplica(t, c.master(t), c.replica(t), *replicatedCommands)
		})
	}
}

// startEmulatedReal starts the real server that minilockd stands for.
func startEmulatedReal(t testing.TB, args ...string) string { return startReal(t, emulated, args...) }

// commandsPerDigest is the number of commands between two comparisons.
const commandsPerDigest = 500

// compareReplica sends a master random commands and compares the digests of its data and its replica's.
func compareReplica(t *testing.T, masterAddr, replicaAddr string, total int) {
	master, replica := dial(t, masterAddr), dial(t, replicaAddr)
	host, port, err := net.SplitHostPort(masterAddr)
	require.NoError(t, err)
	require.Equal(t, "+OK", replica.do(t, "REPLICAOF", host, port).String())
	awaitLink(t, replica)
	from := chosenGroups(t)
	differences := 0
	for round := uint64(0); total > 0 && differences < enoughDifferences; round++ {
		g := newGenerator(*randomSeed, round, from, map[template]int{})
		master.do(t, "FLUSHALL")
		master.do(t, "FUNCTION", "FLUSH")
		for range commandsPerRound / commandsPerDigest {
			commands := slices.DeleteFunc(g.commands(commandsPerDigest), func(args []string) bool {
				return keyNamedLikeOption(args) || changesUnnoticed(args)
			})
			_, err := master.pipeline(append(commands, []string{"DISCARD"}))
			require.NoError(t, err)
			total -= len(commands)
			if text := differentReplica(t, master, replica); text != "" {
				t.Errorf("seed %d, round %d: the replica has other data:%s", *randomSeed, round, text)
				differences++
				break
			}
		}
	}
}

// changesUnnoticed reports whether a command may change data without counting it as a change, so that replicas do not
// get it: HyperLogLogs that become dense or are corrupt, and strings that BITFIELD makes longer before it fails.
func changesUnnoticed(args []string) bool {
	return strings.HasPrefix(args[0], "PF") || args[0] == "BITFIELD" ||
		args[0] == "EVAL" && strings.Contains(args[1], "'PF")
}

// awaitLink waits until a replica has the data of its master.
func awaitLink(t *testing.T, replica *rawClient) {
	deadline := time.Now().Add(testenv.StartTimeout)
	for !strings.Contains(replica.do(t, "INFO", "replication").text, "master_link_status:up") {
		require.True(t, time.Now().Before(deadline), "no connection to the master")
		time.Sleep(10 * time.Millisecond)
	}
}

// differentReplica returns in what a replica differs from its master, once it has all that the master has sent. If it
// lags behind, WAIT has the reply 0 in the end.
func differentReplica(t *testing.T, master, replica *rawClient) string {
	require.Equal(t, ":1", master.do(t, "WAIT", "1", strconv.Itoa(int(testenv.StartTimeout.Milliseconds()))).String())
	if master.do(t, "DEBUG", "DIGEST").text == replica.do(t, "DEBUG", "DIGEST").text {
		return ""
	}
	var text string
	for _, db := range []string{"0", "1"} {
		master.do(t, "SELECT", db)
		replica.do(t, "SELECT", db)
		text += differentKeys(keyspace(t, master), keyspace(t, replica))
	}
	master.do(t, "SELECT", "0")
	return "\n" + text + master.do(t, "INFO", "keyspace").text + replica.do(t, "INFO", "keyspace").text
}
