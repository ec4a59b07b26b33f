package lualib

import (
	"errors"
	"sync"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

func TestOptions_Interrupt_StopsLongCalls(t *testing.T) {
	for name, script := range map[string]string{
		"quadratic find":         "return ('x'):rep(300000):find('.-b')",
		"exponential match":      "return ('a'):rep(40):match(('a?'):rep(40)..('a'):rep(40))",
		"nested repetition":      "return ('a'):rep(3000):find('.-.-.-.-b')",
		"gsub":                   "return ('x'):rep(300000):gsub('x*y', '')",
		"gmatch":                 "for _ in ('x'):rep(300000):gmatch('x*y') do end",
		"balance":                "return ('('):rep(300000):find('%b()')",
		"back reference":         "return ('x'):rep(300000):find('(.-)%1y')",
		"sort":                   "local t = {} for i = 1, 100000 do t[i] = i * 7919 % 100003 end table.sort(t)",
		"insert far before":      "local t = {1} table.insert(t, -2147483648, 1)",
		"inside pcall and again": "pcall(string.find, ('x'):rep(300000), '.-b') return ('x'):rep(300000):find('.-b')",
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			L := newTestState(t, &Options{Interrupt: func() error {
				if calls++; calls > 3 {
					return errors.New("Script killed by user")
				}
				return nil
			}})
			require.Equal(t, respError("Script killed by user"), runScript(t, L, script))
		})
	}
}

func TestOptions_MaxString_BoundsEveryResult(t *testing.T) {
	for name, script := range map[string]string{
		"rep":           "return ('xy'):rep(501)",
		"rep of plenty": "return ('x'):rep(2147483647)",
		"concat":        "local t = {} for i = 1, 100 do t[i] = ('x'):rep(10) end return table.concat(t, ',')",
		"format":        "local s = ('x'):rep(600) return ('%s%s'):format(s, s)",
		"gsub":          "return ('x'):rep(600):gsub('x', 'xx')",
		"gsub by table": "return ('x'):rep(600):gsub('x', {x = 'xx'})",
		"encode":        "local t = {} for i = 1, 600 do t[i] = 1 end return cjson.encode(t)",
		"nested encode": "local t = {} for i = 1, 300 do t[i] = {{1}} end return cjson.encode(t)",
		"escapes":       "return cjson.encode(('\\0'):rep(200))",
		"pack":          "local s = ('x'):rep(600) return cmsgpack.pack(s, s)",
		"pack map":      "local t = {} for i = 1, 300 do t['key' .. i] = 1 end return cmsgpack.pack(t)",
		"struct":        "local s = ('x'):rep(600) return struct.pack('ss', s, s)",
	} {
		t.Run(name, func(t *testing.T) {
			L := newTestState(t, &Options{MaxString: 1000})
			require.Equal(t, respError("user_script:1: resulting string too large"), runScript(t, L, script))
		})
	}
	t.Run("the limit itself is allowed", func(t *testing.T) {
		L := newTestState(t, &Options{MaxString: 1000})
		require.Len(t, runScript(t, L, "return ('xy'):rep(500)"), 1000)
	})
}

func TestOptions_ReadOnly_RejectsChanges(t *testing.T) {
	for _, script := range []string{
		"table.insert(p, 1)", "table.insert(p, 1, 1)", "table.remove(p)", "table.remove(p, 1)", "table.sort(p)",
	} {
		var protected *lua.LTable
		L := newTestState(t, &Options{ReadOnly: func(table *lua.LTable) bool { return table == protected }})
		protected = L.NewTable()
		protected.Append(lua.LNumber(2))
		protected.Append(lua.LNumber(1))
		luafront.SetGlobal(L, "p", protected)
		require.Equal(t, respError("Attempt to modify a readonly table"), runScript(t, L, script), script)
		require.Equal(t, []any{2, 1}, runScript(t, L,
			"local q = {1} table.insert(q, 2) table.sort(q) table.remove(q) return p"))
	}
}

func TestOptions_Random_GoesOnFromStateToState(t *testing.T) {
	const script = "return tostring(math.random())"
	shared := NewRandom()
	first, second := newTestState(t, &Options{Random: shared}), newTestState(t, &Options{Random: shared})
	require.Equal(t, "0.39646477363839", runScript(t, first, script))
	require.Equal(t, "0.84048536971234", runScript(t, second, script))
	require.Equal(t, "0.35333609737146", runScript(t, first, script))
	require.Equal(t, "0.39646477363839", runScript(t, newTestState(t, nil), script), "a state of its own begins anew")
}

func TestRandom_ManyGoroutines_LoseNoNumber(t *testing.T) {
	const workers, each = 4, 1000
	shared := NewRandom()
	results := make([][]int32, workers)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() {
			for range each {
				results[i] = append(results[i], shared.Next())
			}
		})
	}
	wait.Wait()
	counts := map[int32]int{}
	for _, numbers := range results {
		for _, n := range numbers {
			counts[n]++
		}
	}
	alone := NewRandom()
	for range workers * each {
		counts[alone.Next()]--
	}
	for n, count := range counts {
		require.Zero(t, count, "%d", n)
	}
}

func TestOptions_JSON_SettingsHoldForAllStates(t *testing.T) {
	shared := NewJSONSettings()
	first, second := newTestState(t, &Options{JSON: shared}), newTestState(t, &Options{JSON: shared})
	runScript(t, first, "cjson.encode_number_precision(3)")
	require.Equal(t, "0.333", runScript(t, second, "return cjson.encode(1/3)"))
	require.Equal(t, "0.33333333333333", runScript(t, newTestState(t, nil), "return cjson.encode(1/3)"))
	require.Equal(t, "0.33333333333333", runScript(t, second, "return cjson.new().encode(1/3)"))
}

func TestNull_IsOneValueInAllStates(t *testing.T) {
	L := newTestState(t, nil)
	luafront.SetGlobal(L, "foreign", Null)
	require.Equal(t, 1, runScript(t, L, "return cjson.null == foreign and cjson.decode('[null]')[1] == foreign"))
}

// A key far behind a list costs what any other does.
func TestTable_GapsAreNotFilled(t *testing.T) {
	L := newTestState(t, nil)
	for script, want := range map[string]any{
		"local t = {} table.insert(t, 60000000, 1) return t[60000000] + #t":                        1,
		"local t = {1, 2} table.insert(t, 60000000, 1) return t[60000000] + #t":                    3,
		"local t = cmsgpack.unpack('\\129\\206\\003\\000\\000\\000\\005') return t[50331648] + #t": 5,
	} {
		require.Equal(t, want, runScript(t, L, script), script)
		require.Less(t, luafront.MachineOf(L).Size(L, 1<<40), int64(1<<20), script)
	}
}

func TestMatch_DeepPatternIsRejected(t *testing.T) {
	L := newTestState(t, nil)
	require.Equal(t, respError("user_script:1: pattern too complex"), runScript(t, L,
		"return ('x'):rep(300000):find(('x?'):rep(300000))"))
	require.Equal(t, 300000, runScript(t, L, "return select(2, ('x'):rep(300000):find('^x*$'))"))
}
