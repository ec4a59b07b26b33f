package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// forValues are the names of the three values of a numeric for in messages, in the order of their registers.
var forValues = [...]string{"initial value", "limit", "step"}

// prepareFor executes OP_FORPREP. Lua 5.1 makes numbers of strings there. Doing it in the instruction, which runs once
// for a loop, costs less than a call for each value, and messages keep the line of the loop.
func prepareFor(L *lua.LState, inst uint32, base *vmFrame) int {
	if m := MachineOf(L); m != nil {
		s := internals(L)
		for i, what := range forValues {
			r := argA(inst) + i
			v := s.register(r)
			if v.Type() == lua.LTNumber {
				continue
			}
			n, ok := m.toNumber(v)
			if !ok {
				L.RaiseError("'for' %s must be a number", what)
			}
			s.setRegister(r, lua.LNumber(n))
		}
	}
	return original[lua.OP_FORPREP](L, inst, base)
}
