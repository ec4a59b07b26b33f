package luafront

import (
	"strings"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Tables are as in Lua 5.1: a list, and a hash with a power of two of nodes (hash.go), both of which grow when the hash
// is full (sizes.go). Scripts can see that: in the length of a list with holes, in the order of pairs, and in the cost
// of a key far beyond a list.
//
// They are stored in the LTable of gopher-lua. A table that the machine of gopher-lua made is converted when a script
// or a function of this package first accesses it; from then on the methods of LTable (RawGet, RawSet, Next, Len …)
// must not be used on it. Only RawGetString still finds the names of metamethods, by which gopher-lua searches a
// metatable itself (see mirror).

// NewTable makes a table with room for a list and for other keys, as lua_createtable does.
func NewTable(list, others int) *lua.LTable { return (*Machine)(nil).NewTable(list, others) }

// NewTable is NewTable for the state of the machine, whose scripts may see the order of the keys.
func (m *Machine) NewTable(list, others int) *lua.LTable {
	table := &lua.LTable{Metatable: lua.LNil}
	t := partsOf(table)
	none := m.noHash()
	t.k2i = unsafe.Pointer(none)
	if list > 0 {
		t.array = make([]lua.LValue, list)
		fillNil(t.array)
	}
	if others > 0 {
		t.k2i = unsafe.Pointer(none.larger(others))
	}
	return table
}

// noHash returns the hash of a table without nodes.
func (m *Machine) noHash() *hashPart {
	if m != nil && m.config.MurmurHash {
		return &noMurmurHash
	}
	return &noHash
}

// fillNil sets all places to nil, which is not the zero value of an interface.
func fillNil(places []lua.LValue) {
	for i := range places {
		places[i] = lua.LNil
	}
}

// converted returns the fields of a table, which it converts first if necessary. For a table of a script convertedIn
// comes before it, which knows the hash that it must have.
func converted(table *lua.LTable) *vmTable {
	t := partsOf(table)
	if !t.isConverted() {
		t.convert(&noHash)
	}
	return t
}

// isConverted reports whether a table has a hash of this package. If gopher-lua writes a field into such a table, it no
// longer is converted, and has lost its hash.
func (t *vmTable) isConverted() bool { return t.keys == nil && t.k2i != nil }

// convert makes a table of gopher-lua a converted one, as if its keys were set one by one. The list stays where it is.
func (t *vmTable) convert(none *hashPart) {
	keys, dict, fields := t.keys, t.dict, t.strdict
	t.keys, t.dict, t.strdict, t.k2i = nil, nil, nil, unsafe.Pointer(none)
	for _, key := range keys {
		value := dict[key]
		if name, ok := key.(lua.LString); ok {
			value = fields[string(name)]
		}
		if value != nil && value != lua.LNil {
			t.set(key, value)
		}
	}
}

// get reads a field without metamethods.
func (t *vmTable) get(key lua.LValue) lua.LValue {
	switch k := key.(type) {
	case lua.LString:
		return t.hash().text(string(k))
	case lua.LNumber:
		if i := int(k); uint(i-1) < uint(len(t.array)) && lua.LNumber(i) == k {
			return t.array[i-1]
		}
		return t.hash().number(k)
	}
	if n := t.hash().find(key, t.hash().code(key)); n != nil {
		return n.value
	}
	return lua.LNil
}

// set writes a field without metamethods.
func (t *vmTable) set(key, value lua.LValue) {
	*t.place(key) = value
	t.mirror(key, value)
}

// place returns where the value of a key is kept, until the next call. A new key gets a place even if nil is what will
// be stored.
func (t *vmTable) place(key lua.LValue) *lua.LValue {
	if k, ok := key.(lua.LNumber); ok {
		if i := int(k); uint(i-1) < uint(len(t.array)) && lua.LNumber(i) == k {
			return &t.array[i-1]
		}
	}
	code := t.hash().code(key)
	if n := t.hash().find(key, code); n != nil {
		return &n.value
	}
	if n := t.hash().add(key, code); n != nil {
		return &n.value
	}
	t.rehash(key)
	return t.place(key)
}

// mirror keeps the names of metamethods where gopher-lua finds them when it searches a metatable. Any field whose name
// begins with __ is kept there, as any table may become a metatable.
func (t *vmTable) mirror(key, value lua.LValue) {
	name, ok := key.(lua.LString)
	switch {
	case !ok || !strings.HasPrefix(string(name), "__"):
	case value == lua.LNil:
		delete(t.strdict, string(name))
	default:
		if t.strdict == nil {
			t.strdict = make(map[string]lua.LValue)
		}
		t.strdict[string(name)] = value
	}
}

// checkKey raises an error for nil and NaN.
func checkKey(L *lua.LState, key lua.LValue) {
	if key == lua.LNil {
		L.RaiseError("table index is nil")
	}
	if n, ok := key.(lua.LNumber); ok && n != n {
		L.RaiseError("table index is NaN")
	}
}

// RawGet reads a field without metamethods.
func RawGet(table *lua.LTable, key lua.LValue) lua.LValue { return converted(table).get(key) }

// RawGetInt reads a place of a list without metamethods.
func RawGetInt(table *lua.LTable, i int) lua.LValue {
	t := converted(table)
	if uint(i-1) < uint(len(t.array)) {
		return t.array[i-1]
	}
	return t.hash().number(lua.LNumber(i))
}

// RawGetString reads a field that has a name without metamethods.
func RawGetString(table *lua.LTable, name string) lua.LValue {
	return converted(table).hash().text(name)
}

// RawSet writes a field without metamethods. The key must not be nil or NaN.
func RawSet(table *lua.LTable, key, value lua.LValue) { converted(table).set(key, value) }

// RawSetInt writes a place of a list without metamethods.
func RawSetInt(table *lua.LTable, i int, value lua.LValue) {
	t := converted(table)
	if uint(i-1) < uint(len(t.array)) {
		t.array[i-1] = value
		return
	}
	*t.place(number(i)) = value
}

// RawSetString writes a field that has a name without metamethods.
func RawSetString(table *lua.LTable, name string, value lua.LValue) {
	converted(table).set(lua.LString(name), value)
}

// SetList makes a table what it would be if n values had been set one by one, and returns their places, which hold the
// values that they held before. It reports false if the table has more than a list: then it is left as it is.
func SetList(table *lua.LTable, n int) (places []lua.LValue, ok bool) {
	t := converted(table)
	if t.Metatable != lua.LNil || !t.hash().none() {
		return nil, false
	}
	size := 0
	if n > 0 {
		size = 1 << ceilLog2(n)
	}
	t.resizeList(size)
	fillNil(t.array[n:])
	return t.array[:n], true
}

// smallNumbers are values that need no allocation.
var smallNumbers = func() (numbers [256]lua.LValue) {
	for i := range numbers {
		numbers[i] = lua.LNumber(i)
	}
	return numbers
}()

// number returns an integer as a Lua value.
func number(i int) lua.LValue {
	if uint(i) < uint(len(smallNumbers)) {
		return smallNumbers[i]
	}
	return lua.LNumber(i)
}

// SetGlobal sets a global variable of a state.
func SetGlobal(L *lua.LState, name string, value lua.LValue) { RawSetString(L.G.Global, name, value) }
