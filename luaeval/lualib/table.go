package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

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

// concat is table.concat. Lua checks the separator before the table.
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

// insert is table.insert: the elements from the position on move up.
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
	for i := max(end, at); i > at; i-- {
		l.tick(L)
		luafront.RawSetInt(t, i, luafront.RawGetInt(t, i-1))
	}
	luafront.RawSetInt(t, at, L.Get(-1))
	return 0
}

// remove is table.remove: without an element at the place it returns nothing, not nil.
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

func getn(L *lua.LState) int {
	pushInt(L, luafront.Len(CheckTable(L, 1)))
	return 1
}

func setn(L *lua.LState) int {
	CheckTable(L, 1)
	raise(L, "'setn' is obsolete")
	return 0
}

// maxn returns the largest number among the keys.
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

// foreach is table.foreach: f may clear fields on the way.
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

// following is lua_next.
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
