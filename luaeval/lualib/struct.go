package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// The struct library packs values by a format of one-character options:
//	> <    big-endian, little-endian (the default)
//	!n     align to n bytes at most, a power of two (8 without n; 1 at the start)
//	x      a byte of padding, 0
//	b B    signed, unsigned char;  h H  short;  l L  long, 8 bytes;  T  size_t
//	in In  signed, unsigned integer of n bytes (4 without n)
//	f d    float, double
//	s      a string and its NUL
//	cn     n bytes; c0 takes the whole string, and reads as many bytes as the value before it says
//	space  nothing

const (
	maxIntegerSize = 32 // bytes of i and I
	nativeAlign    = 8  // of a ! without a number
)

// structFormat reads a format option by option. Sizes are those of C on 64-bit Linux.
type structFormat struct {
	L     *lua.LState
	text  string // up to its first NUL
	at    int
	big   bool // endianness
	align int  // the largest alignment
}

// structFunctions are the functions of the table struct.
func (l *library) structFunctions() []function {
	return []function{{"pack", l.structPack}, {"size", structSize}, {"unpack", structUnpack}}
}

// newStructFormat takes the format from the first argument.
func newStructFormat(L *lua.LState) structFormat {
	return structFormat{L: L, text: cString(CheckString(L, 1)), align: 1}
}

// next reads an option and its size in bytes, which is 0 for s and for what only controls.
func (f *structFormat) next() (option byte, size int) {
	option = f.text[f.at]
	f.at++
	switch option {
	case 'b', 'B', 'x':
		return option, 1
	case 'h', 'H':
		return option, 2
	case 'f':
		return option, 4
	case 'l', 'L', 'T', 'd':
		return option, 8
	case 'c':
		return option, f.number(1)
	case 'i', 'I':
		size = f.number(4)
		if size > maxIntegerSize {
			raise(f.L, "integral size %d is larger than limit of %d", size, maxIntegerSize)
		}
		return option, size
	}
	return option, 0
}

// number reads the decimal number behind an option; missing is its value if there is none.
func (f *structFormat) number(missing int) int {
	if f.at == len(f.text) || !isDigit(f.text[f.at]) {
		return missing
	}
	n := 0
	for ; f.at < len(f.text) && isDigit(f.text[f.at]); f.at++ {
		n = n*10 + int(f.text[f.at]-'0')
		if n > math.MaxInt32 {
			raise(f.L, "integral size overflow")
		}
	}
	return n
}

// padding returns the number of bytes that align a position for an option. Strings are not aligned.
func (f *structFormat) padding(position int, option byte, size int) int {
	if size == 0 || option == 'c' {
		return 0
	}
	size = min(size, f.align)
	return (size - position&(size-1)) & (size - 1)
}

// control executes an option that stands for no data.
func (f *structFormat) control(option byte) {
	switch option {
	case ' ':
	case '>':
		f.big = true
	case '<':
		f.big = false
	case '!':
		f.align = f.number(nativeAlign)
		if f.align == 0 || f.align&(f.align-1) != 0 {
			raise(f.L, "alignment %d is not a power of 2", f.align)
		}
	default:
		argError(f.L, 1, "invalid format option '"+string([]byte{option})+"'")
	}
}

// structSize is struct.size(format). It ignores letters and digits that are no options, where pack and unpack raise an
// error.
func structSize(L *lua.LState) int {
	f := newStructFormat(L)
	position := 0
	for f.at < len(f.text) {
		option, size := f.next()
		position += f.padding(position, option, size)
		switch {
		case option == 's':
			argError(L, 1, "option 's' has no fixed size")
		case option == 'c' && size == 0:
			argError(L, 1, "option 'c0' has no fixed size")
		case !isAlnum(option):
			f.control(option)
		}
		position += size
	}
	pushInt(L, position)
	return 1
}
