package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// Registers is how many registers a state has allocated. They never become fewer.
func Registers(L *lua.LState) int { return len(internals(L).reg.array) }

// Places is how many values a table has room for, about: it does not shrink when values are taken out.
func Places(table *lua.LTable) int {
	t := converted(table)
	return cap(t.array) + len(t.hash().nodes)
}
