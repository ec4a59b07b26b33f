package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/resp"
)

// Replies of one session whose elements share the room come out whole, one within EXEC or a script beside the other.
func TestReplyRoom_RepliesDoNotDisturbEachOther(t *testing.T) {
	env, _ := newTestEnv(t)
	c := newTestClient(t, env)
	c.do("RPUSH short a b")
	c.do("RPUSH other c d")
	long := strings.Repeat(" x", 300)
	c.do("RPUSH long" + long)
	quoted := "[" + strings.TrimSpace(strings.Repeat(`"x" `, 300)) + "]"

	require.Equal(t, `["a" "b"]`, c.do("LRANGE short 0 -1"))
	require.Equal(t, quoted, c.do("LRANGE long 0 -1"), "the room grows")
	c.do("MULTI")
	for _, line := range []string{"LRANGE short 0 -1", "LRANGE long 0 -1", "LRANGE other 0 -1"} {
		c.do(line)
	}
	require.Equal(t, `[["a" "b"] `+quoted+` ["c" "d"]]`, c.do("EXEC"))
	script := []byte(`local a, b = redis.call('lrange', 'short', 0, -1), redis.call('lrange', 'other', 0, -1) return {a, b}`)
	require.Equal(t, `[["a" "b"] ["c" "d"]]`, c.doArgs([]byte("EVAL"), script, []byte("0")))
	require.Nil(t, c.session.arena.values, "it has been given back")
}

func TestReplyRoom_Take(t *testing.T) {
	var r replyArena
	first := append(r.take(100), resp.Int(1))
	second := append(r.take(100), resp.Int(2)) // does not fit
	require.Equal(t, []resp.Value{resp.Int(1)}, first)
	require.Equal(t, []resp.Value{resp.Int(2)}, second)
	require.GreaterOrEqual(t, cap(second), 100)

	used := r.used
	require.Len(t, append(r.take(maxElements+1), resp.Int(3)), 1)
	require.Equal(t, used, r.used, "what is too large is not kept")

	r.forget()
	require.Zero(t, second[0], "nothing is kept in memory")
	r.release()
	r.release()
}
