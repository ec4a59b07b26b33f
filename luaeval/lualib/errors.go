package lualib

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Library functions are C functions in Lua. Their own errors begin with the position of the Lua function that calls
// them; errors that the core of Lua finds while they run, such as a comparison of nil, have none. Both kinds raise a
// string, and scripts can see the difference.

// raise raises an error with the position of the caller before the text, as luaL_error does. It does not return.
// Without args the format is the text, in which a % needs no escape.
func raise(L *lua.LState, format string, args ...any) {
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	raisePlain(L, luafront.Where(L, 1)+message)
}

// raisePlain raises an error without a position, as the core of Lua does when a C function runs. It does not return.
func raisePlain(L *lua.LState, message string) { L.Error(lua.LString(message), 0) }

// argError is luaL_argerror: it names the function as its caller does, and does not count the self of a method.
func argError(L *lua.LState, n int, message string) { luafront.ArgError(L, n, message) }

// typeError is luaL_typerror: "string expected, got no value".
func typeError(L *lua.LState, n int, want string) {
	argError(L, n, want+" expected, got "+typeName(L, n))
}
