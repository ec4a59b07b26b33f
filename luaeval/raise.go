package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// raise raises an error with the caller's position before the text, raiseBare without one.
func raise(L *lua.LState, text string) { raiseBare(L, luafront.Where(L, 1)+text) }

func raiseBare(L *lua.LState, text string) { L.Error(lua.LString(text), 0) }
