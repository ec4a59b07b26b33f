package luaeval

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// watched returns an engine with a limit in MB whose scripts are watched as in a server.
func watched(t testing.TB, megabytes int64) *Engine {
	t.Helper()
	e := newEngine()
	e.SetLimits(Limits{Memory: megabytes << 20})
	over := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			select {
			case <-over:
				return
			case now := <-tick.C:
				e.Watch(now, time.Hour)
			}
		}
	})
	t.Cleanup(func() {
		close(over)
		watch.Wait()
	})
	return e
}

const memoryReply = "-ERR Script stopped: script memory limit exceeded script: "

// A script that grows without bound in small steps ends with an error, for all types of objects.
func TestEngine_Memory_GrowingScripts(t *testing.T) {
	e := watched(t, 32)
	for name, source := range map[string]string{
		"numbers":        `local t = {} for i = 1, 1e15 do t[i] = i + 0.5 end`,
		"strings":        `local t = {} for i = 1, 1e15 do t[i] = 'text ' .. i end`,
		"long strings":   `local t = {} for i = 1, 1e15 do t[i] = ('x'):rep(1e6) end`,
		"fields":         `local t = {} for i = 1, 1e15 do t['k' .. i] = true end`,
		"nested tables":  `local t = {} while true do t = {t} end`,
		"closures":       `local t = {} for i = 1, 1e15 do t[i] = function() return i end end`,
		"coroutines":     `local t = {} for i = 1, 1e15 do t[i] = coroutine.create(function() end) end`,
		"wrapped":        `local t = {} for i = 1, 1e15 do t[i] = coroutine.wrap(function() end) end`,
		"code":           `local t = {} for i = 1, 1e15 do t[i] = loadstring('return ' .. i .. ' + x') end`,
		"ARGV":           `for i = 1, 1e15 do ARGV[i] = {i} end`,
		"in a coroutine": `coroutine.wrap(function() local t = {} for i = 1, 1e15 do t[i] = {i} end end)()`,
		"under pcall":    `local t = {} while true do pcall(function() for i = 1, 1e15 do t[#t + 1] = {i} end end) end`,
		"in a comparison": `local keep = {} table.sort({1, 2, 3, 4}, function(a, b) while true do keep[#keep + 1] = {a} ` +
			`end end)`,
	} {
		got := eval(t, e, noopCaller{}, source)
		require.True(t, strings.HasPrefix(got, memoryReply+SHA1([]byte(source))), "%s: %.300s", name, got)
	}
}

// Neither garbage nor the memory of another script counts.
func TestEngine_Memory_OnlyTheGrowingScriptEnds(t *testing.T) {
	e := watched(t, 48)
	var innocents sync.WaitGroup
	for range 4 {
		innocents.Go(func() {
			require.Equal(t, ":400\r\n", eval(t, e, noopCaller{}, `local n, s = 0
				for i = 1, 400 do s = ('x'):rep(1e6) .. i n = n + (#s > 0 and 1 or 0) end return n`))
		})
	}
	require.Contains(t, eval(t, e, noopCaller{}, `local t = {} for i = 1, 1e15 do t[i] = {i} end`), memoryReply)
	innocents.Wait()
}

// growingCaller is a Caller whose commands use memory outside scripts.
type growingCaller struct {
	noopCaller
	kept [][]byte
}

func (h *growingCaller) Call([][]byte) resp.Value {
	h.kept = append(h.kept, make([]byte, 8<<10))
	return resp.Zero
}

func (h *growingCaller) Kill() bool { return false } // it has written

func (h *growingCaller) CommandLine() []string { return nil }

// Memory that commands use counts too, with twice the limit, even if the script has written.
func TestEngine_Memory_WhatCommandsKeep(t *testing.T) {
	c := new(growingCaller)
	require.Contains(t, eval(t, watched(t, 16), c, `while true do redis.call('append', 'k', 'v') end`), memoryReply)
	require.Greater(t, len(c.kept), 32<<20/(8<<10))
}

// Single operations fail before they allocate the memory.
func TestEngine_Memory_SingleOperations(t *testing.T) {
	e, c := newEngine(), &recorder{replies: map[string]resp.Value{"large": resp.Array(sameBulk(100, 1<<20)...)}}
	e.SetLimits(Limits{Memory: 16 << 20})
	const longStrings = `local s, t = ('x'):rep(1e6), {} for i = 1, 100 do t[i] = s end `
	for source, want := range map[string]string{
		`return ('x'):rep(1e13)`:                                              "resulting string too large",
		`local s = 'x' while true do s = s .. s end`:                          "string length overflow",
		`return (('x'):rep(1e5):gsub('x', ('y'):rep(1e5)))`:                   "resulting string too large",
		longStrings + `return table.concat(t)`:                                "resulting string too large",
		longStrings + `return cjson.encode(t)`:                                "resulting string too large",
		longStrings + `return cmsgpack.pack(t)`:                               "resulting string too large",
		longStrings + `return t`:                                              "script memory limit exceeded",
		`local t = {1} for i = 1, 60 do t = {t, t} end return t`:              "script memory limit exceeded",
		`local t = {} for i = 1, 60 do t = {t, t} end return cjson.encode(t)`: "resulting string too large",
		`return cjson.encode(('\1'):rep(1e7))`:                                "resulting string too large",
		`return #cjson.decode('[' .. ('{},'):rep(1e6) .. '{}]')`:              "not enough memory",
		`return #cmsgpack.unpack('\221\0\15\66\64' .. ('\144'):rep(1e6))`:     "not enough memory",
		`return #string.format('%1000000000d', 1)`: "invalid format (width or " +
			"precision too long)",
		`return unpack({}, 1, 1e9)`:                                                       "too many results to unpack",
		`redis.call('large') return 1`:                                                    "script memory limit exceeded",
		`return assert(loadstring(('a()'):rep(6e5)))`:                                     "not enough memory",
		`local n = 0 return assert(load(function() n = n + 1 return ('-'):rep(1e6) end))`: "not enough memory",
	} {
		require.Contains(t, eval(t, e, c, source), want, source)
	}
}

func sameBulk(n, size int) []resp.Value {
	values := make([]resp.Value, n)
	for i := range values {
		values[i] = resp.BulkString(strings.Repeat("x", size))
	}
	return values
}

// A number key far beyond a list takes one node, as in Lua.
func TestEngine_Memory_SparseKeys(t *testing.T) {
	e := newEngine()
	e.SetLimits(Limits{Memory: 16 << 20})
	before := allocated()
	require.Equal(t, "*3\r\n:1\r\n:0\r\n:7\r\n",
		eval(t, e, noopCaller{}, `local t = {} t[6e7] = 1 t[3e7] = 7 return {t[6e7], #t, t[3e7]}`))
	require.Less(t, allocated()-before, uint64(1<<20))
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// A state that has become large must not return to the pool.
func TestEngine_Memory_PoolAfterLargeScripts(t *testing.T) {
	for _, source := range []string{
		`local function f(...) return 1 + f(1, ...) end return f()`,
		`for i = 1, 1e6 do ARGV[i] = i end for i = 1, 1e6 do ARGV[i] = nil end`,
	} {
		e := newEngine()
		st := newState(e)
		script, err := e.Load([]byte(source))
		require.NoError(t, err)
		st.runScript(script, nil, nil, noopCaller{})
		e.release(st)
		require.NotSame(t, st, e.states.Get(), source)
	}
}

// A deep recursion is an ordinary error of a script; the state stays usable.
func TestEngine_DeepRecursion(t *testing.T) {
	e := newEngine()
	for _, c := range [][2]string{
		{`local function f() return 1 + f() end return f()`, "user_script:1: stack overflow"},
		{`local function f(...) return 1 + f(1, ...) end return f()`, "user_script:1: stack overflow"},
		{`local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]`,
			"user_script:1: C stack overflow"},
		{`local function f() coroutine.wrap(f)() end f()`, "user_script:1: C stack overflow"},
		{`local function f() local ok, e = pcall(f) if not ok then error(e, 0) end end f()`, "C stack overflow"},
		{`local function f(s) return s:gsub('.', f) end return f('x')`, "C stack overflow"},
		{`return assert(loadstring('return ' .. ('('):rep(1e6) .. '1' .. (')'):rep(1e6)))`,
			"chunk has too many syntax levels"},
		{`return assert(loadstring('return ' .. ('not '):rep(2e6) .. '1'))`, "chunk has too many syntax levels"},
		{`local t = {} for i = 1, 1e5 do t = {t} end return cjson.encode(t)`, "excessive nesting (1001)"},
		{`local t = {} t[1] = t return t`, "reached lua stack limit"},
		{`return cmsgpack.unpack(('\145'):rep(1e6) .. '\1')`, "stack overflow (in function mp_decode_to_lua_array)"},
		{`return cjson.decode(('['):rep(1e6))`, "too many nested data structures (1001)"},
		{`local t = {} t = setmetatable(t, {__tostring = function() return tostring(t) end}) tostring(t)`,
			"C stack overflow"},
	} {
		source, want := c[0], c[1]
		require.Contains(t, eval(t, e, noopCaller{}, source), want, source)
		require.Equal(t, ":2\r\n", eval(t, e, noopCaller{}, `return 1 + 1`), "after %s", source)
	}
}

// panickingCaller is a Caller whose commands panic.
type panickingCaller struct{ noopCaller }

func (panickingCaller) Call([][]byte) resp.Value { panic(runtime.Error(new(runtime.PanicNilError))) }

// A panic in Go code ends the script, which can't catch it, and its state is not used again.
func TestEngine_InternalError(t *testing.T) {
	e := newEngine()
	for _, source := range []string{
		`redis.call('x')`,
		`return pcall(redis.call, 'x')`,
		`return coroutine.resume(coroutine.create(function() redis.call('x') end))`,
	} {
		require.Equal(t, "-ERR internal error\r\n", eval(t, e, panickingCaller{}, source), source)
	}
	st := newState(e)
	st.broken = true
	e.release(st)
	require.NotSame(t, st, e.states.Get())
	require.NotNil(t, (&luafront.Fault{Cause: "why"}).Error())
}
