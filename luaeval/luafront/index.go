package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// maxHandlers is the largest number of __index or __newindex handlers for one access (MAXTAGLOOP).
const maxHandlers = 100

// ensureConverted reports whether a table is a converted one (see table.go). In a state with a Machine it converts the
// table first.
func ensureConverted(L *lua.LState, table *lua.LTable) bool {
	t := partsOf(table)
	if t.isConverted() {
		return true
	}
	if MachineOf(L) == nil {
		return false
	}
	convertedIn(L, table)
	return true
}

// convertedIn is converted for a table of a script, which gopher-lua may have made, as it does for arg.
func convertedIn(L *lua.LState, table *lua.LTable) *vmTable {
	t := partsOf(table)
	if !t.isConverted() {
		t.convert(MachineOf(L).noHash())
	}
	return t
}

// Adopt is called with a table of a script before a function in Go uses it.
func Adopt(L *lua.LState, table *lua.LTable) { convertedIn(L, table) }

// Index reads a field as scripts do. It reports false if the value has no fields; then the original instruction raises
// the error.
func Index(L *lua.LState, object, key lua.LValue) (lua.LValue, bool) {
	table, ok := object.(*lua.LTable)
	if !ok {
		if MachineOf(L) == nil {
			return nil, false
		}
		return inherited(L, object, key)
	}
	if !ensureConverted(L, table) {
		return nil, false
	}
	if v := partsOf(table).get(key); v != lua.LNil || table.Metatable == lua.LNil {
		return v, true
	}
	return inherited(L, object, key)
}

// inherited reads a field that a value does not have itself, by __index: a function is called, of another value the
// field is read in turn.
func inherited(L *lua.LState, object, key lua.LValue) (lua.LValue, bool) {
	for range maxHandlers {
		handler := L.GetMetaField(object, "__index")
		if handler == lua.LNil {
			_, isTable := object.(*lua.LTable)
			return lua.LNil, isTable
		}
		if handler.Type() == lua.LTFunction {
			L.Push(handler)
			L.Push(object)
			L.Push(key)
			L.Call(2, 1)
			v := L.Get(-1)
			L.Pop(1)
			return v, true
		}
		object = handler
		if table, ok := object.(*lua.LTable); ok {
			if v := RawGet(table, key); v != lua.LNil {
				return v, true
			}
		}
	}
	L.RaiseError("loop in gettable")
	return nil, false
}

// setIndex writes a field as scripts do. It reports false if the value has no fields; then the original instruction
// raises the error. As in Lua a new key takes its place in the table even if __newindex gets the value.
func setIndex(L *lua.LState, object, key, value lua.LValue) bool {
	for range maxHandlers {
		table, isTable := object.(*lua.LTable)
		if isTable {
			t := convertedIn(L, table)
			if t.hash().readOnly {
				L.RaiseError(ReadOnlyMessage)
			}
			checkKey(L, key)
			place := t.place(key)
			if *place != lua.LNil || table.Metatable == lua.LNil {
				*place = value
				t.mirror(key, value)
				return true
			}
		}
		handler := L.GetMetaField(object, "__newindex")
		switch {
		case handler == lua.LNil && isTable:
			RawSet(table, key, value)
			return true
		case handler == lua.LNil:
			return false
		case handler.Type() == lua.LTFunction:
			L.Push(handler)
			L.Push(object)
			L.Push(key)
			L.Push(value)
			L.Call(3, 0)
			return true
		}
		object = handler
	}
	L.RaiseError("loop in settable")
	return false
}

// getTable executes OP_GETTABLE.
func getTable(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	if v, ok := Index(L, s.register(argB(inst)), s.value(argC(inst))); ok {
		s.setRegister(argA(inst), v)
		return 0
	}
	return original[lua.OP_GETTABLE](L, inst, base)
}

// getTableKS executes OP_GETTABLEKS.
func getTableKS(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	if v, ok := field(L, s.register(argB(inst)), s.value(argC(inst))); ok {
		s.setRegister(argA(inst), v)
		return 0
	}
	return original[lua.OP_GETTABLEKS](L, inst, base)
}

// getGlobal executes OP_GETGLOBAL.
func getGlobal(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	fn := s.currentFrame.Fn
	if v, ok := field(L, fn.Env, fn.Proto.Constants[argBx(inst)]); ok {
		s.setRegister(argA(inst), v)
		return 0
	}
	return original[lua.OP_GETGLOBAL](L, inst, base)
}

// field is Index for a constant that is a string. Fields of read-only tables are cached.
func field(L *lua.LState, object, name lua.LValue) (lua.LValue, bool) {
	if table, ok := object.(*lua.LTable); ok && ensureConverted(L, table) {
		if t := partsOf(table); t.hash().readOnly {
			if v := MachineOf(L).getField(table, t, string(name.(lua.LString))); v != nil {
				return v, true
			}
		}
	}
	return Index(L, object, name)
}

// getMethod executes OP_SELF, the first half of a method call: R(A+1) := R(B); R(A) := R(B)[RK(C)].
func getMethod(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	object := s.register(argB(inst))
	v, ok := field(L, object, s.value(argC(inst)))
	if !ok {
		return original[lua.OP_SELF](L, inst, base)
	}
	s.setRegister(argA(inst), v)
	s.setRegister(argA(inst)+1, object)
	return 0
}

// setTable executes OP_SETTABLE and OP_SETTABLEKS.
func setTable(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	if MachineOf(L) != nil && setIndex(L, s.register(argA(inst)), s.value(argB(inst)), s.value(argC(inst))) {
		return 0
	}
	return original[opcode(inst)](L, inst, base)
}

// setGlobal executes OP_SETGLOBAL.
func setGlobal(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	fn := s.currentFrame.Fn
	if MachineOf(L) != nil && setIndex(L, fn.Env, fn.Proto.Constants[argBx(inst)], s.register(argA(inst))) {
		return 0
	}
	return original[lua.OP_SETGLOBAL](L, inst, base)
}
