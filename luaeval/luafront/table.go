package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// maxList is the number key beyond which a table's list grows only at its end. gopher-lua keeps all keys below 67,108,864 in the
// list and fills the gap before a new one: t[6e7] = 1 takes a gigabyte, where Lua uses one slot of a hash. Beyond maxList a key
// that does not follow the list goes into gopher-lua's hash, which it does not search for such keys by itself.
const maxList = 1 << 20

// getTable carries out OP_GETTABLE.
func getTable(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	if key, ok := s.value(argC(inst)).(lua.LNumber); ok && key > maxList && MachineOf(L) != nil {
		if table, ok := s.register(argB(inst)).(*lua.LTable); ok {
			if v := table.RawGetH(key); v != lua.LNil {
				s.setRegister(argA(inst), v)
				return 0
			}
		}
	}
	return original[lua.OP_GETTABLE](L, inst, base)
}

// setTable carries out OP_SETTABLE and OP_SETTABLEKS.
func setTable(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	table, ok := s.register(argA(inst)).(*lua.LTable)
	m := MachineOf(L)
	if !ok || m == nil {
		return original[opcode(inst)](L, inst, base)
	}
	if m.readOnly.has(table) {
		L.RaiseError(ReadOnlyMessage)
	}
	if table.Metatable != lua.LNil {
		checkKey(L, s.value(argB(inst))) // before __newindex is looked for
	}
	if key, ok := s.value(argB(inst)).(lua.LNumber); ok && key > maxList {
		if L.GetMetaField(table, "__newindex") == lua.LNil || RawGet(table, key) != lua.LNil {
			RawSet(table, key, s.value(argC(inst)))
			return 0
		}
	}
	return original[opcode(inst)](L, inst, base)
}

// checkKey refuses the keys that no table can have.
func checkKey(L *lua.LState, key lua.LValue) {
	if key == lua.LNil {
		L.RaiseError("table index is nil")
	}
	if n, ok := key.(lua.LNumber); ok && n != n {
		L.RaiseError("table index is NaN")
	}
}

// RawGet reads a table as scripts see it, without metamethods. For functions like rawget, in place of LTable's.
func RawGet(table *lua.LTable, key lua.LValue) lua.LValue {
	if n, ok := key.(lua.LNumber); ok && n > maxList {
		if v := table.RawGetH(key); v != lua.LNil {
			return v
		}
	}
	return table.RawGet(key)
}

// RawSet writes into a table as scripts do, without metamethods. For functions like rawset, in place of LTable's.
func RawSet(table *lua.LTable, key, value lua.LValue) {
	n, ok := key.(lua.LNumber)
	if !ok || n <= maxList {
		table.RawSet(key, value)
		return
	}
	parts := partsOf(table)
	if n > lua.LNumber(len(parts.array)+1) {
		table.RawSetH(key, value)
		return
	}
	if parts.dict[key] != nil { // from before the list grew up to it
		table.RawSetH(key, lua.LNil)
	}
	table.RawSet(key, value)
}

// HasKey tells whether a table has a key or had it once: next goes on from either.
func HasKey(table *lua.LTable, key lua.LValue) bool {
	parts := partsOf(table)
	if n, ok := key.(lua.LNumber); ok && n >= 1 && n <= lua.LNumber(len(parts.array)) && n == lua.LNumber(int(n)) {
		return true
	}
	_, ok := parts.k2i[key]
	return ok
}

// Len is the length of a table as Lua 5.1 finds it, by halving where the list ends with nil. LTable.Len looks at every place from
// the end, so that emptying a list from behind would take time by the square of its length. Where a list has holes either answer
// is right, and this one is Lua's as long as both keep as many places for the list.
func Len(table *lua.LTable) int {
	array := partsOf(table).array
	if endsFull(table) {
		return len(array)
	}
	begin, end := 0, len(array)
	for end-begin > 1 {
		if middle := (begin + end) / 2; array[middle-1] == lua.LNil {
			end = middle
		} else {
			begin = middle
		}
	}
	return begin
}

// endsFull tells that a table's list does not end with nil.
func endsFull(table *lua.LTable) bool {
	array := partsOf(table).array
	return len(array) == 0 || array[len(array)-1] != lua.LNil
}
