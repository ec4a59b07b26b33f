package lualib

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
)

// structReader reads the values of a format from a string and pushes them.
type structReader struct {
	structFormat
	data string
	pos  int
	n    int // values pushed
}

// structUnpack is struct.unpack(format, data, position): the values, and the position behind them. The position is 1 by
// default.
func structUnpack(L *lua.LState) int {
	r := structReader{structFormat: newStructFormat(L), data: CheckString(L, 2)}
	r.pos = optInteger(L, 3, 1)
	if r.pos == 0 { // a negative one is too large, as it is unsigned in C
		argError(L, 3, "offset must be 1 or greater")
	}
	r.pos--
	L.SetTop(2)
	for r.at < len(r.text) {
		option, size := r.next()
		r.pos += r.padding(r.pos, option, size)
		r.need(size)
		checkStack(L, L.GetTop(), 2, "too many results")
		r.read(option, size)
	}
	pushInt(L, r.pos+1)
	return r.n + 1
}

// need raises an error unless size bytes are left.
func (r *structReader) need(size int) {
	if size > len(r.data) || uint(r.pos) > uint(len(r.data)-size) {
		argError(r.L, 2, "data string too short")
	}
}

// read reads the value of an option and moves behind it.
func (r *structReader) read(option byte, size int) {
	switch option {
	case 'B', 'H', 'L', 'T', 'I':
		r.push(number(float64(r.integer(size))))
	case 'b', 'h', 'l', 'i':
		r.push(number(float64(signed(r.integer(size), size))))
	case 'x':
	case 'f':
		r.push(number(float64(math.Float32frombits(uint32(r.integer(size))))))
	case 'd':
		r.push(number(math.Float64frombits(r.integer(size))))
	case 'c':
		if size == 0 {
			size = r.previousSize()
		}
		r.push(stringValue(r.data[r.pos : r.pos+size]))
	case 's':
		length := strings.IndexByte(r.data[r.pos:], 0)
		if length < 0 {
			raise(r.L, "unfinished string in data")
		}
		r.push(stringValue(r.data[r.pos : r.pos+length]))
		size = length + 1
	default:
		r.control(option)
	}
	r.pos += size
}

// push pushes a value and counts it.
func (r *structReader) push(v lua.LValue) {
	r.L.Push(v)
	r.n++
}

// previousSize takes the value before c0 back as the length of the string. There must be one, and so many bytes left.
func (r *structReader) previousSize() int {
	size, ok := toNumber(r.L.Get(-1))
	if r.n == 0 || !ok {
		raise(r.L, "format 'c0' needs a previous size")
	}
	r.L.Pop(1)
	r.n--
	n := num.Uint64(size)
	if n > uint64(len(r.data)) {
		n = math.MaxInt32 // more than there are
	}
	r.need(int(n))
	return int(n)
}

// integer reads an integer of size bytes; of more than eight the highest are lost.
func (r *structReader) integer(size int) (n uint64) {
	for i := range size {
		at := r.pos + i
		if !r.big {
			at = r.pos + size - 1 - i
		}
		n = n<<8 | uint64(r.data[at])
	}
	return n
}

// signed extends the sign of n, which has size bytes. Beyond eight bytes the shift of C wraps around, so another bit
// counts as the sign.
func signed(n uint64, size int) int64 {
	mask := ^uint64(0) << ((size*8 - 1) & 63)
	if n&mask != 0 {
		n |= mask
	}
	return int64(n)
}
