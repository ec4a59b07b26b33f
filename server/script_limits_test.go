package server

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/luaeval"
)

// limitScript is a script that tries to exhaust the process. It fails by itself unless kill is set.
type limitScript struct {
	name, source string
	want         string // part of the error; empty if it depends on which limit comes first
	kill         bool   // does not end, so it must be killed
	slow         bool   // runs for long
}

const (
	outOfMemory  = "script memory limit exceeded"
	tooLong      = "resulting string too large"
	killedByUser = "Script killed by user with SCRIPT KILL..."
)

var limitScripts = []limitScript{
	{name: "endless loop", kill: true, source: `while true do pcall(function() while true do end end) end`},
	{name: "endless sort", kill: true, source: `table.sort({3, 1, 2}, function() while true do end end)`},
	{name: "pathological pattern", kill: true, source: `return ('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40))`},
	{name: "slow pattern", kill: true, source: `return ('x'):rep(1e6):find('.-.-b')`},
	{name: "huge set in a pattern", kill: true, slow: true,
		source: `return ('x'):rep(1e7):find('[' .. ('y'):rep(1e7) .. ']')`},
	{name: "garbage for ever", kill: true, slow: true, source: `local s while true do s = ('x'):rep(1e6) .. 'y' end`},
	{name: "deep recursion", want: "stack overflow", source: `local function f() return 1 + f() end return f()`},
	{name: "recursion with arguments", want: "stack overflow",
		source: `local function f(...) return 1 + f(1, ...) end return f()`},
	{name: "recursion of pcall", want: "C stack overflow",
		source: `local function f() local ok, e = pcall(f) error(e, 0) end f()`},
	{name: "recursion of coroutines", want: "C stack overflow", source: `local function f() coroutine.wrap(f)() end f()`},
	{name: "terabytes", want: tooLong, source: `return ('x'):rep(1e13)`},
	{name: "doubling", source: `local s = 'x' while true do s = s .. s end`},
	{name: "growth by gsub", source: `local s = 'xx' while true do s = s:gsub('x', 'xxxx') end`},
	{name: "wide format", want: "invalid format", source: `return string.format('%1000000000d', 1)`},
	{name: "unpack", want: "too many results to unpack", source: `return unpack({}, 1, 1e9)`},
	{name: "concat of a large table", want: tooLong,
		source: `local s, t = ('x'):rep(1e6), {} for i = 1, 1e4 do t[i] = s end return table.concat(t)`},
	{name: "large reply", want: outOfMemory,
		source: `local s, t = ('x'):rep(1e6), {} for i = 1, 1e4 do t[i] = s end return t`},
	{name: "reply that doubles", want: outOfMemory, source: `local t = {} for i = 1, 60 do t = {t, t} end return t`},
	{name: "growing table", want: outOfMemory, slow: true, source: `local t = {} while true do t[#t + 1] = {} end`},
	{name: "growing list of strings", want: outOfMemory,
		source: `local t = {} while true do t[#t + 1] = ('x'):rep(1e5) end`},
	{name: "growing fields", want: outOfMemory, slow: true,
		source: `local t, i = {}, 0 while true do i = i + 1 t['k' .. i] = i end`},
	{name: "a million coroutines", want: outOfMemory,
		source: `local t = {} for i = 1, 1e6 do t[i] = coroutine.create(function() end) end`},
	{name: "after a write", want: outOfMemory,
		source: `redis.call('set', KEYS[1], 1) local t = {} while true do t[#t + 1] = ('x'):rep(1e5) end`},
	{name: "nested parentheses", want: "syntax levels", source: `return assert(loadstring('return ' .. ('('):rep(5e6)))`},
	{name: "large source", want: "not enough memory", slow: true, source: `return assert(loadstring(('a()'):rep(5e6)))`},
	{name: "source without end", want: "not enough memory",
		source: `return assert(load(function() return ('-'):rep(1e6) end))`},
	{name: "deep JSON", want: "excessive nesting",
		source: `local t = {} for i = 1, 1e5 do t = {t} end return cjson.encode(t)`},
	{name: "large JSON", want: tooLong,
		source: `local s, t = ('x'):rep(1e6), {} for i = 1, 1e4 do t[i] = s end return cjson.encode(t)`},
	{name: "JSON that unfolds", want: "not enough memory",
		source: `return #cjson.decode('[' .. ('{},'):rep(5e6) .. '{}]')`},
	{name: "JSON that doubles", want: tooLong, slow: true,
		source: `local t = {} for i = 1, 60 do t = {t, t} end return cjson.encode(t)`},
	{name: "MessagePack that unfolds", want: "not enough memory",
		source: `return #cmsgpack.unpack('\221\1\0\0\0' .. ('\144'):rep(2^24))`},
	{name: "MessagePack without content", want: "Missing bytes", source: `return cmsgpack.unpack('\221\255\255\255\255')`},
	{name: "deep MessagePack", want: "stack overflow", source: `return cmsgpack.unpack(('\145'):rep(1e6))`},
}

// Each of these scripts ends with an error to its client, while others are served.
func TestScriptLimits(t *testing.T) {
	s := StartT(t)
	s.env.Scripts.SetLimits(luaeval.Limits{Memory: 64 << 20})
	other := dial(t, s)
	ask(t, other, "CONFIG SET busy-reply-threshold 50\r\n", "+OK\r\n")
	for _, b := range limitScripts {
		t.Run(b.name, func(t *testing.T) {
			if b.slow && !testenv.Long() {
				t.Skip("slow")
			}
			b.run(t, dial(t, s), other)
		})
	}
}

// run runs the script on one connection while another one checks that the server replies.
func (b *limitScript) run(t *testing.T, runner, other net.Conn) {
	_, err := fmt.Fprintf(runner, "*4\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n1\r\n$4\r\nbomb\r\n", len(b.source), b.source)
	require.NoError(t, err)
	reply := make(chan string, 1)
	go func() { reply <- readReply(runner) }()
	want := b.want
	if b.kill {
		want = killedByUser
		until(t, other, "PING", busyReply)
		ask(t, other, "SCRIPT KILL\r\n", "+OK\r\n")
	}
	for {
		_, err := other.Write([]byte("PING\r\n"))
		require.NoError(t, err)
		require.Contains(t, []string{"+PONG", busyReply}, readLine(t, other))
		select {
		case got := <-reply:
			require.True(t, strings.HasPrefix(got, "-"), "%.200s", got)
			require.Contains(t, got, want)
			require.Contains(t, got, " script: "+luaeval.SHA1([]byte(b.source)))
			until(t, other, "PING", "+PONG")
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// readReply reads a reply of one line. It returns errors as text, since it is not called by the test's goroutine.
func readReply(nc net.Conn) string {
	var line strings.Builder
	for b := make([]byte, 1); b[0] != '\n'; {
		if _, err := nc.Read(b); err != nil {
			return line.String() + err.Error()
		}
		line.Write(b)
	}
	return strings.TrimSuffix(line.String(), "\r\n")
}

// Ten at a time end in the same way.
func TestScriptLimits_ManyAtOnce(t *testing.T) {
	if !testenv.Long() {
		t.Skip("slow")
	}
	s := StartT(t)
	s.env.Scripts.SetLimits(luaeval.Limits{Memory: 64 << 20})
	s.env.Config.SetFixed("busy-reply-threshold", "600000") // else a client that waits for a shard may get BUSY
	other := dial(t, s)
	replies := make(chan string)
	for i := range 10 {
		nc := dial(t, s)
		_, err := fmt.Fprintf(nc, "EVAL \"local t = {} while true do t[#t + 1] = {} end\" 1 bomb%d\r\n", i)
		require.NoError(t, err)
		go func() { replies <- readReply(nc) }()
	}
	for range 10 {
		require.Contains(t, <-replies, outOfMemory)
		until(t, other, "PING", "+PONG")
	}
}
