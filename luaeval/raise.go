package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// raise raises an error with the caller's position before the text, raisePlain without it.
func raise(L *lua.LState, text string) { raisePlain(L, luafront.Where(L, 1)+text) }

func raisePlain(L *lua.LState, text string) { L.Error(lua.LString(text), 0) }
