package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
)

// structPack is struct.pack(format, …). An integer that does not fit loses its high bytes.
func (l *library) structPack(L *lua.LState) int {
	f := newStructFormat(L)
	L.Push(lua.LNil) // as Redis does: an argument that is missing counts as nil
	out := l.takeBuffer()
	arg := 2
	for f.at < len(f.text) {
		option, size := f.next()
		out = appendRepeated(out, 0, f.padding(len(out), option, size))
		switch option {
		case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I':
			out = f.appendInteger(out, num.Uint64(CheckNumber(L, arg)), size)
			arg++
		case 'x':
			out = append(out, 0)
		case 'f':
			out = f.appendInteger(out, uint64(math.Float32bits(float32(CheckNumber(L, arg)))), size)
			arg++
		case 'd':
			out = f.appendInteger(out, math.Float64bits(CheckNumber(L, arg)), size)
			arg++
		case 'c', 's':
			out = appendPacked(L, out, option, arg, size)
			arg++
		default:
			f.control(option)
		}
		l.tick(L)
		l.checkLength(L, len(out))
	}
	return l.pushBuffer(L, out)
}

// appendInteger writes the low size bytes of n; beyond eight there are zeros, whatever the sign.
func (f *structFormat) appendInteger(out []byte, n uint64, size int) []byte {
	start := len(out)
	out = appendRepeated(out, 0, size)
	for i := range size {
		at := start + i
		if f.big {
			at = start + size - 1 - i
		}
		out[at] = byte(n)
		n >>= 8
	}
	return out
}

// appendPacked writes a string with its NUL, or its first size bytes, all if size is 0. The error for a short one names
// the next argument, as in Redis.
func appendPacked(L *lua.LState, out []byte, option byte, arg, size int) []byte {
	s := CheckString(L, arg)
	if size == 0 {
		size = len(s)
	}
	if len(s) < size {
		argError(L, arg+1, "string too short")
	}
	out = append(out, s[:size]...)
	if option == 's' {
		out = append(out, 0)
	}
	return out
}
