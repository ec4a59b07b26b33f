package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// original is the table of instructions as gopher-lua has it, which the replacements call.
var original [lua.OP_NOP + 1]instruction

// init replaces instructions. It must be done before any state runs, as all goroutines read the table without a lock;
// states that Install was not called for still do what they did.
func init() {
	original = jumpTable
	if layoutError != nil {
		return
	}
	for op, replacement := range replacements {
		jumpTable[op] = replacement
	}
}

// replacements are the instructions of this package. Each does for states without a Machine what the original does.
var replacements = map[int]instruction{
	lua.OP_CONCAT:     concat,
	lua.OP_DIV:        divide,
	lua.OP_FORPREP:    prepareFor,
	lua.OP_GETGLOBAL:  getGlobal,
	lua.OP_GETTABLE:   getTable,
	lua.OP_GETTABLEKS: getTableKS,
	lua.OP_LEN:        length,
	lua.OP_MOD:        remainder,
	lua.OP_MUL:        multiply,
	lua.OP_NEWTABLE:   newTable,
	lua.OP_SELF:       getMethod,
	lua.OP_SETGLOBAL:  setGlobal,
	lua.OP_SETLIST:    setList,
	lua.OP_SETTABLE:   setTable,
	lua.OP_SETTABLEKS: setTable,

	// All that can make a script run long passes one of these.
	lua.OP_JMP:      jump,
	lua.OP_FORLOOP:  forLoop,
	lua.OP_TFORLOOP: genericForLoop,
	lua.OP_CALL:     callFunction,
	lua.OP_TAILCALL: tailCall,
}

// length executes OP_LEN. Lua 5.1 does not use __len of tables.
func length(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	if table, ok := s.register(argB(inst)).(*lua.LTable); ok && ensureConverted(L, table) {
		s.setRegister(argA(inst), number(Len(table)))
		return 0
	}
	return original[lua.OP_LEN](L, inst, base)
}

// remainder executes OP_MOD. gopher-lua rounds better than the formula of Lua 5.1, and gives another answer for
// infinite operands; for whole numbers up to 2^53 the two agree.
func remainder(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	a, okA := s.value(argB(inst)).(lua.LNumber)
	b, okB := s.value(argC(inst)).(lua.LNumber)
	if okA && okB && (b == 0 || !small(a) || !small(b)) && MachineOf(L) != nil {
		s.setRegister(argA(inst), lua.LNumber(modulo(float64(a), float64(b))))
		return 0
	}
	return original[lua.OP_MOD](L, inst, base)
}

// small reports whether a number is whole and exact in a double, as the floor of a quotient of two such numbers is.
func small(n lua.LNumber) bool {
	const limit = 1 << 53
	return n > -limit && n < limit && n == lua.LNumber(int64(n))
}
