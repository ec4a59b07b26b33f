package luaeval

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Conversions between replies and Lua values, in both directions (Redis: Lua API reference, "Data type conversion"). A
// null is false in Lua, since a nil would end the list that contains it; statuses and errors are tables with the field
// ok or err. After redis.setresp(3) the types that only RESP3 has come as tables, too: {map = {…}}, {set = {…}},
// {double = n}, {big_number = "…"}, {verbatim_string = {string = …, format = …}}; booleans come as such, and a null is
// nil.
// Both directions lose something: a number that a script returns loses its fraction, a list ends at its first nil.

// lineBreaks replaces what would end the line of a big number.
var lineBreaks = strings.NewReplacer("\r", " ", "\n", " ")

// smallInts are the integers that commands mostly return, which need no allocation.
var smallInts = func() (boxed [256]lua.LValue) {
	for i := range boxed {
		boxed[i] = lua.LNumber(i)
	}
	return boxed
}()

// boxInt returns an integer as a Lua value. Beyond 2^53 it is rounded, as Lua has only doubles.
func boxInt(n int64) lua.LValue {
	if 0 <= n && n < int64(len(smallInts)) {
		return smallInts[n]
	}
	return lua.LNumber(n)
}

// toLua converts the reply of a command. With RESP2, the default, only the types of RESP2 reach the script.
func (st *state) toLua(v resp.Value) lua.LValue {
	st.allocatedBytes = 0
	return st.luaOf(v)
}

// luaOf is toLua for a part of a reply. A reply that exceeds the memory limit ends the script; its rest is nil, which
// the script does not see.
func (st *state) luaOf(v resp.Value) lua.LValue {
	if !st.allocate(valueBytes + len(v.Text())) {
		st.stop(errMemory, true)
		return lua.LNil
	}
	switch v.Kind() {
	case resp.KindInt:
		return boxInt(v.Int())
	case resp.KindBulk:
		return lua.LString(append([]byte(nil), v.Text()...))
	case resp.KindNull, resp.KindNullArray, resp.KindNone:
		if st.proto == resp.RESP3 {
			return lua.LNil
		}
		return lua.LFalse
	case resp.KindStatus:
		return st.field("ok", lua.LString(v.Text()))
	case resp.KindError:
		return st.field("err", lua.LString(v.Text()))
	case resp.KindDouble, resp.KindBool, resp.KindBigNumber, resp.KindDecimal, resp.KindVerbatim:
		return st.resp3ToLua(v)
	}
	return st.aggregateToLua(v)
}

// field returns a table with one field, which stands for a RESP type that Lua does not have.
func (st *state) field(name string, v lua.LValue) *lua.LTable {
	t := st.machine.NewTable(0, 0)
	luafront.RawSetString(t, name, v)
	return t
}

// resp3ToLua converts the scalar types that only RESP3 has. With RESP2 they are what a client of RESP2 gets: a string,
// or 0 and 1 for booleans. The text of KindVerbatim begins with its format: "txt:".
func (st *state) resp3ToLua(v resp.Value) lua.LValue {
	resp3 := st.proto == resp.RESP3
	switch v.Kind() {
	case resp.KindDouble:
		if resp3 {
			return st.field("double", lua.LNumber(v.Float()))
		}
		return lua.LString(v.AppendDouble(nil))
	case resp.KindBool:
		if resp3 {
			return lua.LBool(v.Int() != 0)
		}
		return boxInt(v.Int())
	case resp.KindDecimal:
		if resp3 {
			f, _ := strconv.ParseFloat(v.Text(), 64)
			return st.field("double", lua.LNumber(f))
		}
		return lua.LString(v.Text())
	case resp.KindBigNumber:
		if resp3 {
			return st.field("big_number", lua.LString(v.Text()))
		}
		return lua.LString(v.Text())
	}
	format, text := v.Text()[:3], v.Text()[4:]
	if !resp3 {
		return lua.LString(text)
	}
	t := st.machine.NewTable(0, 0)
	luafront.RawSetString(t, "string", lua.LString(text))
	luafront.RawSetString(t, "format", lua.LString(format))
	return st.field("verbatim_string", t)
}

// aggregateToLua converts arrays, maps, sets and lists of pairs. With RESP2 all but a PairMap are flat lists: key,
// value, key, value.
func (st *state) aggregateToLua(v resp.Value) lua.LValue {
	elems, kind, resp3 := v.Elems(), v.Kind(), st.proto == resp.RESP3
	t := st.machine.NewTable(0, 0)
	switch {
	case resp3 && (kind == resp.KindMap || kind == resp.KindPairMap):
		for i := 0; i+1 < len(elems); i += 2 {
			luafront.RawSet(t, st.luaOf(elems[i]), st.luaOf(elems[i+1]))
		}
		return st.field("map", t)
	case resp3 && kind == resp.KindSet:
		for i := range elems {
			luafront.RawSet(t, st.luaOf(elems[i]), lua.LTrue)
		}
		return st.field("set", t)
	case resp3 && kind == resp.KindPairs, !resp3 && kind == resp.KindPairMap:
		for i := 0; i+1 < len(elems); i += 2 {
			pair := st.machine.NewTable(0, 0)
			luafront.RawSetInt(pair, 1, st.luaOf(elems[i]))
			luafront.RawSetInt(pair, 2, st.luaOf(elems[i+1]))
			luafront.RawSetInt(t, i/2+1, pair)
		}
		return t
	}
	for i := range elems {
		luafront.RawSetInt(t, i+1, st.luaOf(elems[i]))
	}
	return t
}

// maxReplyDepth bounds the nesting of a returned table, which may contain itself. Deeper tables become an error within
// the reply.
const maxReplyDepth = 1000

// toReply converts what a script returns. It fails if the reply exceeds the memory limit: a table can contain another
// many times.
func (st *state) toReply(v lua.LValue) (reply resp.Value, ok bool) {
	st.allocatedBytes = 0
	reply = st.replyAt(v, 0)
	return reply, st.allocate(0)
}

// replyAt is toReply for a value at some depth. Functions, coroutines and userdata are null. Booleans are 1 and null
// or, once the script has called redis.setresp(3), booleans.
func (st *state) replyAt(v lua.LValue, depth int) resp.Value {
	if !st.allocate(valueBytes) {
		return resp.Null
	}
	switch v := v.(type) {
	case lua.LString:
		st.allocate(len(v))
		return resp.BulkString(string(v))
	case lua.LNumber:
		return resp.Int(num.Int64(float64(v)))
	case lua.LBool:
		switch {
		case st.proto == resp.RESP3:
			return resp.Bool(bool(v))
		case bool(v):
			return resp.One
		}
		return resp.Null
	case *lua.LTable:
		if depth >= maxReplyDepth {
			return resp.Error("ERR reached lua stack limit")
		}
		return st.tableReply(v, depth+1)
	}
	return resp.Null
}

// tableReply converts a table by the first of these that it has: the field err, ok, one of resp3Reply; else it is an
// array, whose fields with other keys are lost. Fields are read without metamethods. Texts of errors and statuses end
// at a NUL.
func (st *state) tableReply(t *lua.LTable, depth int) resp.Value {
	if text, ok := luafront.RawGetString(t, "err").(lua.LString); ok {
		return resp.Error(words.UntilNUL(string(text)))
	}
	if text, ok := luafront.RawGetString(t, "ok").(lua.LString); ok {
		return resp.Status(words.UntilNUL(string(text)))
	}
	if v, ok := st.resp3Reply(t, depth); ok {
		return v
	}
	var elems []resp.Value
	for i := 1; ; i++ {
		elem := luafront.RawGetInt(t, i)
		if elem == lua.LNil {
			return resp.Array(elems...)
		}
		elems = append(elems, st.replyAt(elem, depth))
	}
}

// resp3Reply converts the tables that stand for types of RESP3, whatever redis.setresp was given. A map or set is in
// the order of pairs. The format of a verbatim string has three characters: a longer one is cut, a shorter one padded.
func (st *state) resp3Reply(t *lua.LTable, depth int) (resp.Value, bool) {
	if n, ok := luafront.RawGetString(t, "double").(lua.LNumber); ok {
		return resp.Double(float64(n), resp.DoubleForm(st.engine.server.Does(emulate.ShortDoubles))), true
	}
	if m, ok := luafront.RawGetString(t, "map").(*lua.LTable); ok {
		var elems []resp.Value
		for k, v := range luafront.All(m) {
			elems = append(elems, st.replyAt(k, depth), st.replyAt(v, depth))
		}
		return resp.Map(elems...), true
	}
	if s, ok := luafront.RawGetString(t, "set").(*lua.LTable); ok {
		var elems []resp.Value
		for k := range luafront.All(s) {
			elems = append(elems, st.replyAt(k, depth))
		}
		return resp.Set(elems...), true
	}
	if digits, ok := luafront.RawGetString(t, "big_number").(lua.LString); ok {
		if st.engine.server.Does(emulate.CutsBigNumbers) {
			digits = lua.LString(words.UntilNUL(string(digits)))
		}
		return resp.BigNumber(lineBreaks.Replace(string(digits))), true
	}
	if verbatim, ok := luafront.RawGetString(t, "verbatim_string").(*lua.LTable); ok {
		text, okText := luafront.RawGetString(verbatim, "string").(lua.LString)
		format, okFormat := luafront.RawGetString(verbatim, "format").(lua.LString)
		if okText && okFormat {
			return resp.Verbatim((words.UntilNUL(string(format)) + "   ")[:3], string(text)), true
		}
	}
	return resp.None, false
}
