package luafront

import (
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// The table of a constructor has room for its fields from the start, which decides about its length if there is nil
// among them: #{1, nil, 3} is 3.

// newTable executes OP_NEWTABLE.
func newTable(L *lua.LState, inst uint32, base *vmFrame) int {
	m := MachineOf(L)
	if m == nil {
		return original[lua.OP_NEWTABLE](L, inst, base)
	}
	internals(L).setRegister(argA(inst), m.NewTable(sizeOf(argB(inst)), sizeOf(argC(inst))))
	return 0
}

// setList executes OP_SETLIST: it stores the values in the registers after that of the table, the last one
// first. B is their number, 0 if they go up to the top of the stack, and C says which flush this is, counted from 1.
func setList(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	table := s.register(argA(inst)).(*lua.LTable)
	if !ensureConverted(L, table) {
		return original[lua.OP_SETLIST](L, inst, base)
	}
	first := s.currentFrame.LocalBase + argA(inst) + 1
	values := argB(inst)
	if values == 0 {
		values = s.reg.top - first
	}
	t := converted(table)
	before := (argC(inst) - 1) * fieldsPerFlush
	if last := before + values; last > len(t.array) {
		t.resize(last, len(t.hash().nodes))
	}
	for i := values; i > 0; i-- {
		t.array[before+i-1] = s.reg.array[first+i-1]
	}
	return 0
}

// withSizes returns an OP_NEWTABLE with the sizes of its constructor. gopher-lua counts a call at the end as a
// field with a key.
func withSizes(inst uint32, sizes *tableSizes) uint32 {
	const maskBC = 1<<18 - 1
	return inst&^maskBC | uint32(packedSize(sizes.others))<<9 | uint32(packedSize(sizes.list))
}

// packedSize is a size as an operand (luaO_int2fb): three bits behind a leading 1, and by how many bits they are
// shifted. It rounds up.
func packedSize(n int) int {
	shift := 0
	for n >= 16 {
		n = (n + 1) / 2
		shift++
	}
	if n < 8 {
		return n
	}
	return (shift+1)<<3 | (n - 8)
}

// sizeOf reads what packedSize has made (luaO_fb2int).
func sizeOf(operand int) int {
	if bits.Len(uint(operand)) <= 3 {
		return operand
	}
	return (operand&7 + 8) << (operand>>3 - 1)
}
