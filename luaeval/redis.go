package luaeval

import (
	"math"
	"strings"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// openRedis makes the global table "redis" (Redis: Lua API reference, "The redis object"). The version is that of the
// Redis whose behavior scripts get.
func (st *state) openRedis() {
	L, server := st.L, st.engine.server
	t := st.machine.NewTable(0, 0)
	for name, f := range st.redisFunctions() {
		luafront.RawSetString(t, name, L.NewFunction(f))
	}
	for name, n := range map[string]int{"LOG_DEBUG": 0, "LOG_VERBOSE": 1, "LOG_NOTICE": 2, "LOG_WARNING": 3,
		"REPL_NONE": 0, "REPL_AOF": 1, "REPL_REPLICA": 2, "REPL_SLAVE": 2, "REPL_ALL": replicateAll,
		"REDIS_VERSION_NUM": server.RedisNumber()} {
		luafront.RawSetString(t, name, lua.LNumber(n))
	}
	luafront.RawSetString(t, "REDIS_VERSION", lua.LString(server.RedisVersion()))
	if server.Does(emulate.ServerTable) {
		luafront.RawSetString(t, "SERVER_NAME", lua.LString(server.Product()))
		luafront.RawSetString(t, "VALKEY_VERSION", lua.LString(server.Version))
		luafront.RawSetString(t, "VALKEY_VERSION_NUM", lua.LNumber(server.Number()))
		luafront.SetGlobal(L, "server", t)
	}
	luafront.SetGlobal(L, "redis", t)
}

// redisFunctions are the functions of the table redis for EVAL; functions of libraries lack some (evalOnly).
func (st *state) redisFunctions() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"acl_check_cmd":      st.aclCheckCmd,
		"breakpoint":         breakpoint,
		"call":               func(L *lua.LState) int { return st.call(L, true) },
		"debug":              func(*lua.LState) int { return 0 },
		"error_reply":        st.errorReply,
		"log":                st.log,
		"pcall":              func(L *lua.LState) int { return st.call(L, false) },
		"replicate_commands": replicateCommands,
		"set_repl":           st.setRepl,
		"setresp":            st.setresp,
		"sha1hex":            st.sha1hex,
		"status_reply":       st.statusReply,
	}
}

// call is redis.call if raises is true, else redis.pcall: an error is raised, or returned as a table. When the
// transaction is to be restarted, pcall can't catch what is raised here (bypassPCall).
func (st *state) call(L *lua.LState, raises bool) int {
	words, problem := st.wordsOf(L)
	if problem != "" {
		return st.fail(L, raises, problem)
	}
	v := st.caller.Call(words)
	if st.caller.Restarting() {
		L.RaiseError("abandoned")
	}
	if v.IsError() {
		return st.failWith(L, raises, st.commandError(v.Text()))
	}
	L.Push(st.toLua(v))
	if !st.allocate(0) {
		st.machine.Check(L)
	}
	return 1
}

// commandError returns the table for the error of a command. Its second field says that the error is already counted in
// the statistics; scripts can see the field, as in Redis.
func (st *state) commandError(text string) *lua.LTable {
	t := st.field("err", lua.LString(text))
	luafront.RawSetString(t, countedField, lua.LTrue)
	return t
}

// countedField is the name that Redis gives to that field.
const countedField = "ignore_error_stats_update"

// wordsOf converts the arguments on the stack to those of a command. They are valid until the next call: strings are
// not copied, but share the memory of the Lua strings, and numbers are written to a buffer of the state. A problem is
// the error of Redis.
func (st *state) wordsOf(L *lua.LState) (words [][]byte, problem string) {
	n := L.GetTop()
	if n == 0 {
		return nil, "ERR Please specify at least one argument for this redis lib call"
	}
	st.words, st.digits = st.words[:0], st.digits[:0]
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case lua.LString:
			st.words = append(st.words, unsafe.Slice(unsafe.StringData(string(v)), len(v)))
		case lua.LNumber:
			start := len(st.digits)
			st.digits = st.appendArgument(st.digits, float64(v))
			st.words = append(st.words, st.digits[start:len(st.digits):len(st.digits)])
		default:
			return nil, "ERR Lua redis lib command arguments must be strings or integers"
		}
	}
	return st.words, ""
}

// appendArgument writes a number that a script gives to a command. Before 7.2 it has 17 digits, later as few as tell it
// from its neighbors, and no exponent if it is whole.
func (st *state) appendArgument(dst []byte, f float64) []byte {
	switch {
	case !st.engine.server.Does(emulate.ShortDoubles), math.IsInf(f, 0), math.IsNaN(f):
		return lualib.AppendArgument(dst, f)
	case f == 0:
		return append(dst, '0') // also for -0
	}
	return resp.AppendDouble(dst, f, resp.Shortest)
}

// ofServerTable changes the texts of errors to those of the servers that have the table server.
var ofServerTable = strings.NewReplacer("redis.", "server.", " this redis lib call", " this call",
	"Lua redis lib command arguments", "Command arguments")

// fail raises an error table, or returns it. The text begins with its code, such as ERR.
func (st *state) fail(L *lua.LState, raises bool, text string) int {
	if st.engine.server.Does(emulate.ServerTable) {
		text = ofServerTable.Replace(text)
	}
	return st.failWith(L, raises, st.field("err", lua.LString(text)))
}

// failWith is fail for an error table that exists. It returns the number of results.
func (st *state) failWith(L *lua.LState, raises bool, failure *lua.LTable) int {
	if raises {
		L.Error(failure, 0)
	}
	L.Push(failure)
	return 1
}
