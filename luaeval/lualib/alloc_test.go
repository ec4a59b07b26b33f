package lualib

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// hotCalls are calls on the way of lock scripts, with the allocations that each may cost: its results, no more. A
// string is two, its bytes and its Lua value; a number is one.
var hotCalls = []struct {
	name   string
	allocs float64
	args   []lua.LValue
}{
	{"tonumber", 0, []lua.LValue{lua.LNumber(1700000000123)}},
	{"tonumber", 0, []lua.LValue{lua.LString("30")}},
	{"tonumber", 1, []lua.LValue{lua.LString("1700000000123")}},
	{"tostring", 0, []lua.LValue{lua.LNumber(7)}},
	{"tostring", 0, []lua.LValue{lua.LString("already")}},
	{"tostring", 2, []lua.LValue{lua.LNumber(1700000000123)}},
	{"select", 0, []lua.LValue{lua.LString("#"), lua.LTrue}},
	{"string.sub", 1, []lua.LValue{lua.LString("redisson_lock__timeout:{lock}"), lua.LNumber(3)}},
	{"string.find", 0, []lua.LValue{lua.LString("uuid:57"), lua.LString(":(%d)"), lua.LNumber(1)}},
	{"string.byte", 0, []lua.LValue{lua.LString("abc")}},
	{"struct.pack", 2, []lua.LValue{lua.LString("dLc0"), lua.LNumber(1), lua.LNumber(8), lua.LString("12345678")}},
	{"struct.unpack", 1, []lua.LValue{lua.LString("dLc0"),
		lua.LString("\x00\x00\x00\x00\x00\x00\xf0?\x02\x00\x00\x00\x00\x00\x00\x00ab")}},
	{"cjson.encode", 2, []lua.LValue{lua.LString("text")}},
	{"cmsgpack.pack", 2, []lua.LValue{lua.LNumber(1700000000123)}},
	{"bit.band", 0, []lua.LValue{lua.LNumber(0xff), lua.LNumber(0x0f)}},
	{"math.floor", 0, []lua.LValue{lua.LNumber(1.5)}},
}

func globalNamed(L *lua.LState, name string) lua.LValue {
	if library, field, ok := splitName(name); ok {
		return luafront.RawGetString(luafront.RawGetString(L.G.Global, library).(*lua.LTable), field)
	}
	return luafront.RawGetString(L.G.Global, name)
}

func splitName(name string) (library, field string, ok bool) {
	for i := range name {
		if name[i] == '.' {
			return name[:i], name[i+1:], true
		}
	}
	return "", name, false
}

func callWith(L *lua.LState, f lua.LValue, args []lua.LValue) {
	L.Push(f)
	for _, v := range args {
		L.Push(v)
	}
	L.Call(len(args), 0)
}

func TestHotCalls_AllocateTheirResultsOnly(t *testing.T) {
	L := newTestState(t, nil)
	for _, c := range hotCalls {
		f := globalNamed(L, c.name)
		got := testing.AllocsPerRun(100, func() { callWith(L, f, c.args) })
		require.LessOrEqual(t, got, c.allocs, "%s%v", c.name, c.args)
	}
}

func BenchmarkHotCalls(b *testing.B) {
	for _, c := range hotCalls {
		b.Run(c.name, func(b *testing.B) {
			L := newTestState(b, nil)
			f := globalNamed(L, c.name)
			b.ReportAllocs()
			for b.Loop() {
				callWith(L, f, c.args)
			}
		})
	}
}

func BenchmarkScripts(b *testing.B) {
	for name, script := range map[string]string{
		"gsub":   "return (('x'):rep(30000):gsub('x', 'yy')):len()",
		"find":   "return ('x'):rep(3000):find('.-b')",
		"sort":   "local t = {} for i = 1, 1000 do t[i] = i * 7919 % 1009 end table.sort(t)",
		"concat": "local t = {} for i = 1, 1000 do t[i] = i end return table.concat(t, ',')",
		"encode": "return cjson.encode({id = 1, name = 'n', list = {1, 2, 3}, ttl = 30000})",
		"decode": `return cjson.decode('{"id":1,"name":"n","list":[1,2,3],"ttl":30000}').id`,
	} {
		b.Run(name, func(b *testing.B) {
			L := newTestState(b, nil)
			f := L.NewFunctionFromProto(compileScript(b, script))
			b.ReportAllocs()
			for b.Loop() {
				callWith(L, f, nil)
			}
		})
	}
}
