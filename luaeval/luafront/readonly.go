package luafront

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// ReadOnlyMessage is what Redis raises for a write to a table of its own.
const ReadOnlyMessage = "Attempt to modify a readonly table"

// Protect makes tables read-only for the instructions of scripts, as Redis' Lua can. Functions that write into a table they are
// given (rawset, setmetatable, table.insert, table.sort …) must ask ReadOnly themselves.
func (m *Machine) Protect(tables ...*lua.LTable) {
	for _, table := range tables {
		m.readOnly.add(table)
	}
}

// ReadOnly tells whether Protect was called for a table.
func (m *Machine) ReadOnly(table *lua.LTable) bool { return m.readOnly.has(table) }

// maxGap is how far behind the end of a table's list a number key may be assigned. gopher-lua fills the gap, 16 bytes for each
// number, where Lua would use one slot of a hash.
const maxGap = 1 << 22

// setGlobal carries out OP_SETGLOBAL.
func setGlobal(L *lua.LState, inst uint32, base *vmFrame) int {
	if m := MachineOf(L); m != nil && m.readOnly.has(internals(L).currentFrame.Fn.Env) {
		L.RaiseError(ReadOnlyMessage)
	}
	return original[lua.OP_SETGLOBAL](L, inst, base)
}

// setTable carries out OP_SETTABLE and OP_SETTABLEKS.
func setTable(L *lua.LState, inst uint32, base *vmFrame) int {
	s := internals(L)
	if table, ok := s.register(argA(inst)).(*lua.LTable); ok {
		if m := MachineOf(L); m != nil {
			if m.readOnly.has(table) {
				L.RaiseError(ReadOnlyMessage)
			}
			if key, ok := s.value(argB(inst)).(lua.LNumber); ok && key > maxGap {
				checkGap(L, table, key)
			}
		}
	}
	return original[opcode(inst)](L, inst, base)
}

// checkGap keeps a script from filling the memory by one assignment.
func checkGap(L *lua.LState, table *lua.LTable, key lua.LNumber) {
	if key < lua.LNumber(lua.MaxArrayIndex) && key > lua.LNumber(table.MaxN()+maxGap) {
		L.RaiseError("not enough memory")
	}
}

// tableSet is a set of few tables that is asked at every assignment to a field: an open hash table of addresses.
type tableSet struct {
	slots []*lua.LTable // a power of two of them, at most half in use
	count int
}

func (t *tableSet) has(table *lua.LTable) bool {
	if t.count == 0 {
		return false
	}
	for i := t.slot(table); t.slots[i] != nil; i = (i + 1) & (len(t.slots) - 1) {
		if t.slots[i] == table {
			return true
		}
	}
	return false
}

func (t *tableSet) add(table *lua.LTable) {
	if t.has(table) {
		return
	}
	if 2*(t.count+1) > len(t.slots) {
		t.grow()
	}
	i := t.slot(table)
	for t.slots[i] != nil {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = table
	t.count++
}

func (t *tableSet) grow() {
	old := t.slots
	t.slots, t.count = make([]*lua.LTable, max(64, 2*len(old))), 0
	for _, table := range old {
		if table != nil {
			t.add(table)
		}
	}
}

// slot is where the search for a table begins. Go does not move what is on the heap.
func (t *tableSet) slot(table *lua.LTable) int {
	address := uintptr(unsafe.Pointer(table))
	return int(address>>4^address>>12) & (len(t.slots) - 1)
}
