package luaeval

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
)

func TestRedis_ErrorReply(t *testing.T) {
	for text, want := range map[string]string{
		"inside": "-ERR inside\r\n", "My Err": "-My Err\r\n", "-x": "-ERR x\r\n", "-My Err": "-My Err\r\n",
		"": "-ERR \r\n", "--x y": "--x y\r\n",
	} {
		require.Equal(t, want, eval(t, newEngine(), new(recorder), `return redis.error_reply(ARGV[1])`, text), text)
	}
}

// The command counts its own error; an error that the script makes is counted by EVAL.
func TestRedis_ErrorsCounted(t *testing.T) {
	for source, counted := range map[string]int{
		`return redis.call('error')`:                                     1,
		`return redis.pcall('error')`:                                    1,
		`error(redis.pcall('error'))`:                                    1,
		`local e = redis.pcall('error') return 1`:                        0,
		`local e = redis.pcall('error') return redis.error_reply(e.err)`: 0,
		`return redis.call({})`:                                          0,
		`error('boom')`:                                                  0,
	} {
		c := &recorder{replies: map[string]resp.Value{"error": resp.Error("WRONGTYPE x")}}
		eval(t, newEngine(), c, source)
		require.Equal(t, counted, c.counted, source)
	}
}

func TestRedis_ACLCheckCmd(t *testing.T) {
	c := &recorder{replies: map[string]resp.Value{"get": resp.Null}}
	require.Equal(t, ":1\r\n", eval(t, newEngine(), c, `return redis.acl_check_cmd('get', 'k')`))
	require.Contains(t, eval(t, newEngine(), c, `return redis.acl_check_cmd('nosuch')`),
		"ERR Invalid command passed to redis.acl_check_cmd()")
	require.Empty(t, c.calls)
}
