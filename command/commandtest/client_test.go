package commandtest

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
)

func TestClient_Do(t *testing.T) {
	env, _ := NewEnv(t)
	c := NewClient(t, env)
	c.Want(
		"HSET h a 1 b 2", "2",
		"HGET h a", `"1"`,
		"HGETALL h", `["a" "1" "b" "2"]`,
		"HDEL h a b", "2",
		"HGET h a", "nil",
		"NOSUCH a", "ERR unknown command 'NOSUCH', with args beginning with: 'a' ",
		"HGET h", "ERR wrong number of arguments for 'hget' command",
	)
	require.Equal(t, resp.RESP2, c.Session.Proto())
}
