package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Replies of one session whose elements share memory come out whole, one within EXEC or a script beside the other.
func TestReplies_ShareMemory(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.do("RPUSH short a b")
	c.do("RPUSH other c d")
	long := strings.Repeat(" x", 300)
	c.do("RPUSH long" + long)
	quoted := "[" + strings.TrimSpace(strings.Repeat(`"x" `, 300)) + "]"

	require.Equal(t, `["a" "b"]`, c.do("LRANGE short 0 -1"))
	require.Equal(t, quoted, c.do("LRANGE long 0 -1"), "the memory grows")
	c.do("MULTI")
	for _, line := range []string{"LRANGE short 0 -1", "LRANGE long 0 -1", "LRANGE other 0 -1"} {
		c.do(line)
	}
	require.Equal(t, `[["a" "b"] `+quoted+` ["c" "d"]]`, c.do("EXEC"))
	script := []byte(`local a, b = redis.call('lrange', 'short', 0, -1), redis.call('lrange', 'other', 0, -1) return {a, b}`)
	require.Equal(t, `[["a" "b"] ["c" "d"]]`, c.doArgs([]byte("EVAL"), script, []byte("0")))
}
