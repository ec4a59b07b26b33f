package data_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestPicks_AboveDefaultLimits(t *testing.T) {
	for _, fill := range []int{3, 200} {
		env, _ := commandtest.NewEnv(t)
		c := commandtest.NewClient(t, env)
		for i := range fill {
			c.Do(fmt.Sprintf("SADD s m%03d", i))
			c.Do(fmt.Sprintf("HSET h m%03d vvvv", i))
			c.Do(fmt.Sprintf("ZADD z 1 m%03d", i))
		}
		requirePicks(t, c, "SRANDMEMBER s -10000", 10000)
		requirePicks(t, c, "HRANDFIELD h -10000", 10000)
		requirePicks(t, c, "HRANDFIELD h -10000 WITHVALUES", 20000)
		requirePicks(t, c, "ZRANDMEMBER z -10000", 10000)
	}
}

// A reply may have 10,000,000 elements, which is less than maxPicked.
func TestPicks_LongReply(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Do("SADD s m000")
	requirePicks(t, c, "SRANDMEMBER s -10000000", 10000000)
}

// requirePicks runs a command and requires a reply of n strings of four bytes.
func requirePicks(t *testing.T, c *commandtest.Client, line string, n int) {
	t.Helper()
	head, out := fmt.Sprintf("*%d\r\n", n), serve(c, line)
	require.True(t, bytes.HasPrefix(out, []byte(head)), line)
	require.Len(t, out, len(head)+n*len("$4\r\nm000\r\n"), line)
}

// serve runs a command line and returns the bytes of the reply.
func serve(c *commandtest.Client, line string) []byte {
	c.Session.Out = c.Session.Out[:0]
	c.Session.Serve(bytes.Fields([]byte(line)))
	return c.Session.Out
}

// Redis would run out of memory.
func TestPicks_TooMany(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("SADD s a", "1", "HSET h a b", "1", "ZADD z 1 a", "1")
	for _, line := range []string{"SRANDMEMBER s", "HRANDFIELD h", "ZRANDMEMBER z"} {
		require.Equal(t, "ERR value is out of range", c.Do(line+" -9223372036854775807"))
	}
	require.Equal(t, "ERR value is out of range", c.Do("HRANDFIELD h -33554432 WITHVALUES"))
	require.Equal(t, "ERR value is out of range", c.Do("ZRANDMEMBER z -33554432 WITHSCORES"))
}
