package luaeval

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
)

// recorder is a Caller that replies from a map by the name of the command and records all calls.
type recorder struct {
	replies map[string]resp.Value
	calls   [][]string
	counted int // calls of ErrorCounted
}

func (r *recorder) Call(args [][]byte) resp.Value {
	var words []string
	for _, a := range args {
		words = append(words, string(a))
	}
	r.calls = append(r.calls, words)
	return r.replies[words[0]]
}

func (r *recorder) MayCall(args [][]byte) (allowed, known bool) {
	_, known = r.replies[string(args[0])]
	return known, known
}

func (r *recorder) ErrorCounted() { r.counted++ }

func (*recorder) SetReplicated(bool) {}

func (r *recorder) Restarting() bool { return false }

func (r *recorder) Kill() bool { return true }

func (r *recorder) CommandLine() []string { return nil }

func eval(t testing.TB, e *Engine, c Caller, source string, args ...string) string {
	t.Helper()
	s, err := e.Load([]byte(source))
	if err != nil {
		return "-" + err.Error()
	}
	var words [][]byte
	for _, a := range args {
		words = append(words, []byte(a))
	}
	return string(resp.Append(nil, e.Run(s, nil, words, c), resp.RESP2))
}

func newEngine() *Engine { return New(emulate.Named("7.0"), slog.New(slog.DiscardHandler)) }

func TestEngine_Conversions(t *testing.T) {
	e, c := newEngine(), &recorder{replies: map[string]resp.Value{
		"int": resp.Int(7), "bulk": resp.BulkString("b"), "null": resp.Null, "status": resp.OK,
		"double": resp.Double(0.5, resp.Digits17),
		"array":  resp.Array(resp.One, resp.Null), "map": resp.Map(resp.BulkString("k"),
			resp.One), "error": resp.Error("WRONGTYPE x"),
	}}
	for source, want := range map[string]string{
		`return redis.call('int')`:                              ":7\r\n",
		`return redis.call('bulk')`:                             "$1\r\nb\r\n",
		`return redis.call('null') == false`:                    ":1\r\n",
		`return redis.call('status').ok`:                        "$2\r\nOK\r\n",
		`return redis.call('double')`:                           "$3\r\n0.5\r\n",
		`return redis.call('array')`:                            "*2\r\n:1\r\n$-1\r\n",
		`return redis.call('map')`:                              "*2\r\n$1\r\nk\r\n:1\r\n",
		`return redis.pcall('error').err`:                       "$11\r\nWRONGTYPE x\r\n",
		`return {1, 2, nil, 4}`:                                 "*2\r\n:1\r\n:2\r\n",
		`return {1, false, 3}`:                                  "*3\r\n:1\r\n$-1\r\n:3\r\n",
		`return {a = 1}`:                                        "*0\r\n",
		`return 3.99`:                                           ":3\r\n",
		`return true`:                                           ":1\r\n",
		`return {err = 'X y'}`:                                  "-X y\r\n",
		`return {ok = 'fine'}`:                                  "+fine\r\n",
		`return redis.status_reply('fine')`:                     "+fine\r\n",
		`return`:                                                "$-1\r\n",
		`redis.setresp(3) return redis.call('map').map.k`:       ":1\r\n",
		`redis.setresp(3) return redis.call('double').double*2`: ":1\r\n",
	} {
		require.Equal(t, want, eval(t, e, c, source), source)
	}
}

// Changes of one script to KEYS, ARGV or a library must not be visible to the next.
func TestEngine_ScriptsAreIsolated(t *testing.T) {
	e, c := newEngine(), new(recorder)
	for range 3 {
		require.Equal(t, "*2\r\n:2\r\n$1\r\na\r\n", eval(t, e, c, `return {#ARGV, ARGV[1]}`, "a", "b"))
		require.Equal(t, "$-1\r\n", eval(t, e, c,
			`table.remove(ARGV, 1); ARGV.x = 1; ARGV[9] = 'z'; setmetatable(ARGV, {__len = 5})`, "a", "b", "c"))
		require.Equal(t, "*2\r\n:1\r\n$-1\r\n", eval(t, e, c, `return {#ARGV, ARGV.x or false}`, "a"))
		for _, source := range []string{`string.rep = nil`, `redis.call = nil`, `KEYS = nil`, `x = 1`, `rawset(_G, 'x', 1)`,
			`setmetatable(_G, {})`,
			`getmetatable(_G).__index = nil`, `table.insert(redis, 1)`, `_G.x = 1`} {
			require.Contains(t, eval(t, e, c, source), "Attempt to modify a readonly table script: ", source)
		}
		require.Equal(t, "$2\r\naa\r\n", eval(t, e, c, `return string.rep('a', 2)`))
	}
}

func TestEngine_Errors(t *testing.T) {
	e, c := newEngine(), &recorder{replies: map[string]resp.Value{"error": resp.Error("WRONGTYPE x")}}
	for source, want := range map[string]string{
		"return redis.call('error')":     "-WRONGTYPE x script: %, on @user_script:1.\r\n",
		"\n\nreturn redis.call('error')": "-WRONGTYPE x script: %, on @user_script:3.\r\n",
		"return redis.call('x', {})": "-ERR Lua redis lib command arguments must be strings or integers script: %, on " +
			"@user_script:1.\r\n",
		"return y": "-ERR user_script:1: Script attempted to access nonexistent global variable 'y' " +
			"script: %, on @user_script:1.\r\n",
		"return nil < 5": "-ERR user_script:1: attempt to compare nil with number script: %, on " +
			"@user_script:1.\r\n",
		"error('boom')":         "-ERR user_script:1: boom script: %, on @user_script:1.\r\n",
		"assert(false, 'boom')": "-ERR user_script:1: boom script: %, on @user_script:1.\r\n",
		"return redis.call()": "-ERR Please specify at least one argument for this redis lib call script: %, " +
			"on @user_script:1.\r\n",
		"return os.time()": "-ERR user_script:1: Script attempted to access nonexistent global variable " +
			"'os' script: %, on @user_script:1.\r\n",
	} {
		want = replaceSHA(want, source)
		require.Equal(t, want, eval(t, e, c, source), source)
	}
	require.Contains(t, eval(t, e, c, "return redis.call('x'"),
		"-ERR Error compiling script (new function): user_script:1: ")
}

func replaceSHA(want, source string) string {
	out := ""
	for _, r := range want {
		if r == '%' {
			out += SHA1([]byte(source))
			continue
		}
		out += string(r)
	}
	return out
}

func TestEngine_ArgumentsOfCommands(t *testing.T) {
	c := new(recorder)
	eval(t, newEngine(), c, `redis.call('a', 1, 1.5, 1/3, 2^53, 1e20, -3, 'x')`)
	require.Equal(t, []string{"a", "1", "1.5", "0.33333333333333331", "9007199254740992", "1e+20", "-3", "x"}, c.calls[0])
}

func TestEngine_Cache(t *testing.T) {
	e := newEngine()
	s, err := e.Load([]byte("return 1"))
	require.NoError(t, err)
	require.Equal(t, "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", s.SHA)
	require.Same(t, s, e.Get([]byte("E0E1F9FABFC9D4800C877A703B823AC0578FF8DB")))
	require.Nil(t, e.Get([]byte("e0e1")))
	e.Flush()
	require.Nil(t, e.Get([]byte(s.SHA)))
}

func TestEngine_GetRecent(t *testing.T) {
	e, recent := newEngine(), new(Recent)
	var scripts []*Script
	for i := range 2 * len(recent.scripts) {
		s, err := e.Load(fmt.Appendf(nil, "return %d", i))
		require.NoError(t, err)
		scripts = append(scripts, s)
	}
	for range 2 {
		for _, s := range scripts {
			require.Same(t, s, e.GetRecent(recent, []byte(s.SHA)))
			require.Same(t, s, e.GetRecent(recent, []byte(strings.ToUpper(s.SHA))))
		}
	}
	last := scripts[len(scripts)-1]
	e.Forget(last)
	require.Nil(t, e.GetRecent(recent, []byte(last.SHA)))
	e.Flush()
	require.Nil(t, e.GetRecent(recent, []byte(scripts[0].SHA)))
}

func TestEngine_Unpack_ManyValues(t *testing.T) {
	e, c := newEngine(), new(recorder)
	require.Equal(t, ":7999\r\n", eval(t, e, c,
		`local t = {} for i = 1, 7999 do t[i] = i end return select('#', unpack(t))`))
	require.Contains(t, eval(t, e, c, `local t = {} for i = 1, 8000 do t[i] = i end return select('#', unpack(t))`),
		"too many results to unpack")
}

func BenchmarkRun(b *testing.B) {
	e, c := newEngine(), &noopCaller{}
	s, err := e.Load([]byte(`if redis.call('exists', KEYS[1]) == 0 then redis.call('hincrby', KEYS[1], ARGV[2], 1)
		redis.call('pexpire', KEYS[1], ARGV[1]) return nil end return redis.call('pttl', KEYS[1])`))
	require.NoError(b, err)
	keys, args := [][]byte{[]byte("lock")}, [][]byte{[]byte("30000"), []byte("285475da-9152-4c83-822a-67ee2f116a79:52")}
	b.ReportAllocs()
	for b.Loop() {
		e.Run(s, keys, args, c)
	}
}

type noopCaller struct{}

func (noopCaller) Call([][]byte) resp.Value               { return resp.Zero }
func (noopCaller) MayCall([][]byte) (allowed, known bool) { return true, true }
func (noopCaller) ErrorCounted()                          {}
func (noopCaller) SetReplicated(bool)                     {}
func (noopCaller) Restarting() bool                       { return false }
func (noopCaller) Kill() bool                             { return true }
func (noopCaller) CommandLine() []string                  { return nil }

// The orders are those of the real servers, the last one that of a table which the machine has made for "...".
func TestRun_OrderOfPairs(t *testing.T) {
	const script = `local function keys(t) local o = '' for k in pairs(t) do o = o .. k end return o end
		local function more(...) for i = 1, 5 do arg['k' .. i] = i end return keys(arg) end
		return keys({x = 1, y = 2, z = 3, w = 4, v = 5}) .. ' ' .. keys(cjson.decode('{"x":1,"y":2,"z":3}')) ..
			' ' .. more(1)`
	const redis, valkey = "yxzwv yxz 1k5k4k1k2k3n", "vyzxw yxz 1k5k1k3k4k2n"
	for server, want := range map[string]string{"7.0": redis, "8.2": redis, "valkey-8.1": valkey, "valkey-9.1": valkey} {
		e := New(emulate.Named(server), slog.New(slog.DiscardHandler))
		require.Contains(t, eval(t, e, new(recorder), script), want, server)
	}
}
