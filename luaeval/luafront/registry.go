package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// Registers is how many registers a state has allocated. They never become fewer.
func Registers(L *lua.LState) int { return len(internals(L).reg.array) }

// Places is how many values a table has room for, about: neither its list nor its keys shrink when values are taken out.
func Places(table *lua.LTable) int {
	parts := partsOf(table)
	return cap(parts.array) + cap(parts.keys)
}
