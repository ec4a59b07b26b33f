package luafront

import (
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/minilockd/minilockd/internal/require"
)

// lockScript takes a lock as RedissonLock does, with at most three calls.
const lockScript = "if (redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then " +
	"redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end " +
	"return redis.call('pttl', KEYS[1])"

func BenchmarkCompile_LockScript(b *testing.B) {
	b.Run("luafront", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = Compile(lockScript, "@user_script")
		}
	})
	b.Run("gopher-lua", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			chunk, _ := parse.Parse(strings.NewReader(lockScript), "user_script")
			_, _ = lua.Compile(chunk, "user_script")
		}
	})
}

// BenchmarkRun compares installed states with plain ones; both run the same code on the same replaced instructions.
func BenchmarkRun(b *testing.B) {
	for name, script := range map[string]string{
		"loop":    "local s = 0 for i = 1, 1000 do s = s + i % 7 end return s",
		"while":   "local i = 0 while i < 1000 do i = i + 1 end return i",
		"call":    "local function f(x) return x end for i = 1, 1000 do f(i) end return 1",
		"concat2": "local s, t = 'abc', 'def' for i = 1, 1000 do local r = s .. t end return 1",
		"concat4": "local s, t = 'abc', 'def' for i = 1, 1000 do local r = s .. ':' .. t .. ':' end return 1",
		"table":   "local t = {} for i = 1, 1000 do t[i] = i t.x = t[i] end return 1",
		"nothing": "return 1",
	} {
		proto, err := Compile(script, "@user_script")
		require.NoError(b, err)
		b.Run(name+"/installed", func(b *testing.B) {
			L, m := newState(b, Config{})
			run(b, L, proto, func() error { return m.PCall(L, 0, 1) })
		})
		b.Run(name+"/plain", func(b *testing.B) {
			L := lua.NewState(stateOptions)
			defer L.Close()
			run(b, L, proto, func() error { return L.PCall(0, 1, nil) })
		})
		b.Run(name+"/original", func(b *testing.B) {
			replaced := jumpTable
			jumpTable = original
			defer func() { jumpTable = replaced }()
			L := lua.NewState(stateOptions)
			defer L.Close()
			run(b, L, proto, func() error { return L.PCall(0, 1, nil) })
		})
	}
}

func run(b *testing.B, L *lua.LState, proto *lua.FunctionProto, call func() error) {
	function := L.NewFunctionFromProto(proto)
	b.ReportAllocs()
	for b.Loop() {
		L.Push(function)
		if err := call(); err != nil {
			b.Fatal(err)
		}
		L.Pop(1)
	}
}
