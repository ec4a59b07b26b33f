package luafront

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
)

// runIn runs a script that must succeed.
func runIn(t *testing.T, L *lua.LState, m *Machine, script string) {
	t.Helper()
	_, err := call(L, m, script)
	require.NoError(t, err)
}

func TestMachine_Size_FindsWhatIsKept(t *testing.T) {
	for name, source := range map[string]string{
		"list":       `keep = {} for i = 1, 10000 do keep[i] = i + 0.5 end`,
		"fields":     `keep = {} for i = 1, 4000 do keep['key' .. i] = true end`,
		"chain":      `keep = {} for i = 1, 2000 do keep = {keep} end`,
		"string":     `keep = 'x' for i = 1, 18 do keep = keep .. keep end`,
		"metatable":  `error = nil local t = {} for i = 1, 10000 do t[i] = i + 0.5 end keep = function() return t end`,
		"coroutines": `keep = {} for i = 1, 60 do keep[i] = coroutine.create(function() end) end`,
		"wrapped":    `keep = {} for i = 1, 60 do keep[i] = coroutine.wrap(function() end) end`,
		"in a coroutine": `keep = coroutine.create(function() local t = {}
			for i = 1, 10000 do t[i] = i + 0.5 end coroutine.yield() end)
			coroutine.resume(keep)`,
	} {
		t.Run(name, func(t *testing.T) {
			L, m := newState(t, Config{})
			InstallCoroutines(L)
			empty := m.Size(L, 1<<40)
			runIn(t, L, m, source)
			full := m.Size(L, 1<<40)
			require.Greater(t, full-empty, int64(200_000))
			require.LessOrEqual(t, m.Size(L, empty), full, "it may give up early")
			SetGlobal(L, "keep", lua.LNil)
			require.Less(t, m.Size(L, 1<<40)-empty, int64(50_000))
		})
	}
}

func TestMachine_Size_CountsSharedValuesOnce(t *testing.T) {
	L, m := newState(t, Config{})
	runIn(t, L, m,
		`local s = 'x' for i = 1, 20 do s = s .. s end keep = {} for i = 1, 1000 do keep[i] = s end keep.me = keep`)
	require.Less(t, m.Size(L, 1<<40), int64(2<<20))
}

func TestMachine_RunAtSafepoint_RunsInTheScript(t *testing.T) {
	L, m := newState(t, Config{})
	calls := 0
	m.RunAtSafepoint(func() { t.Error("a later function replaces it") })
	m.RunAtSafepoint(func() { calls++ })
	runIn(t, L, m, `for i = 1, 3 do end`)
	require.Equal(t, 1, calls)
	require.NoError(t, m.Interrupted())
	m.RunAtSafepoint(func() { calls++ })
	m.Reset()
	runIn(t, L, m, `for i = 1, 3 do end`)
	require.Equal(t, 1, calls, "Reset cancels it")
}

// What a stopped script was doing is known.
func TestMachine_Stop_HasAPosition(t *testing.T) {
	L, m := newState(t, Config{})
	m.Stop(errStopped)
	defer m.Reset()
	_, err := call(L, m, "\n\nwhile true do end")
	require.ErrorIs(t, err, errStopped)
	source, line, ok := Position(err)
	require.True(t, ok)
	require.Equal(t, "user_script", source)
	require.Equal(t, 3, line)
}

// A key far beyond a list takes one node of the hash, and is still found when the list has reached it.
func TestRawSet_ListGrowsUpToASparseKey(t *testing.T) {
	table := NewTable(0, 0)
	const far = 1<<20 + 10
	RawSetInt(table, far, lua.LString("old"))
	require.LessOrEqual(t, Places(table), 64)
	for i := 1; i < far; i++ {
		RawSetInt(table, i, lua.LTrue)
	}
	require.Equal(t, lua.LString("old"), RawGetInt(table, far))
	require.Equal(t, far, Len(table))
	require.GreaterOrEqual(t, Places(table), far)
}

func TestRegisters_GrowWithTheStack(t *testing.T) {
	L, m := newState(t, Config{})
	few := Registers(L)
	runIn(t, L, m, `local function f(n, ...) if n > 0 then return 1 + f(n - 1, n, ...) end return 0 end return f(190)`)
	require.Greater(t, Registers(L), few)
}
