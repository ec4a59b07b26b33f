package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// raise raises an error with the position of the caller before the text, as luaL_error does. It does not return.
func raise(L *lua.LState, text string) { raisePlain(L, luafront.Where(L, 1)+text) }

// raisePlain raises an error without a position. It does not return.
func raisePlain(L *lua.LState, text string) { L.Error(lua.LString(text), 0) }
