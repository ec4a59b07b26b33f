package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Elements are collected before their table is made, so that its size can be counted against the budget: two bytes of
// text can make a table. Then they are set one by one, which gives the table the parts and the order of pairs that it
// has in Redis.

// jsonDecoder builds the value of one text. The depth is limited twice, as in cjson: by a setting, and by the stack
// that cjson would use.
type jsonDecoder struct {
	jsonScanner
	budget
	L      *lua.LState
	config *jsonConfig
	values []lua.LValue // elements, or keys and values, of the tables being read, the innermost last
	depth  int
	used   int // slots of the Lua stack that cjson would use
}

// The stack slots that cjson needs at each level.
const (
	objectSlots = 3
	arraySlots  = 2
)

// decode is cjson.decode(text): one value and nothing behind it. Null is cjson.null. A text in UTF-16 or UTF-32 is an
// error; it has a NUL in the first two bytes.
func (j *json) decode(L *lua.LState) int {
	if L.GetTop() != 1 {
		argError(L, 1, "expected 1 argument")
	}
	d := jsonDecoder{L: L, budget: budget{library: j.library}, config: j.settings.current.Load(), used: 1}
	d.text = CheckString(L, 1)
	d.anyNumber = d.config.decodeInvalid != invalidOff
	if len(d.text) >= 2 && (d.text[0] == 0 || d.text[1] == 0) {
		raise(L, "JSON parser does not support UTF-16 or UTF-32")
	}
	v := d.value(d.next())
	if t := d.next(); t.kind != tokenEnd {
		d.fail("the end", t)
	}
	L.Push(v)
	return 1
}

// value reads the value that begins with a token.
func (d *jsonDecoder) value(t token) lua.LValue {
	d.take(d.L, valueBytes)
	switch t.kind {
	case tokenString:
		return stringValue(t.text)
	case tokenNumber:
		return number(t.number)
	case tokenBoolean:
		return lua.LBool(t.truth)
	case tokenNull:
		return Null
	case tokenObjectBegin:
		return d.object()
	case tokenArrayBegin:
		return d.array()
	}
	d.fail("value", t)
	return lua.LNil
}

// fail raises what was expected and what was found instead; positions count from 1.
func (d *jsonDecoder) fail(wanted string, t token) {
	found := t.text
	if t.kind != tokenError {
		found = tokenNames[t.kind]
	}
	raise(d.L, "Expected %s but found %s at character %d", wanted, found, t.at+1)
}

// enter enters a level of nesting that needs slots of the Lua stack; leave leaves it.
func (d *jsonDecoder) enter(wanted int) {
	d.depth++
	if d.depth > d.config.decodeMaxDepth || d.used+wanted > maxStack {
		raise(d.L, "Found too many nested data structures (%d) at character %d", d.depth, d.at)
	}
	d.used += wanted - 1
}

func (d *jsonDecoder) leave(wanted int) {
	d.depth--
	d.used -= wanted - 1
}

// object reads the members of an object, whose brace was read. Of several members with one key the last one counts.
func (d *jsonDecoder) object() lua.LValue {
	d.enter(objectSlots)
	first := len(d.values)
	t := d.next()
	for more := t.kind != tokenObjectEnd; more; {
		d.member(t)
		if more = d.hasMore(tokenObjectEnd, "comma or object end"); more {
			t = d.next()
		}
	}
	d.leave(objectSlots)
	return d.makeObject(first)
}

// member reads a key, whose token is t, and its value.
func (d *jsonDecoder) member(t token) {
	if t.kind != tokenString {
		d.fail("object key string", t)
	}
	key := stringValue(t.text)
	if t = d.next(); t.kind != tokenColon {
		d.fail("colon", t)
	}
	v := d.value(d.next())
	d.values = append(d.values, key, v)
}

// hasMore reports whether a comma is next, and not the end of the object or array.
func (d *jsonDecoder) hasMore(closing tokenKind, wanted string) bool {
	t := d.next()
	if t.kind != closing && t.kind != tokenComma {
		d.fail(wanted, t)
	}
	return t.kind == tokenComma
}

// makeObject makes a table, key by key, of the keys and values from first on, and removes these from the list.
func (d *jsonDecoder) makeObject(first int) lua.LValue {
	pairs := d.values[first:]
	d.take(d.L, sizeOfTable(0, len(pairs)/2))
	table := luafront.MachineOf(d.L).NewTable(0, 0)
	for i := 0; i < len(pairs); i += 2 {
		luafront.RawSet(table, pairs[i], pairs[i+1])
	}
	d.values = d.values[:first]
	return table
}

// array reads the elements of an array, whose bracket was read.
func (d *jsonDecoder) array() lua.LValue {
	d.enter(arraySlots)
	first := len(d.values)
	t := d.next()
	for more := t.kind != tokenArrayEnd; more; {
		v := d.value(t)
		d.values = append(d.values, v)
		if more = d.hasMore(tokenArrayEnd, "comma or array end"); more {
			t = d.next()
		}
	}
	d.leave(arraySlots)
	return d.makeArray(first)
}

// makeArray makes a table, element by element, of the values from first on. None is nil: null is a value.
func (d *jsonDecoder) makeArray(first int) lua.LValue {
	elements := d.values[first:]
	d.take(d.L, sizeOfTable(len(elements), 0))
	table := luafront.MachineOf(d.L).NewTable(0, 0)
	for i, v := range elements {
		luafront.RawSetInt(table, i+1, v)
	}
	d.values = d.values[:first]
	return table
}
