package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// pairs makes pairs(t). It gives next of Lua's: for a table whose order gopher-lua shares, a function for all, else one that
// keeps the order of this table.
func pairs(asSet *lua.LFunction) lua.LGFunction {
	return func(L *lua.LState) int {
		t, iterator := lualib.CheckTable(L, 1), asSet
		if !keepsOrder(t) {
			iterator = L.NewFunction(new(walk).next)
		}
		L.Push(iterator)
		L.Push(t)
		L.Push(lua.LNil)
		return 3
	}
}

// keepsOrder tells a table that Lua walks through as gopher-lua does: a list with nothing else, or a single key.
func keepsOrder(t *lua.LTable) bool {
	n := t.Len()
	first, _ := t.Next(boxInt(int64(n)))
	if n == 0 {
		first, _ = t.Next(lua.LNil)
	}
	if first == lua.LNil {
		return true
	}
	second, _ := t.Next(first)
	return n == 0 && second == lua.LNil
}

// walk goes through a table in the order in which Lua's hash has its keys, as scripts can tell it: HGETALL's reply in a table
// and back in redis.call, say. Fields may be cleared on the way, as Lua allows.
type walk struct {
	table *lua.LTable
	keys  []lua.LValue
	at    int // of the key that comes next
}

// begin goes before the first key.
func (w *walk) begin(t *lua.LTable) {
	clear(w.keys)
	w.table, w.keys, w.at = t, lualib.Keys(w.keys[:0], t), 0
}

// end lets go of the table.
func (w *walk) end() {
	clear(w.keys)
	w.table, w.keys = nil, w.keys[:0]
}

// seek goes behind a key, if it is one of the walk's.
func (w *walk) seek(key lua.LValue) bool {
	if w.at > 0 && w.keys[w.at-1] == key {
		return true
	}
	for i, k := range w.keys {
		if k == key {
			w.at = i + 1
			return true
		}
	}
	return false
}

// push pushes the next field that is there, or nil, and returns how many values that is.
func (w *walk) push(L *lua.LState) int {
	for ; w.at < len(w.keys); w.at++ {
		if v := luafront.RawGet(w.table, w.keys[w.at]); v != lua.LNil {
			L.Push(w.keys[w.at])
			L.Push(v)
			w.at++
			return 2
		}
	}
	L.Push(lua.LNil)
	return 1
}

// next is the iterator that pairs gives for one table.
func (w *walk) next(L *lua.LState) int {
	t, key := lualib.CheckTable(L, 1), L.Get(2)
	switch {
	case key == lua.LNil:
		w.begin(t)
	case w.table != t || !w.seek(key):
		return nextAsSet(L)
	}
	return w.push(L)
}

// walks are those of next(t, key), which only has the table to know one by: as many as loops are inside one another.
type walks struct {
	list [8]walk
	turn int
}

// of finds the walk through a table.
func (ws *walks) of(t *lua.LTable) *walk {
	for i := range ws.list {
		if ws.list[i].table == t {
			return &ws.list[i]
		}
	}
	return nil
}

// end lets go of all tables.
func (ws *walks) end() {
	for i := range ws.list {
		if ws.list[i].table != nil {
			ws.list[i].end()
		}
	}
}

// next is next(t, key).
func (ws *walks) next(L *lua.LState) int {
	t, key := lualib.CheckTable(L, 1), L.Get(2)
	w := ws.of(t)
	if w != nil && key != lua.LNil && w.seek(key) {
		return w.push(L)
	}
	if w != nil {
		w.end()
	}
	if keepsOrder(t) || key != lua.LNil && !luafront.HasKey(t, key) {
		return nextAsSet(L)
	}
	if w == nil {
		w = &ws.list[ws.turn]
		ws.turn = (ws.turn + 1) % len(ws.list)
	}
	w.begin(t)
	if key != lua.LNil && !w.seek(key) {
		return nextAsSet(L)
	}
	return w.push(L)
}

// nextAsSet is next(t, key) in gopher-lua's order, which is that of setting.
func nextAsSet(L *lua.LState) int {
	t, key := lualib.CheckTable(L, 1), L.Get(2)
	if key != lua.LNil && !luafront.HasKey(t, key) {
		raiseBare(L, "invalid key to 'next'")
	}
	key, value := t.Next(key)
	L.Push(key)
	if key == lua.LNil {
		return 1
	}
	L.Push(value)
	return 2
}

// ipairs makes ipairs(t).
func ipairs(iterator *lua.LFunction) lua.LGFunction {
	return func(L *lua.LState) int {
		t := lualib.CheckTable(L, 1)
		L.Push(iterator)
		L.Push(t)
		L.Push(boxInt(0))
		return 3
	}
}

// nextOfList is the iterator of ipairs: nothing at the first nil.
func nextOfList(L *lua.LState) int {
	i := boxInt(int64(lualib.CheckNumber(L, 2)) + 1)
	t := lualib.CheckTable(L, 1)
	v := luafront.RawGet(t, i)
	if v == lua.LNil {
		return 0
	}
	L.Push(i)
	L.Push(v)
	return 2
}
