package lualib

import (
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// calledName tells how the caller names the running function and whether it calls it as a method. The name is "?" when the
// caller is no Lua function, or calls a value that has no name. gopher-lua knows the names but not which are methods, so the
// call's instruction is looked at.
func calledName(L *lua.LState) (name string, method bool) {
	caller, ok := L.GetStack(1)
	if !ok {
		return "?", false
	}
	value, err := L.GetInfo("f", caller, lua.LNil)
	fn, _ := value.(*lua.LFunction)
	pc := callPC(caller)
	if err != nil || fn == nil || fn.IsG || pc < 0 || pc >= len(fn.Proto.Code) {
		return "?", false
	}
	if opcode(fn.Proto.Code[pc]) == lua.OP_TFORLOOP {
		return "(for generator)", false
	}
	return callName(fn.Proto, pc), isMethodCall(fn.Proto, pc)
}

// callPC is the index of the instruction that the frame is at, or -1. The frame is not exported; reading it by reflection
// costs time only where an error is raised.
func callPC(frame *lua.Debug) int {
	field := reflect.ValueOf(frame).Elem().FieldByName("frame")
	if !field.IsValid() || field.Kind() != reflect.Pointer || field.IsNil() {
		return -1
	}
	pc := field.Elem().FieldByName("Pc")
	if !pc.IsValid() || !pc.CanInt() {
		return -1
	}
	return int(pc.Int()) - 1
}

// callName is the name that the compiler noted for the call at pc.
func callName(proto *lua.FunctionProto, pc int) string {
	for _, call := range proto.DbgCalls {
		if call.Pc == pc {
			return call.Name
		}
	}
	return "?"
}

// isMethodCall tells whether the function in the call's register was put there by OP_SELF.
func isMethodCall(proto *lua.FunctionProto, call int) bool {
	register := argA(proto.Code[call])
	method := false
	for pc := 0; pc < call; pc++ {
		inst := proto.Code[pc]
		op := opcode(inst)
		if argA(inst) == register && writesA(op) {
			method = op == lua.OP_SELF
		}
		if op == lua.OP_CLOSURE { // its upvalues follow, in the shape of instructions
			pc += int(proto.FunctionPrototypes[inst&0x3ffff].NumUpvalues)
		}
	}
	return method
}

// opcode and argA take an instruction of gopher-lua apart: 6 bits of operation, 8 bits of register.
func opcode(inst uint32) int { return int(inst >> 26) }

func argA(inst uint32) uint32 { return inst >> 18 & 0xff }

// writesA tells whether the instruction stores into the register that its first argument names.
func writesA(op int) bool {
	switch op {
	case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_JMP, lua.OP_EQ, lua.OP_LT, lua.OP_LE,
		lua.OP_TEST, lua.OP_RETURN, lua.OP_FORPREP, lua.OP_FORLOOP, lua.OP_TFORLOOP, lua.OP_SETLIST, lua.OP_CLOSE, lua.OP_NOP:
		return false
	}
	return true
}
