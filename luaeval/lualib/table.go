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

// checkWritable refuses a table that the owner protects.
func (l *library) checkWritable(L *lua.LState, t *lua.LTable) {
	if l.ReadOnly != nil && l.ReadOnly(t) {
		raiseBare(L, "Attempt to modify a readonly table")
	}
}

// setInt writes t[i] without metamethods.
func setInt(L *lua.LState, t *lua.LTable, i int, v lua.LValue) {
	checkGap(L, t, float64(i))
	t.RawSetInt(i, v)
}

// checkGap refuses an array index so far behind the table's end that gopher-lua would fill memory up to it.
func checkGap(L *lua.LState, t *lua.LTable, i float64) {
	if i > maxTableGap && i < float64(lua.MaxArrayIndex) && i > float64(t.Len()+maxTableGap) {
		raiseBare(L, "table overflow")
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
	switch v := getInt(t, i).(type) {
	case lua.LString:
		return append(out, v...)
	case lua.LNumber:
		return AppendNumber(out, float64(v))
	default:
		raise(L, "invalid value (%s) at index %d in table for 'concat'", v.Type().String(), i)
		return out
	}
}

// insert is table.insert. gopher-lua's own Insert moves within the array part; other places are moved one by one.
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
	v := L.Get(-1)
	switch {
	case at >= end:
		setInt(L, t, at, v)
	case at >= 1:
		t.Insert(at, v)
	default:
		l.shiftUp(L, t, at, end)
		setInt(L, t, at, v)
	}
	return 0
}

// shiftUp moves t[from] to t[end-1] one further, from being outside the array part.
func (l *library) shiftUp(L *lua.LState, t *lua.LTable, from, end int) {
	for i := end; i > from; i-- {
		l.tick(L)
		t.RawSetInt(i, getInt(t, i-1))
	}
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
	L.Push(t.Remove(at))
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

// maxn gives the greatest number among the keys.
func maxn(L *lua.LState) int {
	t := CheckTable(L, 1)
	greatest := float64(t.Len())
	for k, _ := firstHash(t); k != lua.LNil; k, _ = t.Next(k) {
		if n, ok := k.(lua.LNumber); ok {
			greatest = max(greatest, float64(n))
		}
	}
	pushNumber(L, greatest)
	return 1
}

func foreachi(L *lua.LState) int {
	t := CheckTable(L, 1)
	n := luafront.Len(t)
	f := CheckFunction(L, 2)
	for i := 1; i <= n; i++ {
		if stop := callPair(L, f, number(float64(i)), getInt(t, i)); stop {
			return 1
		}
	}
	return 0
}

// foreach is table.foreach over the keys as they are at its beginning.
func foreach(L *lua.LState) int {
	t := CheckTable(L, 1)
	f := CheckFunction(L, 2)
	for _, k := range Keys(nil, t) {
		v := t.RawGet(k)
		if v == lua.LNil {
			continue // removed by f
		}
		if stop := callPair(L, f, k, v); stop {
			return 1
		}
	}
	return 0
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
