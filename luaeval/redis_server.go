package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
)

// Functions of the table redis about the server. There are no AOF and no debugger: the functions for these check their
// arguments as Redis does, and do nothing.

// replicateAll is redis.REPL_ALL, all that redis.set_repl knows, and replicateToReplicas redis.REPL_REPLICA.
const (
	replicateAll        = 3
	replicateToReplicas = 2
)

// setRepl is redis.set_repl(flags). That the error of Redis 7.0 names two arguments is a fault of it.
func (st *state) setRepl(L *lua.LState) int {
	if L.GetTop() != 1 {
		if st.engine.server.Does(emulate.RightScriptErrors) {
			return st.fail(L, true, "ERR redis.set_repl() requires one argument.")
		}
		return st.fail(L, true, "ERR redis.set_repl() requires two arguments.")
	}
	flags, _ := integerOf(L.Get(1))
	if flags&^replicateAll != 0 {
		return st.fail(L, true, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.")
	}
	st.caller.SetReplicated(flags&replicateToReplicas != 0)
	return 0
}

// replicateCommands is redis.replicate_commands(), which is always on since Redis 7.
func replicateCommands(L *lua.LState) int {
	L.Push(boxInt(1))
	return 1
}

// breakpoint is redis.breakpoint(): there is no debugger.
func breakpoint(L *lua.LState) int {
	L.Push(lua.LFalse)
	return 1
}

// aclCheckCmd is redis.acl_check_cmd(command, …): whether the user that runs the script may call that, keys and
// channels included. A command that does not exist is an error.
func (st *state) aclCheckCmd(L *lua.LState) int {
	words, problem := st.wordsOf(L)
	if problem != "" {
		return st.fail(L, true, problem)
	}
	allowed, known := st.caller.MayCall(words)
	if !known {
		return st.fail(L, true, "ERR Invalid command passed to redis.acl_check_cmd()")
	}
	L.Push(lua.LBool(allowed))
	return 1
}
