package lualib

import (
	"encoding/binary"
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Packing loses what MessagePack does not have: a function becomes nil, a table nested too deep as well, and an integer
// beyond 2^53 has been rounded before. Strings are always of the raw type: the version of cmsgpack in Redis has no bin
// type.

// maxPackNesting is the deepest nesting of tables that is written (LUACMSGPACK_MAX_NESTING); deeper ones become nil.
const maxPackNesting = 16

// messageEncoder writes values one after the other.
type messageEncoder struct {
	library *library
	L       *lua.LState
	out     []byte
}

// messagePack is cmsgpack.pack(v, …): all arguments, of which there must be one.
func (l *library) messagePack(L *lua.LState) int {
	n := L.GetTop()
	if n == 0 {
		argError(L, 0, "MessagePack pack needs input.")
	}
	if 2*n > maxStack {
		argError(L, 0, "Too many arguments for MessagePack pack.")
	}
	e := messageEncoder{library: l, L: L, out: l.takeBuffer()}
	for i := 1; i <= n; i++ {
		e.value(L.Get(i), 0)
	}
	return l.pushBuffer(L, e.out)
}

// value writes one value; functions, coroutines and userdata, cjson.null among them, are nil.
func (e *messageEncoder) value(v lua.LValue, level int) {
	e.library.tick(e.L)
	switch v := v.(type) {
	case lua.LString:
		e.string(string(v))
	case lua.LNumber:
		e.number(float64(v))
	case lua.LBool:
		e.out = append(e.out, mpFalse+truth(v))
	case *lua.LTable:
		e.table(v, level)
	default:
		e.out = append(e.out, mpNil)
	}
}

// truth is what is added to mpFalse.
func truth(b lua.LBool) byte {
	if b {
		return 1
	}
	return 0
}

// string writes a string with the shortest header.
func (e *messageEncoder) string(s string) {
	switch {
	case len(s) < 32:
		e.out = append(e.out, mpFixString|byte(len(s)))
	case len(s) <= math.MaxUint8:
		e.out = append(e.out, mpString8, byte(len(s)))
	case len(s) <= math.MaxUint16:
		e.out = binary.BigEndian.AppendUint16(append(e.out, mpString8+1), uint16(len(s)))
	default:
		e.out = binary.BigEndian.AppendUint32(append(e.out, mpString8+2), uint32(len(s)))
	}
	e.out = append(e.out, s...)
	e.library.checkLength(e.L, len(e.out))
}

// number writes an integer if f is one, else the shorter float that holds it.
func (e *messageEncoder) number(f float64) {
	// -0 is the integer 0.
	if i := num.Int64(f); float64(i) == f {
		e.integer(i)
		return
	}
	if short := float32(f); float64(short) == f {
		e.out = binary.BigEndian.AppendUint32(append(e.out, mpFloat32), math.Float32bits(short))
		return
	}
	e.out = binary.BigEndian.AppendUint64(append(e.out, mpFloat64), math.Float64bits(f))
}

// integer writes the shortest form. Positive numbers are always unsigned ones.
func (e *messageEncoder) integer(i int64) {
	switch {
	case i >= -32 && i <= math.MaxInt8:
		e.out = append(e.out, byte(i))
	case i >= 0:
		e.sized(mpUint8, uint64(i), widthOf(uint64(i)))
	default:
		e.sized(mpInt8, uint64(i), widthOf(uint64(^i)<<1)) // one bit more, for the sign
	}
}

// widthOf returns the base-2 logarithm of the number of bytes, 1, 2, 4 or 8, for n.
func widthOf(n uint64) byte {
	switch {
	case n <= math.MaxUint8:
		return 0
	case n <= math.MaxUint16:
		return 1
	case n <= math.MaxUint32:
		return 2
	}
	return 3
}

// sized writes n in 1<<width bytes, the highest first, behind the type of that width.
func (e *messageEncoder) sized(first byte, n uint64, width byte) {
	e.out = append(e.out, first+width)
	for shift := 8 << width; shift > 0; {
		shift -= 8
		e.out = append(e.out, byte(n>>shift))
	}
}

// table writes a table at a level, counted from 0.
func (e *messageEncoder) table(t *lua.LTable, level int) {
	if level == maxPackNesting {
		e.out = append(e.out, mpNil)
		return
	}
	if isArray(t) {
		e.array(t, level+1)
	} else {
		e.mapping(t, level+1)
	}
}

// isArray reports whether the keys of a table are 1 to n without a hole; the empty table is an array.
func isArray(t *lua.LTable) bool {
	largest, items := 0.0, 0.0
	for f := luafront.StartFields(t); f.Next(); {
		n, ok := f.Key.(lua.LNumber)
		if !ok || n < 1 || n != lua.LNumber(math.Floor(float64(n))) {
			return false
		}
		largest = max(largest, float64(n))
		items++
	}
	return largest == items
}

// array writes the elements of a list.
func (e *messageEncoder) array(t *lua.LTable, level int) {
	n := luafront.Len(t)
	e.header(mpFixArray, mpArray16, n)
	for i := 1; i <= n; i++ {
		e.value(luafront.RawGetInt(t, i), level)
	}
	e.library.checkLength(e.L, len(e.out))
}

// mapping writes keys and values in the order of pairs, after counting them.
func (e *messageEncoder) mapping(t *lua.LTable, level int) {
	pairs := 0
	for f := luafront.StartFields(t); f.Next(); {
		pairs++
	}
	e.header(mpFixMap, mpMap16, pairs)
	for f := luafront.StartFields(t); f.Next(); {
		e.value(f.Key, level)
		e.value(f.Value, level)
	}
	e.library.checkLength(e.L, len(e.out))
}

// header writes the beginning of a table of n elements. long is the type with a length of 16 bits; the next one has 32.
func (e *messageEncoder) header(short, long byte, n int) {
	switch {
	case n <= 15:
		e.out = append(e.out, short|byte(n))
	case n <= math.MaxUint16:
		e.out = binary.BigEndian.AppendUint16(append(e.out, long), uint16(n))
	default:
		e.out = binary.BigEndian.AppendUint32(append(e.out, long+1), uint32(n))
	}
}
