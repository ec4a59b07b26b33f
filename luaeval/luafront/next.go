package luafront

import (
	"iter"

	lua "github.com/yuin/gopher-lua"
)

// Next returns the field that follows a key, the first one for nil, and nil after the last one. Between calls fields
// may be cleared, but not added. It reports false for a key that was never in the table.
func Next(table *lua.LTable, key lua.LValue) (next, value lua.LValue, ok bool) {
	t := converted(table)
	i := t.turn(key)
	if i < 0 {
		return lua.LNil, lua.LNil, false
	}
	next, value, _ = t.from(i)
	return next, value, true
}

// All goes through the fields of a table, in the order of pairs.
func All(table *lua.LTable) iter.Seq2[lua.LValue, lua.LValue] {
	t := converted(table)
	return func(yield func(key, value lua.LValue) bool) {
		for key, value, i := t.from(0); key != lua.LNil; key, value, i = t.from(i) {
			if !yield(key, value) {
				return
			}
		}
	}
}

// Fields is a walk through a table: for f := StartFields(t); f.Next(); { … f.Key … }. It allocates nothing.
type Fields struct {
	Key, Value lua.LValue

	t  *vmTable
	at int
}

// StartFields begins before the first field.
func StartFields(table *lua.LTable) Fields { return Fields{t: converted(table)} }

// Next moves to the next field, and reports whether there is one.
func (f *Fields) Next() bool {
	f.Key, f.Value, f.at = f.t.from(f.at)
	return f.Key != lua.LNil
}

// turn returns how many places, of the list and then of the hash, a walk through the table has behind it at a key: 0 at
// nil, -1 if the table never had it.
func (t *vmTable) turn(key lua.LValue) int {
	if key == lua.LNil {
		return 0
	}
	if n, ok := key.(lua.LNumber); ok {
		if i := int(n); uint(i-1) < uint(len(t.array)) && lua.LNumber(i) == n {
			return i
		}
	}
	h := t.hash()
	if len(h.nodes) == 0 {
		return -1
	}
	code := h.code(key)
	for i := h.mainPosition(key, code); ; {
		n := &h.nodes[i]
		if n.code == code && n.key == key {
			return len(t.array) + i + 1
		}
		if n.next == 0 {
			return -1
		}
		i = int(n.next) - 1
	}
}

// from returns the first field at or behind a place, and where to continue; nil if there is none. Places are those of
// the list, then the nodes of the hash in their order, which is the order of pairs.
func (t *vmTable) from(i int) (key, value lua.LValue, next int) {
	for ; i < len(t.array); i++ {
		if v := t.array[i]; v != lua.LNil {
			return number(i + 1), v, i + 1
		}
	}
	nodes := t.hash().nodes
	for j := i - len(t.array); j < len(nodes); j++ {
		if n := &nodes[j]; n.value != lua.LNil {
			return n.key, n.value, len(t.array) + j + 1
		}
	}
	return lua.LNil, lua.LNil, i
}
