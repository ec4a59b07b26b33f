package luaeval

import (
	"strings"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// openRedis makes the global table "redis" (Redis: Lua API reference, "The redis object").
func (st *state) openRedis() {
	L := st.L
	t := L.CreateTable(0, 32)
	for name, f := range map[string]lua.LGFunction{
		"call":         func(L *lua.LState) int { return st.call(L, true) },
		"pcall":        func(L *lua.LState) int { return st.call(L, false) },
		"error_reply":  func(L *lua.LState) int { return st.statusTable(L, "err") },
		"status_reply": func(L *lua.LState) int { return st.statusTable(L, "ok") },
		"sha1hex":      st.sha1hex,
		"log":          st.log,
		"setresp":      st.setresp,
	} {
		t.RawSetString(name, L.NewFunction(f))
	}
	for name, n := range map[string]int{"LOG_DEBUG": 0, "LOG_VERBOSE": 1, "LOG_NOTICE": 2, "LOG_WARNING": 3,
		"REPL_NONE": 0, "REPL_AOF": 1, "REPL_REPLICA": 2, "REPL_SLAVE": 2, "REPL_ALL": 3, "REDIS_VERSION_NUM": 0x0007000f} {
		t.RawSetString(name, lua.LNumber(n))
	}
	t.RawSetString("REDIS_VERSION", lua.LString("7.0.15"))
	L.SetGlobal("redis", t)
}

// call is redis.call and, without raising, redis.pcall.
func (st *state) call(L *lua.LState, raising bool) int {
	n := L.GetTop()
	if n == 0 {
		return st.fail(L, raising, "ERR Please specify at least one argument for this redis lib call")
	}
	words, ok := st.wordsOf(L, n)
	if !ok {
		return st.fail(L, raising, "ERR Lua redis lib command arguments must be strings or integers")
	}
	v := st.caller.Call(words)
	if st.caller.Abandoned() {
		L.RaiseError("abandoned")
	}
	if v.IsError() {
		return st.fail(L, raising, v.Text())
	}
	L.Push(st.toLua(v))
	return 1
}

// wordsOf makes the words of a command of the arguments on the stack. They are valid until the next call.
func (st *state) wordsOf(L *lua.LState, n int) ([][]byte, bool) {
	st.words, st.digits = st.words[:0], st.digits[:0]
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case lua.LString:
			st.words = append(st.words, unsafe.Slice(unsafe.StringData(string(v)), len(v)))
		case lua.LNumber:
			start := len(st.digits)
			st.digits = lualib.AppendArgument(st.digits, float64(v))
			st.words = append(st.words, st.digits[start:len(st.digits):len(st.digits)])
		default:
			return nil, false
		}
	}
	return st.words, true
}

// fail raises an error table, or returns it.
func (st *state) fail(L *lua.LState, raising bool, text string) int {
	t := st.field("err", lua.LString(text))
	if raising {
		L.Error(t, 0)
	}
	L.Push(t)
	return 1
}

// statusTable is redis.status_reply and redis.error_reply.
func (st *state) statusTable(L *lua.LState, field string) int {
	text, ok := L.Get(1).(lua.LString)
	if !ok || L.GetTop() != 1 {
		return st.fail(L, false, "ERR wrong number or type of arguments")
	}
	if field == "err" {
		text = lua.LString(strings.TrimPrefix(string(text), "-"))
	}
	L.Push(st.field(field, text))
	return 1
}

func (st *state) sha1hex(L *lua.LState) int {
	if L.GetTop() != 1 {
		return st.fail(L, true, "ERR wrong number of arguments")
	}
	L.Push(lua.LString(SHA1([]byte(L.ToString(1)))))
	return 1
}

func (st *state) setresp(L *lua.LState) int {
	if L.GetTop() != 1 {
		return st.fail(L, true, "ERR redis.setresp() requires one argument.")
	}
	n, ok := L.Get(1).(lua.LNumber)
	if !ok || n != resp.RESP2 && n != resp.RESP3 {
		return st.fail(L, true, "ERR RESP version must be 2 or 3.")
	}
	st.proto = int(n)
	return 0
}
