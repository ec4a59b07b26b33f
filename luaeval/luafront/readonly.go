package luafront

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// ReadOnlyMessage is what Redis raises for a write to a table of its own.
const ReadOnlyMessage = "Attempt to modify a readonly table"

// Protect makes tables read-only for the instructions of scripts, as Redis has changed Lua to do. Functions that write
// into a table they are given (rawset, setmetatable, table.insert, table.sort …) must ask ReadOnly themselves, and Go
// code that changes one uses SetField.
func (m *Machine) Protect(tables ...*lua.LTable) {
	for _, table := range tables {
		t := converted(table)
		if t.hash().none() {
			t.k2i = unsafe.Pointer(&hashPart{murmur: t.hash().murmur})
		}
		t.hash().readOnly = true
	}
}

// ReadOnly reports whether Protect was called for a table.
func (m *Machine) ReadOnly(table *lua.LTable) bool { return converted(table).hash().readOnly }
