package lualib

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Strings are bytes: positions count bytes from 1, or from the end if they are negative, and a NUL is a byte like any
// other. Only patterns and formats end at a NUL, as they are C strings in Lua (cString).

// openString sets the global string, which is also what strings are indexed by: ("x"):rep(3).
func (l *library) openString(L *lua.LState) {
	gmatch := L.NewFunction(l.gmatch)
	module := newModule(L, []function{
		{"byte", byteValues}, {"char", l.char}, {"dump", dump}, {"find", l.find}, {"format", l.format},
		{"gsub", l.gsub}, {"len", stringLength}, {"lower", l.lower}, {"match", l.match}, {"rep", l.rep},
		{"reverse", l.reverse}, {"sub", substring}, {"upper", l.upper},
	})
	luafront.RawSetString(module, "gfind", gmatch) // its name before Lua 5.1
	luafront.RawSetString(module, "gmatch", gmatch)
	luafront.SetGlobal(L, "string", module)
	meta := luafront.NewTable(0, 1)
	luafront.RawSetString(meta, "__index", module)
	L.SetMetatable(lua.LString(""), meta)
}

// stringLength is string.len(s), in bytes.
func stringLength(L *lua.LState) int {
	pushInt(L, len(CheckString(L, 1)))
	return 1
}

// position converts a position that may count from the end, -1 being the last byte, to one from the start; 0 is before
// the start.
func position(i, length int) int {
	if i < 0 {
		i += length + 1
	}
	return max(i, 0)
}

// substring is string.sub(s, first, last), the last byte by default. The result shares the bytes of s.
func substring(L *lua.LState) int {
	s := CheckString(L, 1)
	first := max(position(checkInteger(L, 2), len(s)), 1)
	last := min(position(optInteger(L, 3, -1), len(s)), len(s))
	if first > last {
		pushString(L, "")
		return 1
	}
	pushString(L, s[first-1:last])
	return 1
}

// byteValues is string.byte(s, first, last): the bytes as numbers, by default the first one alone.
func byteValues(L *lua.LState) int {
	s := CheckString(L, 1)
	first := position(optInteger(L, 2, 1), len(s))
	last := min(position(optInteger(L, 3, first), len(s)), len(s))
	first = max(first, 1)
	if first > last {
		return 0
	}
	n := last - first + 1
	checkStack(L, L.GetTop(), n, "string slice too long")
	for _, c := range []byte(s[first-1 : last]) {
		L.Push(smallNumbers[c])
	}
	return n
}

// char is string.char(byte, …).
func (l *library) char(L *lua.LState) int {
	out := l.takeBuffer()
	for i := 1; i <= L.GetTop(); i++ {
		c := checkInt(L, i)
		if c < 0 || c > 255 {
			argError(L, i, "invalid value")
		}
		out = append(out, byte(c))
	}
	return l.pushBuffer(L, out)
}

// rep is string.rep(s, n), which checks the length before it allocates the result.
func (l *library) rep(L *lua.LState) int {
	s := CheckString(L, 1)
	n := checkInt(L, 2)
	if n <= 0 || s == "" {
		pushString(L, "")
		return 1
	}
	if n > l.MaxString/len(s) {
		l.checkLength(L, l.MaxString+1)
	}
	if n*len(s) > spareBuffer {
		l.OnAlloc(n * len(s))
	}
	pushString(L, strings.Repeat(s, n))
	return 1
}

// reverse is string.reverse(s), byte by byte.
func (l *library) reverse(L *lua.LState) int {
	out := append(l.takeBuffer(), CheckString(L, 1)...)
	slices.Reverse(out)
	return l.pushBuffer(L, out)
}

// lower is string.lower(s), and upper string.upper(s): they change the ASCII letters only.
func (l *library) lower(L *lua.LState) int { return l.mapBytes(L, toLower) }

func (l *library) upper(L *lua.LState) int { return l.mapBytes(L, toUpper) }

// mapBytes returns the string with every byte converted.
func (l *library) mapBytes(L *lua.LState, convert func(byte) byte) int {
	out := append(l.takeBuffer(), CheckString(L, 1)...)
	for i, c := range out {
		out[i] = convert(c)
	}
	return l.pushBuffer(L, out)
}

// dumpHeader is the result of string.dump for every function: the header of the bytecode of Lua 5.1, which load rejects
// in Redis.
const dumpHeader = lua.LString("\x1bLuaQ")

// dump is string.dump(f). Nothing can be done with the result, so it need not depend on the function.
func dump(L *lua.LState) int {
	CheckFunction(L, 1)
	if L.Get(1).(*lua.LFunction).IsG {
		raise(L, "unable to dump given function")
	}
	L.Push(dumpHeader)
	return 1
}
