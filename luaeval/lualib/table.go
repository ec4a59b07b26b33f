package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Functions that change a table raise an error if it is read-only, as the Lua of Redis does. Elements are read and
// written without metamethods, and the length is that of Lua 5.1 (luafront.Len), which for a list with holes depends on
// how the list was made.

// tableFunctions are the functions of the table table, those that Lua 5.1 calls obsolete included.
func (l *library) tableFunctions() []function {
	return []function{
		{"concat", l.concat}, {"foreach", foreach}, {"foreachi", foreachi}, {"getn", getn}, {"insert", l.insert},
		{"maxn", maxn}, {"remove", l.remove}, {"setn", setn}, {"sort", l.sort},
	}
}

// checkWritable raises an error for a read-only table.
func (l *library) checkWritable(L *lua.LState, t *lua.LTable) {
	if l.ReadOnly != nil && l.ReadOnly(t) {
		raisePlain(L, "Attempt to modify a readonly table")
	}
}

// concat is table.concat(t, separator, first, last), by default all of the list. Lua checks the separator before the
// table.
func (l *library) concat(L *lua.LState) int {
	separator := OptString(L, 2, "")
	t := CheckTable(L, 1)
	first := optInt(L, 3, 1)
	last := luafront.Len(t)
	if !isNoneOrNil(L, 4) {
		last = checkInt(L, 4)
	}
	out := l.takeBuffer()
	for i := first; i <= last; i++ {
		out = appendField(L, out, t, i)
		if i < last {
			out = append(out, separator...)
		}
		l.checkLength(L, len(out))
		l.tick(L)
	}
	return l.pushBuffer(L, out)
}

// appendField appends t[i], which must be a string or a number.
func appendField(L *lua.LState, out []byte, t *lua.LTable, i int) []byte {
	switch v := luafront.RawGetInt(t, i).(type) {
	case lua.LString:
		return append(out, v...)
	case lua.LNumber:
		return AppendNumber(out, float64(v))
	default:
		raise(L, "invalid value (%s) at index %d in table for 'concat'", v.Type().String(), i)
		return out
	}
}

// insert is table.insert(t, position, v), or table.insert(t, v) at the end: the elements from the position on move up.
// A position far behind the end leaves a hole.
func (l *library) insert(L *lua.LState) int {
	t := CheckTable(L, 1)
	end := luafront.Len(t) + 1
	at := end
	switch L.GetTop() {
	case 2:
	case 3:
		at = checkInt(L, 2)
	default:
		raise(L, "wrong number of arguments to 'insert'")
	}
	l.checkWritable(L, t)
	// With a position beyond the end nothing moves.
	for i := max(end, at); i > at; i-- {
		l.tick(L)
		luafront.RawSetInt(t, i, luafront.RawGetInt(t, i-1))
	}
	luafront.RawSetInt(t, at, L.Get(-1))
	return 0
}

// remove is table.remove(t, position), the last element by default: those behind it move down. Without an element at
// the position it returns nothing, not nil.
func (l *library) remove(L *lua.LState) int {
	t := CheckTable(L, 1)
	end := luafront.Len(t)
	at := optInt(L, 2, end)
	if at < 1 || at > end {
		return 0
	}
	l.checkWritable(L, t)
	L.Push(luafront.RawGetInt(t, at))
	for ; at < end; at++ {
		l.tick(L)
		luafront.RawSetInt(t, at, luafront.RawGetInt(t, at+1))
	}
	luafront.RawSetInt(t, end, lua.LNil)
	return 1
}

// getn is table.getn(t), the length.
func getn(L *lua.LState) int {
	pushInt(L, luafront.Len(CheckTable(L, 1)))
	return 1
}

// setn is table.setn, which only raises an error in Lua 5.1.
func setn(L *lua.LState) int {
	CheckTable(L, 1)
	raise(L, "'setn' is obsolete")
	return 0
}

// maxn is table.maxn(t): the largest number among the keys, 0 if there is none.
func maxn(L *lua.LState) int {
	t := CheckTable(L, 1)
	largest := 0.0
	for k := range luafront.All(t) {
		if n, ok := k.(lua.LNumber); ok {
			largest = max(largest, float64(n))
		}
	}
	pushNumber(L, largest)
	return 1
}

// foreachi is table.foreachi(t, f): it calls f(i, t[i]) for the list until f returns a value that is not nil, and
// returns that. The length is read once, before the first call.
func foreachi(L *lua.LState) int {
	t := CheckTable(L, 1)
	n := luafront.Len(t)
	f := CheckFunction(L, 2)
	for i := 1; i <= n; i++ {
		if stop := callPair(L, f, number(float64(i)), luafront.RawGetInt(t, i)); stop {
			return 1
		}
	}
	return 0
}

// foreach is table.foreach(t, f): foreachi for all fields, in the order of pairs. f may clear fields of t.
func foreach(L *lua.LState) int {
	t := CheckTable(L, 1)
	f := CheckFunction(L, 2)
	for k, v := following(L, t, lua.LNil); k != lua.LNil; k, v = following(L, t, k) {
		if stop := callPair(L, f, k, v); stop {
			return 1
		}
	}
	return 0
}

// following is lua_next: the field that follows a key. A key that is not in the table is an error.
func following(L *lua.LState, t *lua.LTable, key lua.LValue) (next, value lua.LValue) {
	next, value, ok := luafront.Next(t, key)
	if !ok {
		raisePlain(L, "invalid key to 'next'")
	}
	return next, value
}

// callPair calls f(k, v) and leaves a result that is not nil on the stack.
func callPair(L *lua.LState, f *lua.LFunction, k, v lua.LValue) (stop bool) {
	L.Push(f)
	L.Push(k)
	L.Push(v)
	L.Call(2, 1)
	if L.Get(-1) != lua.LNil {
		return true
	}
	L.Pop(1)
	return false
}
