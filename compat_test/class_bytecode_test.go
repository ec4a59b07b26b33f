package compat

import "encoding/binary"

// The opcodes that load and append strings, and those without a fixed length (JVMS chapter 6).
const (
	opLdc           = 0x12
	opLdcW          = 0x13
	opIinc          = 0x84
	opTableSwitch   = 0xaa
	opLookupSwitch  = 0xab
	opInvokeVirtual = 0xb6
	opInvokeStatic  = 0xb8
	opWide          = 0xc4
)

// instructionLengths is the length, with operands, of ranges of opcodes. All other opcodes are one byte long.
var instructionLengths = []struct{ first, last, length byte }{
	{0x10, 0x10, 2}, {0x11, 0x11, 3}, // bipush, sipush
	{opLdc, opLdc, 2}, {opLdcW, 0x14, 3}, // ldc, ldc_w, ldc2_w
	{0x15, 0x19, 2}, {0x36, 0x3a, 2}, // loads and stores of a numbered variable
	{opIinc, opIinc, 3},
	{0x99, 0xa8, 3}, {0xa9, 0xa9, 2}, // branches, ret
	{0xb2, opInvokeStatic, 3}, {0xb9, 0xba, 5}, // fields and calls
	{0xbb, 0xbb, 3}, {0xbc, 0xbc, 2}, {0xbd, 0xbd, 3}, // new, newarray, anewarray
	{0xc0, 0xc1, 3}, {0xc5, 0xc5, 4}, // checkcast, instanceof, multianewarray
	{0xc6, 0xc7, 3}, {0xc8, 0xc9, 5}, // ifnull, ifnonnull, goto_w, jsr_w
}

// instructionLength returns the length in bytes of an instruction.
func instructionLength(code []byte, at int) int {
	switch op := code[at]; op {
	case opWide:
		if at+1 < len(code) && code[at+1] == opIinc {
			return 6
		}
		return 4
	case opTableSwitch, opLookupSwitch:
		return switchLength(code, at)
	default:
		for _, r := range instructionLengths {
			if op >= r.first && op <= r.last {
				return int(r.length)
			}
		}
		return 1
	}
}

// switchLength returns the length of a tableswitch or lookupswitch. Its operands are aligned to four bytes from the
// start of the method; they say how many there are.
func switchLength(code []byte, at int) int {
	pad := 3 - at%4
	word := func(n int) int {
		from := at + 1 + pad + 4*n
		if from+4 > len(code) {
			return 0
		}
		return int(int32(binary.BigEndian.Uint32(code[from:])))
	}
	if code[at] == opTableSwitch {
		return 1 + pad + 12 + 4*(word(2)-word(1)+1)
	}
	return 1 + pad + 8 + 8*word(1)
}
