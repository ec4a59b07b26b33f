package luafront

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// fieldCache remembers fields of read-only tables by the constants that name them: most accesses of scripts are
// to "redis", "call", "KEYS" and "ARGV", each of which costs a hash of its name otherwise. Only SetField changes such a
// table, and clears the cache. Two fields that share an entry replace each other.
type fieldCache [64]cachedField

// cachedField is a field and its value; table is nil in an entry that was never used.
type cachedField struct {
	table *lua.LTable
	name  *byte // of a constant: it is compared by its address
	value lua.LValue
}

// slot returns the cache entry for a field of a table.
func (c *fieldCache) slot(table *lua.LTable, name string) *cachedField {
	address := uintptr(unsafe.Pointer(unsafe.StringData(name)))
	return &c[(address>>3^address>>9^uintptr(unsafe.Pointer(table))>>5)%uintptr(len(c))]
}

// get returns a field, nil if it is not cached.
func (c *fieldCache) get(table *lua.LTable, name string) lua.LValue {
	if f := c.slot(table, name); f.table == table && f.name == unsafe.StringData(name) {
		return f.value
	}
	return nil
}

// put caches a field, in place of the one that has the entry.
func (c *fieldCache) put(table *lua.LTable, name string, value lua.LValue) {
	*c.slot(table, name) = cachedField{table, unsafe.StringData(name), value}
}

// SetField changes a table that was given to Protect.
func (m *Machine) SetField(table *lua.LTable, name string, value lua.LValue) {
	m.fields = fieldCache{}
	RawSetString(table, name, value)
}

// getField returns a field of a read-only table that a constant names, nil if it is not there. A missing field is not
// cached.
func (m *Machine) getField(table *lua.LTable, t *vmTable, name string) lua.LValue {
	v := m.fields.get(table, name)
	if v == nil {
		if v = t.hash().text(name); v == lua.LNil {
			return nil
		}
		m.fields.put(table, name, v)
	}
	return v
}
