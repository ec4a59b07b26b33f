package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// A length in the input says how many elements follow, but not that they are there, and a nested array costs one byte:
// so nothing is allocated by a length alone, the budget counts each value, and the depth ends where the stack of Lua
// would.

// messageDecoder reads values from data. Like cjson it collects the elements of a table before it makes the table.
type messageDecoder struct {
	budget
	L      *lua.LState
	data   string
	at     int
	values []lua.LValue // elements, or keys and values, of the tables being read, the innermost last
	used   int          // slots of the Lua stack that cmsgpack would use
}

// messageUnpack is cmsgpack.unpack(data): all values.
func (l *library) messageUnpack(L *lua.LState) int { return l.unpackMessages(L, L.GetTop(), 0, 0) }

// messageUnpackOne is cmsgpack.unpack_one(data, offset): the offset of the next value, and the one at offset, 0 by
// default.
func (l *library) messageUnpackOne(L *lua.LState) int {
	return l.unpackMessages(L, 1, 1, optInteger(L, 2, 0))
}

// messageUnpackLimit is cmsgpack.unpack_limit(data, limit, offset): the offset that follows, and up to limit values.
func (l *library) messageUnpackLimit(L *lua.LState) int {
	limit := checkInteger(L, 2)
	return l.unpackMessages(L, 1, limit, optInteger(L, 3, 0))
}

// unpackMessages reads up to limit values from offset on and pushes them behind the offset that follows. Without limit
// and offset it reads all and pushes no offset. used is the number of stack slots that the arguments take in cmsgpack.
// The message for a negative argument has the length of the data in place of the limit, as in Redis.
func (l *library) unpackMessages(L *lua.LState, used, limit, offset int) int {
	data := CheckString(L, 1)
	all := limit == 0 && offset == 0
	if offset < 0 || limit < 0 {
		raise(L, "Invalid request to unpack with offset of %d and limit of %d.", int32(offset), int32(len(data)))
	}
	if offset > len(data) {
		raise(L, "Start offset %d greater than input length %d.", int32(offset), int32(len(data)))
	}
	if all {
		limit = math.MaxInt32
	}
	d := messageDecoder{L: L, budget: budget{library: l}, data: data, at: offset, used: used}
	for d.at < len(data) && len(d.values) < limit {
		v := d.value()
		d.values = append(d.values, v)
		d.used++
	}
	if !all {
		checkStack(L, d.used, 1, "in function mp_unpack_full")
		d.pushOffset()
	}
	for _, v := range d.values {
		L.Push(v)
	}
	if all {
		return len(d.values)
	}
	return len(d.values) + 1
}

// pushOffset pushes the offset behind what was read, -1 at the end of the input.
func (d *messageDecoder) pushOffset() {
	if d.at == len(d.data) {
		pushInt(d.L, -1)
		return
	}
	pushInt(d.L, d.at)
}

// value reads one value. The first byte has the type and, in the commonest types, the value or the length.
func (d *messageDecoder) value() lua.LValue {
	d.need(1)
	d.take(d.L, valueBytes)
	checkStack(d.L, d.used, 1, "too many return values at once; use unpack_one or unpack_limit instead.")
	switch first := d.data[d.at]; {
	case first < mpFixMap:
		return d.number(float64(first), 1)
	case first >= mpNegative:
		return d.number(float64(int8(first)), 1)
	case first < mpFixArray:
		d.at++
		return d.mapping(int(first & 15))
	case first < mpFixString:
		d.at++
		return d.array(int(first & 15))
	case first < mpNil:
		return d.string(1, int(first&31))
	default:
		return d.sized(first)
	}
}

// sized reads a value whose first byte has its type and the size of what follows.
func (d *messageDecoder) sized(first byte) lua.LValue {
	switch {
	case first == mpNil:
		d.at++
		return lua.LNil
	case first == mpFalse || first == mpTrue:
		d.at++
		return lua.LBool(first == mpTrue)
	case first == mpFloat32:
		return d.number(float64(math.Float32frombits(uint32(d.bits(4)))), 5)
	case first == mpFloat64:
		return d.number(math.Float64frombits(d.bits(8)), 9)
	case first >= mpUint8 && first < mpInt8+4:
		return d.integer(first)
	case first >= mpString8 && first < mpArray16:
		width := 1 << (first - mpString8)
		return d.string(1+width, int(d.bits(width)))
	case first >= mpArray16:
		return d.table(first)
	}
	raise(d.L, "Bad data format in input.")
	return lua.LNil
}

// integer reads an integer. Of 64 bits, even the unsigned one is read as a signed one.
func (d *messageDecoder) integer(first byte) lua.LValue {
	width := 1 << (first & 3)
	n := d.bits(width)
	if first >= mpInt8 {
		unused := 64 - 8*width
		n = uint64(int64(n<<unused) >> unused)
	}
	return d.number(float64(int64(n)), 1+width)
}

// table reads an array or a map with a length of 16 or 32 bits.
func (d *messageDecoder) table(first byte) lua.LValue {
	width := 2 << (first & 1)
	n := int(d.bits(width))
	d.at += 1 + width
	if first < mpMap16 {
		return d.array(n)
	}
	return d.mapping(n)
}

// need raises an error unless n bytes are left.
func (d *messageDecoder) need(n int) {
	if len(d.data)-d.at < n {
		raise(d.L, "Missing bytes in input.")
	}
}

// bits returns the width bytes behind the first, as one big-endian number.
func (d *messageDecoder) bits(width int) (n uint64) {
	d.need(1 + width)
	for i := 1; i <= width; i++ {
		n = n<<8 | uint64(d.data[d.at+i])
	}
	return n
}

// number returns a number, and continues behind its size bytes.
func (d *messageDecoder) number(f float64, size int) lua.LValue {
	d.at += size
	return number(f)
}

// string reads a string of that length behind a header.
func (d *messageDecoder) string(header, length int) lua.LValue {
	d.need(header + length)
	start := d.at + header
	d.at = start + length
	return stringValue(d.data[start:d.at])
}

// array reads n elements into a table, one by one. A nil leaves a hole.
func (d *messageDecoder) array(n int) lua.LValue {
	d.used++ // the table
	checkStack(d.L, d.used, 1, "in function mp_decode_to_lua_array")
	d.used++ // the index
	first := len(d.values)
	for range n {
		v := d.value()
		d.values = append(d.values, v)
	}
	d.used -= 2
	elements := d.values[first:]
	d.take(d.L, sizeOfTable(len(elements), 0))
	table := luafront.MachineOf(d.L).NewTable(0, 0)
	for i, v := range elements {
		luafront.RawSetInt(table, i+1, v)
	}
	d.values = d.values[:first]
	return table
}

// mapping reads n keys and values into a table. A later value of the same key wins.
func (d *messageDecoder) mapping(n int) lua.LValue {
	d.used++ // the table
	first := len(d.values)
	for range n {
		k := d.value()
		d.used++
		v := d.value()
		d.used--
		checkKey(d.L, k)
		d.values = append(d.values, k, v)
	}
	d.used--
	pairs := d.values[first:]
	d.take(d.L, sizeOfTable(0, len(pairs)/2))
	table := luafront.MachineOf(d.L).NewTable(0, 0)
	for i := 0; i < len(pairs); i += 2 {
		luafront.RawSet(table, pairs[i], pairs[i+1])
	}
	d.values = d.values[:first]
	return table
}

// checkKey raises an error for values that can't be keys of a table. It has no position, since it is the core of Lua
// that finds them.
func checkKey(L *lua.LState, k lua.LValue) {
	if k == lua.LNil {
		raisePlain(L, "table index is nil")
	}
	if n, ok := k.(lua.LNumber); ok && n != n {
		raisePlain(L, "table index is NaN")
	}
}
