package lualib

import (
	"encoding/binary"
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// maxPackNesting is the deepest nesting of tables that is written; deeper ones become nil.
const maxPackNesting = 16

type packer struct {
	library *library
	L       *lua.LState
	out     []byte
}

// messagePack is cmsgpack.pack: all arguments, one after the other.
func (l *library) messagePack(L *lua.LState) int {
	n := L.GetTop()
	if n == 0 {
		argError(L, 0, "MessagePack pack needs input.")
	}
	if 2*n > maxStack {
		argError(L, 0, "Too many arguments for MessagePack pack.")
	}
	p := packer{library: l, L: L, out: l.takeBuffer()}
	for i := 1; i <= n; i++ {
		p.value(L.Get(i), 0)
	}
	return l.pushBuffer(L, p.out)
}

// value writes one value; functions, threads and userdata are nil.
func (p *packer) value(v lua.LValue, level int) {
	p.library.tick(p.L)
	switch v := v.(type) {
	case lua.LString:
		p.string(string(v))
	case lua.LNumber:
		p.number(float64(v))
	case lua.LBool:
		p.out = append(p.out, mpFalse+truth(v))
	case *lua.LTable:
		p.table(v, level)
	default:
		p.out = append(p.out, mpNil)
	}
}

func truth(b lua.LBool) byte {
	if b {
		return 1
	}
	return 0
}

func (p *packer) string(s string) {
	switch {
	case len(s) < 32:
		p.out = append(p.out, mpFixString|byte(len(s)))
	case len(s) <= math.MaxUint8:
		p.out = append(p.out, mpString8, byte(len(s)))
	case len(s) <= math.MaxUint16:
		p.out = binary.BigEndian.AppendUint16(append(p.out, mpString8+1), uint16(len(s)))
	default:
		p.out = binary.BigEndian.AppendUint32(append(p.out, mpString8+2), uint32(len(s)))
	}
	p.out = append(p.out, s...)
	p.library.checkLength(p.L, len(p.out))
}

// number writes an integer if f is one, else the shorter float that holds it.
func (p *packer) number(f float64) {
	if i := num.Int64(f); float64(i) == f {
		p.integer(i)
		return
	}
	if short := float32(f); float64(short) == f {
		p.out = binary.BigEndian.AppendUint32(append(p.out, mpFloat32), math.Float32bits(short))
		return
	}
	p.out = binary.BigEndian.AppendUint64(append(p.out, mpFloat64), math.Float64bits(f))
}

// integer writes the shortest form. Positive numbers are always unsigned ones.
func (p *packer) integer(i int64) {
	switch {
	case i >= -32 && i <= math.MaxInt8:
		p.out = append(p.out, byte(i))
	case i >= 0:
		p.sized(mpUint8, uint64(i), widthOf(uint64(i)))
	default:
		p.sized(mpInt8, uint64(i), widthOf(uint64(^i)<<1)) // one bit more, for the sign
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

// sized writes n in 1<<width bytes behind the type of that width.
func (p *packer) sized(first byte, n uint64, width byte) {
	p.out = append(p.out, first+width)
	for shift := 8 << width; shift > 0; {
		shift -= 8
		p.out = append(p.out, byte(n>>shift))
	}
}

func (p *packer) table(t *lua.LTable, level int) {
	if level == maxPackNesting {
		p.out = append(p.out, mpNil)
		return
	}
	if isArray(t) {
		p.array(t, level+1)
	} else {
		p.mapping(t, level+1)
	}
}

// isArray tells tables whose keys are 1 to n without a hole; the empty table is one.
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

func (p *packer) array(t *lua.LTable, level int) {
	n := luafront.Len(t)
	p.header(mpFixArray, mpArray16, n)
	for i := 1; i <= n; i++ {
		p.value(luafront.RawGetInt(t, i), level)
	}
	p.library.checkLength(p.L, len(p.out))
}

// mapping writes keys and values in the order of the table.
func (p *packer) mapping(t *lua.LTable, level int) {
	pairs := 0
	for f := luafront.StartFields(t); f.Next(); {
		pairs++
	}
	p.header(mpFixMap, mpMap16, pairs)
	for f := luafront.StartFields(t); f.Next(); {
		p.value(f.Key, level)
		p.value(f.Value, level)
	}
	p.library.checkLength(p.L, len(p.out))
}

// header writes the beginning of a table of n elements.
func (p *packer) header(short, long byte, n int) {
	switch {
	case n <= 15:
		p.out = append(p.out, short|byte(n))
	case n <= math.MaxUint16:
		p.out = binary.BigEndian.AppendUint16(append(p.out, long), uint16(n))
	default:
		p.out = binary.BigEndian.AppendUint32(append(p.out, long+1), uint32(n))
	}
}
