package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

type unpacker struct {
	budget
	L      *lua.LState
	data   string
	at     int
	values []lua.LValue // elements, or keys and values, of the tables being read, the innermost last
	used   int          // slots of Lua's stack that cmsgpack would use
}

func (l *library) messageUnpack(L *lua.LState) int { return l.unpackMessages(L, L.GetTop(), 0, 0) }

func (l *library) messageUnpackOne(L *lua.LState) int {
	return l.unpackMessages(L, 1, 1, optInteger(L, 2, 0))
}

func (l *library) messageUnpackLimit(L *lua.LState) int {
	limit := checkInteger(L, 2)
	return l.unpackMessages(L, 1, limit, optInteger(L, 3, 0))
}

// unpackMessages reads up to limit values from offset on and pushes them behind the offset that follows, -1 at the end.
// Without limit and offset it reads all and pushes no offset.
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
	u := unpacker{L: L, budget: budget{library: l}, data: data, at: offset, used: used}
	for u.at < len(data) && len(u.values) < limit {
		v := u.value()
		u.values = append(u.values, v)
		u.used++
	}
	if !all {
		checkStack(L, u.used, 1, "in function mp_unpack_full")
		u.pushOffset()
	}
	for _, v := range u.values {
		L.Push(v)
	}
	if all {
		return len(u.values)
	}
	return len(u.values) + 1
}

func (u *unpacker) pushOffset() {
	if u.at == len(u.data) {
		pushInt(u.L, -1)
		return
	}
	pushInt(u.L, u.at)
}

// value reads one value.
func (u *unpacker) value() lua.LValue {
	u.need(1)
	u.take(u.L, valueBytes)
	checkStack(u.L, u.used, 1, "too many return values at once; use unpack_one or unpack_limit instead.")
	switch first := u.data[u.at]; {
	case first < mpFixMap:
		return u.number(float64(first), 1)
	case first >= mpNegative:
		return u.number(float64(int8(first)), 1)
	case first < mpFixArray:
		u.at++
		return u.mapping(int(first & 15))
	case first < mpFixString:
		u.at++
		return u.array(int(first & 15))
	case first < mpNil:
		return u.string(1, int(first&31))
	default:
		return u.sized(first)
	}
}

// sized reads a value whose first byte tells its type and the size of what follows.
func (u *unpacker) sized(first byte) lua.LValue {
	switch {
	case first == mpNil:
		u.at++
		return lua.LNil
	case first == mpFalse || first == mpTrue:
		u.at++
		return lua.LBool(first == mpTrue)
	case first == mpFloat32:
		return u.number(float64(math.Float32frombits(uint32(u.bits(4)))), 5)
	case first == mpFloat64:
		return u.number(math.Float64frombits(u.bits(8)), 9)
	case first >= mpUint8 && first < mpInt8+4:
		return u.integer(first)
	case first >= mpString8 && first < mpArray16:
		width := 1 << (first - mpString8)
		return u.string(1+width, int(u.bits(width)))
	case first >= mpArray16:
		return u.table(first)
	}
	raise(u.L, "Bad data format in input.")
	return lua.LNil
}

// integer reads an integer. Of 64 bits, even the unsigned one is taken for signed.
func (u *unpacker) integer(first byte) lua.LValue {
	width := 1 << (first & 3)
	n := u.bits(width)
	if first >= mpInt8 {
		unused := 64 - 8*width
		n = uint64(int64(n<<unused) >> unused)
	}
	return u.number(float64(int64(n)), 1+width)
}

func (u *unpacker) table(first byte) lua.LValue {
	width := 2 << (first & 1)
	n := int(u.bits(width))
	u.at += 1 + width
	if first < mpMap16 {
		return u.array(n)
	}
	return u.mapping(n)
}

// need makes sure that n bytes are left.
func (u *unpacker) need(n int) {
	if len(u.data)-u.at < n {
		raise(u.L, "Missing bytes in input.")
	}
}

// bits returns the width bytes behind the first, as one big-endian number.
func (u *unpacker) bits(width int) (n uint64) {
	u.need(1 + width)
	for i := 1; i <= width; i++ {
		n = n<<8 | uint64(u.data[u.at+i])
	}
	return n
}

// number goes on by size bytes.
func (u *unpacker) number(f float64, size int) lua.LValue {
	u.at += size
	return number(f)
}

func (u *unpacker) string(header, length int) lua.LValue {
	u.need(header + length)
	start := u.at + header
	u.at = start + length
	return stringValue(u.data[start:u.at])
}

// array reads n elements into a table, one by one. A nil leaves a hole.
func (u *unpacker) array(n int) lua.LValue {
	u.used++ // the table
	checkStack(u.L, u.used, 1, "in function mp_decode_to_lua_array")
	u.used++ // the index
	first := len(u.values)
	for range n {
		v := u.value()
		u.values = append(u.values, v)
	}
	u.used -= 2
	elements := u.values[first:]
	u.take(u.L, sizeOfTable(len(elements), 0))
	table := luafront.NewTable(0, 0)
	for i, v := range elements {
		luafront.RawSetInt(table, i+1, v)
	}
	u.values = u.values[:first]
	return table
}

// mapping reads n keys and values into a table. A later value of the same key wins.
func (u *unpacker) mapping(n int) lua.LValue {
	u.used++ // the table
	first := len(u.values)
	for range n {
		k := u.value()
		u.used++
		v := u.value()
		u.used--
		checkKey(u.L, k)
		u.values = append(u.values, k, v)
	}
	u.used--
	pairs := u.values[first:]
	u.take(u.L, sizeOfTable(0, len(pairs)/2))
	table := luafront.NewTable(0, 0)
	for i := 0; i < len(pairs); i += 2 {
		luafront.RawSet(table, pairs[i], pairs[i+1])
	}
	u.values = u.values[:first]
	return table
}

// checkKey raises an error for values that can't be keys of a table.
func checkKey(L *lua.LState, k lua.LValue) {
	if k == lua.LNil {
		raisePlain(L, "table index is nil")
	}
	if n, ok := k.(lua.LNumber); ok && n != n {
		raisePlain(L, "table index is NaN")
	}
}
