package luafront

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// ReadOnlyMessage is what Redis raises for a write to a table of its own.
const ReadOnlyMessage = "Attempt to modify a readonly table"

// Protect makes tables read-only for the instructions of scripts, as Redis' Lua can. Functions that write into a table they are
// given (rawset, setmetatable, table.insert, table.sort …) must ask ReadOnly themselves, and Go code that changes one uses SetField.
func (m *Machine) Protect(tables ...*lua.LTable) {
	for _, table := range tables {
		m.readOnly.add(table)
	}
}

// ReadOnly tells whether Protect was called for a table.
func (m *Machine) ReadOnly(table *lua.LTable) bool { return m.readOnly.has(table) }

// setGlobal carries out OP_SETGLOBAL.
func setGlobal(L *lua.LState, inst uint32, base *vmFrame) int {
	if m := MachineOf(L); m != nil && m.readOnly.has(internals(L).currentFrame.Fn.Env) {
		L.RaiseError(ReadOnlyMessage)
	}
	return original[lua.OP_SETGLOBAL](L, inst, base)
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
