package luafront

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// fieldCache remembers fields of read-only tables by the constants that name them: most of what scripts look up is
// "redis", "call", "KEYS" and "ARGV", each of which costs a search in a Go map otherwise.
type fieldCache [64]cachedField

type cachedField struct {
	table *lua.LTable
	name  *byte // of a constant: it is compared by its address
	value lua.LValue
}

// slot is where a field of a table is remembered. Neither moves.
func (c *fieldCache) slot(table *lua.LTable, name string) *cachedField {
	address := uintptr(unsafe.Pointer(unsafe.StringData(name)))
	return &c[(address>>3^address>>9^uintptr(unsafe.Pointer(table))>>5)%uintptr(len(c))]
}

// get returns a field, nil if it is not remembered.
func (c *fieldCache) get(table *lua.LTable, name string) lua.LValue {
	if f := c.slot(table, name); f.table == table && f.name == unsafe.StringData(name) {
		return f.value
	}
	return nil
}

func (c *fieldCache) put(table *lua.LTable, name string, value lua.LValue) {
	*c.slot(table, name) = cachedField{table, unsafe.StringData(name), value}
}

// SetField changes a table that was given to Protect.
func (m *Machine) SetField(table *lua.LTable, name string, value lua.LValue) {
	m.fields = fieldCache{}
	table.RawSetString(name, value)
}

// getGlobal carries out OP_GETGLOBAL.
func getGlobal(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	fn := s.currentFrame.Fn
	if s.getField(L, fn.Env, fn.Proto.Constants[argBx(inst)], inst) {
		return 0
	}
	return original[lua.OP_GETGLOBAL](L, inst, base)
}

// getTableKS carries out OP_GETTABLEKS.
func getTableKS(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	if table, ok := s.register(argB(inst)).(*lua.LTable); ok && s.getField(L, table, s.value(argC(inst)), inst) {
		return 0
	}
	return original[lua.OP_GETTABLEKS](L, inst, base)
}

// getField puts a field of a read-only table into the register that the instruction names, and reports whether it did.
func (s *vmState) getField(L *lua.LState, table *lua.LTable, constant lua.LValue, inst uint32) bool {
	name, ok := constant.(lua.LString)
	m := MachineOf(L)
	if !ok || m == nil {
		return false
	}
	v := m.fields.get(table, string(name))
	if v == nil {
		if !m.readOnly.has(table) {
			return false
		}
		if v = table.RawGetString(string(name)); v == lua.LNil {
			return false
		}
		m.fields.put(table, string(name), v)
	}
	s.setRegister(argA(inst), v)
	return true
}
