package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
)

// state is a Lua state with all libraries, used by one script after the other and by one goroutine at a time.
type state struct {
	engine     *Engine
	L          *lua.LState
	keys, argv *lua.LTable

	// Of the script that runs:
	caller Caller
	proto  int // of RESP, as redis.setresp has set it
	line   int // where the last error was raised by a function of ours, 0 if unknown
	words  [][]byte
	digits []byte // text of the numbers among words
}

func newState(e *Engine) *state {
	L := newLuaState()
	st := &state{engine: e, L: L, proto: resp.RESP2, keys: L.NewTable(), argv: L.NewTable()}
	openLibraries(st)

	st.openRedis()
	L.SetGlobal("KEYS", st.keys)
	L.SetGlobal("ARGV", st.argv)
	st.protectGlobals()
	return st
}
