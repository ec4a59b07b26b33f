package command_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// Replies of one session whose elements share memory are complete, also several within one EXEC or script.
func TestReplies_ShareMemory(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Do("RPUSH short a b")
	c.Do("RPUSH other c d")
	long := strings.Repeat(" x", 300)
	c.Do("RPUSH long" + long)
	quoted := "[" + strings.TrimSpace(strings.Repeat(`"x" `, 300)) + "]"

	require.Equal(t, `["a" "b"]`, c.Do("LRANGE short 0 -1"))
	require.Equal(t, quoted, c.Do("LRANGE long 0 -1"), "the memory grows")
	c.Do("MULTI")
	for _, line := range []string{"LRANGE short 0 -1", "LRANGE long 0 -1", "LRANGE other 0 -1"} {
		c.Do(line)
	}
	require.Equal(t, `[["a" "b"] `+quoted+` ["c" "d"]]`, c.Do("EXEC"))
	script := []byte(`local a, b = redis.call('lrange', 'short', 0, -1), redis.call('lrange', 'other', 0, -1) return ` +
		`{a, b}`)
	require.Equal(t, `[["a" "b"] ["c" "d"]]`, c.DoArgs([]byte("EVAL"), script, []byte("0")))
}
