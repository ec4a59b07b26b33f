package luafront

import lua "github.com/yuin/gopher-lua"

// AssignsCaptured reports whether running a function can assign to its i-th captured variable, in its own code or in
// that of functions which it makes.
func AssignsCaptured(proto *lua.FunctionProto, i int) bool {
	for pc := 0; pc < len(proto.Code); pc++ {
		inst := proto.Code[pc]
		switch opcode(inst) {
		case lua.OP_SETUPVAL:
			if argB(inst) == i {
				return true
			}
		case lua.OP_CLOSURE:
			const index = 1<<18 - 1
			inner := proto.FunctionPrototypes[inst&index]
			captures := proto.Code[pc+1:]
			if innerAssigns(inner, captures, i) {
				return true
			}
			pc += int(inner.NumUpvalues)
		}
	}
	return false
}

// innerAssigns is AssignsCaptured for a function that is made within another one: the instructions behind OP_CLOSURE
// say which variables it captures, and those that take one which was captured already name it.
func innerAssigns(inner *lua.FunctionProto, captures []uint32, i int) bool {
	for n := range int(inner.NumUpvalues) {
		if capture := captures[n]; opcode(capture) == lua.OP_GETUPVAL && argB(capture) == i && AssignsCaptured(inner, n) {
			return true
		}
	}
	return false
}
