package luafront

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/words"
)

// InstallErrors sets the functions assert, error, pcall and xpcall of a state that Install was called for.
func InstallErrors(L *lua.LState) {
	m := MachineOf(L)
	for name, function := range map[string]lua.LGFunction{
		"assert": m.assert, "error": m.error, "pcall": m.pcall, "xpcall": m.xpcall,
	} {
		SetGlobal(L, name, L.NewFunction(function))
	}
}

// Message returns the value that was raised, without a trace, or the text of an error that does not come from Lua.
func Message(err error) lua.LValue {
	if failure, ok := err.(*lua.ApiError); ok {
		return failure.Object
	}
	return lua.LString(err.Error())
}

// RedisCaught is a Config.Caught that does as pcall in Redis: of a table it returns the field "err" if that is a string
// or a number, else the table and the field.
func RedisCaught(L *lua.LState, value lua.LValue) int {
	table, ok := value.(*lua.LTable)
	if !ok {
		L.Push(value)
		return 1
	}
	message, _ := Index(L, table, lua.LString("err"))
	if lua.LVCanConvToString(message) {
		L.Push(message)
		return 1
	}
	L.Push(table)
	L.Push(message)
	return 2
}

// error is error(message, level): a string or number gets the position of that level before it. Level 1, the default,
// is the function that calls error; level 0 adds no position.
func (m *Machine) error(L *lua.LState) int {
	level := m.optInteger(L, 2, 1)
	value := L.Get(1)
	if text, ok := m.toText(value); ok && level > 0 {
		value = lua.LString(Where(L, level) + text)
	}
	raise(L, value)
	return 0
}

// assert is assert(value, message): it returns all its arguments, or raises the message, with the position of the
// caller.
func (m *Machine) assert(L *lua.LState) int {
	if L.GetTop() == 0 {
		ArgError(L, 1, "value expected")
	}
	if lua.LVAsBool(L.Get(1)) {
		return L.GetTop()
	}
	message := "assertion failed!"
	if given := L.Get(2); given != lua.LNil {
		text, ok := m.toText(given)
		if !ok {
			ArgError(L, 2, "string expected, got "+given.Type().String())
		}
		message = words.UntilNUL(text)
	}
	raise(L, lua.LString(Where(L, 1)+message))
	return 0
}

// pcall is pcall(f, …). Without arguments it calls, in Redis, the true that it pushes for the result.
func (m *Machine) pcall(L *lua.LState) int {
	if L.GetTop() == 0 {
		L.Push(lua.LTrue)
	}
	value, ok := m.try(L, L.GetTop()-1)
	if ok {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	L.Push(lua.LFalse)
	return 1 + m.config.Caught(L, value)
}

// xpcall is xpcall(f, handler): the handler gets the raised value and gives the second result. It runs after the
// functions have ended, since there is no debug library to inspect them; in Lua it runs before.
func (m *Machine) xpcall(L *lua.LState) int {
	if L.GetTop() < 2 {
		ArgError(L, 2, "value expected")
	}
	handler := L.Get(2)
	L.SetTop(1)
	value, ok := m.try(L, 0)
	if ok {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	L.Push(lua.LFalse)
	L.Push(m.handle(L, handler, value))
	return 2
}

// handle calls an error handler. If that fails, the result is the message of Lua for it.
func (m *Machine) handle(L *lua.LState, handler, value lua.LValue) lua.LValue {
	failed := lua.LString("error in error handling")
	if handler.Type() != lua.LTFunction {
		return failed
	}
	L.Push(handler)
	L.Push(value)
	if err := m.Catch(L, 1, 1); err != nil {
		return failed
	}
	result := L.Get(-1)
	L.Pop(1)
	return result
}

// try calls the function below its nargs arguments at the top of the stack. It leaves the results, or returns the
// raised value.
func (m *Machine) try(L *lua.LState, nargs int) (raised lua.LValue, ok bool) {
	callee := L.Get(-nargs - 1)
	if callee.Type() != lua.LTFunction && L.GetMetaField(callee, "__call").Type() != lua.LTFunction {
		return lua.LString("attempt to call a " + callee.Type().String() + " value"), false
	}
	if err := m.Catch(L, nargs, lua.MultRet); err != nil {
		return Message(err), false
	}
	return nil, true
}

// passOn raises an error again if a script can't catch it: a stop, a fault in Go code, and what Config.BypassPCall
// reports.
func (m *Machine) passOn(L *lua.LState, err error) {
	if m.reason.Load() != nil {
		m.raiseStop(L)
	}
	if m.fault != nil {
		panic(err)
	}
	if m.config.BypassPCall != nil && m.config.BypassPCall(err) {
		panic(err)
	}
}

// optInteger reads an optional integer argument as luaL_optinteger does.
func (m *Machine) optInteger(L *lua.LState, n, absent int) int {
	given := L.Get(n)
	if given == lua.LNil {
		return absent
	}
	number, ok := m.toNumber(given)
	if !ok {
		ArgError(L, n, "number expected, got "+given.Type().String())
	}
	return int(number)
}
