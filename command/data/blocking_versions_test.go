package data_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// A call that blocks is served from the first of its keys that has an element, and fails for one of another type;
// before Redis 7.2 it is served from the key that was changed first.
func TestBlocking_Versions_Keys(t *testing.T) {
	for _, test := range []struct{ call, changes, older, newer string }{
		{"BLPOP a b 0", "RPUSH b 2|RPUSH a 1", `["b" "2"]`, `["a" "1"]`},
		{"BLMPOP 0 2 a b LEFT", "RPUSH b 2|RPUSH a 1", `["b" ["2"]]`, `["a" ["1"]]`},
		{"BZPOPMIN a b 0", "ZADD b 2 y|ZADD a 1 x", `["b" "y" "2"]`, `["a" "x" "1"]`},
		{"BZMPOP 0 2 a b MIN", "ZADD b 2 y|ZADD a 1 x", `["b" [["y" "2"]]]`, `["a" [["x" "1"]]]`},
		{"BRPOP a b 0", "SET a x|RPUSH b 2", `["b" "2"]`, wrongType},
		{"BZPOPMAX a b 0", "RPUSH a x|ZADD b 2 y", `["b" "y" "2"]`, wrongType},
	} {
		for server, want := range map[string]string{"7.0": test.older, "7.2": test.newer, "valkey-9.1": test.newer} {
			env := commandtest.NewEnvOf(t, server)
			c, waiter := commandtest.NewClient(t, env), commandtest.NewClientID(t, env, 2)
			waiter.Want(test.call, "")
			c.Do("MULTI")
			for line := range strings.SplitSeq(test.changes, "|") {
				c.Do(line)
			}
			c.Do("EXEC")
			require.Equal(t, want, waiter.Delivered(), test.call, server)
		}
	}
}

// INFO counts the keys that clients wait for, and those among them of which they want to know when they are gone.
func TestBlocking_Versions_Info(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.2")
	c := commandtest.NewClient(t, env)
	c.Do("XGROUP CREATE s g 0 MKSTREAM")
	for i, call := range []string{"BLPOP l 0", "XREAD BLOCK 0 STREAMS s $", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >"} {
		commandtest.NewClientID(t, env, int64(i+2)).Want(call, "")
	}
	info := commandtest.InfoOf(c, "clients")
	require.Contains(t, info, "total_blocking_keys:2\n")
	require.Contains(t, info, "total_blocking_keys_on_nokey:1\n")
}

// Since Redis 7.2 a call that blocks needs its permissions again when it is served, and is rejected without them.
func TestBlocking_Versions_Permissions(t *testing.T) {
	for server, want := range map[string]string{
		"7.0": `["l" "x"]`, "7.2": "NOPERM No permissions to access a key",
		"valkey-9.1": "NOPERM No permissions to access a key",
	} {
		env := commandtest.NewEnvOf(t, server)
		c, waiter := commandtest.NewClient(t, env), commandtest.NewClientID(t, env, 2)
		c.Want("ACL SETUSER u on nopass ~* +@all", "OK")
		waiter.Want("AUTH u x", "OK", "BLPOP l 0", "")
		c.Want("ACL SETUSER u resetkeys", "OK", "RPUSH l x", "1")
		require.Equal(t, want, waiter.Delivered(), server)
		if server != "7.0" {
			c.Want("LRANGE l 0 -1", `["x"]`)
			require.Contains(t, commandtest.InfoOf(c, "commandstats"), "cmdstat_blpop:calls=0,usec=0,"+
				"usec_per_call=0.00,rejected_calls=1,failed_calls=0\n")
			require.Contains(t, c.Do("ACL LOG"), `"context" "toplevel" "object" "l" "username" "u"`)
		}
	}
}
