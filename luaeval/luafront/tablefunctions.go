package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// InstallTables sets the functions ipairs, next, pairs, rawget and rawset of a state that Install was called for.
func InstallTables(L *lua.LState) {
	m := MachineOf(L)
	following, inList := L.NewFunction(next), L.NewFunction(m.nextOfList)
	SetGlobal(L, "next", following)
	SetGlobal(L, "pairs", L.NewFunction(walk(following, lua.LNil)))
	SetGlobal(L, "ipairs", L.NewFunction(walk(inList, number(0))))
	SetGlobal(L, "rawget", L.NewFunction(rawGet))
	SetGlobal(L, "rawset", L.NewFunction(m.rawSet))
}

// walk makes pairs and ipairs: functions that give the three values of a generic for.
func walk(iterator *lua.LFunction, first lua.LValue) lua.LGFunction {
	return func(L *lua.LState) int {
		t := checkTable(L, 1)
		L.Push(iterator)
		L.Push(t)
		L.Push(first)
		return 3
	}
}

// next is next(t, key): the field that follows, or nil alone at the end.
func next(L *lua.LState) int {
	key, value, ok := Next(checkTable(L, 1), L.Get(2))
	if !ok {
		raise(L, lua.LString("invalid key to 'next'"))
	}
	L.Push(key)
	if key == lua.LNil {
		return 1
	}
	L.Push(value)
	return 2
}

// nextOfList is the iterator of ipairs: nothing at the first nil.
func (m *Machine) nextOfList(L *lua.LState) int {
	i := m.integer(L, 2) + 1
	v := RawGetInt(checkTable(L, 1), i)
	if v == lua.LNil {
		return 0
	}
	L.Push(number(i))
	L.Push(v)
	return 2
}

// rawGet is rawget(t, key).
func rawGet(L *lua.LState) int {
	L.Push(RawGet(checkTable(L, 1), checkAny(L, 2)))
	return 1
}

// rawSet is rawset(t, key, value). As for all errors of the core of Lua in a C function, the error for a bad key
// has no position.
func (m *Machine) rawSet(L *lua.LState) int {
	t, key, value := checkTable(L, 1), checkAny(L, 2), checkAny(L, 3)
	n, isNumber := key.(lua.LNumber)
	switch {
	case m.ReadOnly(t):
		raise(L, lua.LString(ReadOnlyMessage))
	case key == lua.LNil:
		raise(L, lua.LString("table index is nil"))
	case isNumber && n != n:
		raise(L, lua.LString("table index is NaN"))
	}
	RawSet(t, key, value)
	L.Push(t)
	return 1
}

// checkTable accepts a table only as argument n.
func checkTable(L *lua.LState, n int) *lua.LTable {
	t, ok := L.Get(n).(*lua.LTable)
	if !ok {
		wrongType(L, n, "table")
	}
	convertedIn(L, t)
	return t
}

// checkAny accepts all but an argument that is not there.
func checkAny(L *lua.LState, n int) lua.LValue {
	if n > L.GetTop() {
		ArgError(L, n, "value expected")
	}
	return L.Get(n)
}

// integer returns an argument as an int of C.
func (m *Machine) integer(L *lua.LState, n int) int {
	f, ok := m.toNumber(L.Get(n))
	if !ok {
		wrongType(L, n, "number")
	}
	return int(int32(f))
}

// wrongType raises the error for an argument of another type than want (luaL_typerror).
func wrongType(L *lua.LState, n int, want string) {
	given := "no value"
	if n <= L.GetTop() {
		given = L.Get(n).Type().String()
	}
	ArgError(L, n, want+" expected, got "+given)
}
