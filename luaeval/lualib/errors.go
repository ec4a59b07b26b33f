package lualib

import (
	"fmt"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// raise raises an error with the caller's position before the text, as luaL_error does. It does not return.
func raise(L *lua.LState, format string, args ...any) {
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	raiseBare(L, where(L)+message)
}

// raiseBare raises an error without a position, as Lua's core does when a C function runs. It does not return.
func raiseBare(L *lua.LState, message string) { L.Error(lua.LString(message), 0) }

// where is luaL_where(1): "chunk:line: " of the function that called the running one, or "" when that is no Lua function.
func where(L *lua.LState) string {
	caller, ok := L.GetStack(1)
	if !ok {
		return ""
	}
	if _, err := L.GetInfo("Sl", caller, lua.LNil); err != nil || caller.CurrentLine <= 0 {
		return ""
	}
	return chunkName(caller.Source) + ":" + strconv.Itoa(caller.CurrentLine) + ": "
}

// chunkName drops the mark by which Lua knows that a chunk's name is not its source.
func chunkName(source string) string {
	if strings.HasPrefix(source, "@") || strings.HasPrefix(source, "=") {
		return source[1:]
	}
	return source
}

// argError is luaL_argerror: it names the function as its caller does, and does not count a method's self.
func argError(L *lua.LState, n int, message string) {
	name, method := calledName(L)
	if method {
		n--
		if n == 0 {
			raise(L, "calling '%s' on bad self (%s)", name, message)
		}
	}
	raise(L, "bad argument #%d to '%s' (%s)", n, name, message)
}

// typeError is luaL_typerror.
func typeError(L *lua.LState, n int, want string) {
	argError(L, n, want+" expected, got "+typeName(L, n))
}
