package hll

import (
	"fmt"
	"strings"
)

// run is one opcode of a sparse sketch: registers that have the same value.
type run struct {
	value  uint8 // 0 to maxRunValue
	length int
	size   int // of the opcode, in bytes
}

const (
	opcodeValue = 0x80
	opcodeZeros = 0x40 // a long run

	lengthBits = 2 // of a run of values
	lengthMask = 1<<lengthBits - 1
	valueMask  = maxRunValue - 1
	zerosMask  = maxZeroRun - 1

	maxRunValue = 32 // higher ones need the dense encoding
	maxValueRun = 1 << lengthBits
	maxZeroRun  = 64 // in one byte
)

// runAt reads the opcode that ops begins with. Of one that is cut off the missing byte counts as 0.
func runAt(ops []byte) run {
	op := ops[0]
	switch {
	case op&opcodeValue != 0:
		return run{value: op>>lengthBits&valueMask + 1, length: int(op&lengthMask) + 1, size: 1}
	case op&opcodeZeros == 0:
		return run{length: int(op&zerosMask) + 1, size: 1}
	}
	length := int(op&zerosMask) << 8
	if len(ops) > 1 {
		length |= int(ops[1])
	}
	return run{length: length + 1, size: 2}
}

// appendRun adds the opcode of a run to dst; one of no registers has none.
func appendRun(dst []byte, r run) []byte {
	switch last := r.length - 1; {
	case r.length == 0:
		return dst
	case r.value > 0:
		return append(dst, opcodeValue|(r.value-1)<<lengthBits|byte(last))
	case r.length > maxZeroRun:
		return append(dst, opcodeZeros|byte(last>>8), byte(last))
	default:
		return append(dst, byte(last))
	}
}

// walk calls f for the runs of a sparse sketch until it returns false.
func (s Sketch) walk(f func(r run) bool) {
	for ops := s[headerSize:]; len(ops) > 0; {
		r := runAt(ops)
		if !f(r) {
			return
		}
		ops = ops[min(r.size, len(ops)):]
	}
}

// Runs describes the opcodes of a sparse sketch as PFDEBUG DECODE does: z and Z for zeros in one byte and in two, v for
// values.
func (s Sketch) Runs() string {
	var words []string
	s.walk(func(r run) bool {
		switch {
		case r.value > 0:
			words = append(words, fmt.Sprintf("v:%d,%d", r.value, r.length))
		case r.size == 1:
			words = append(words, fmt.Sprintf("z:%d", r.length))
		default:
			words = append(words, fmt.Sprintf("Z:%d", r.length))
		}
		return true
	})
	return strings.Join(words, " ")
}
