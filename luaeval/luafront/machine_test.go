package luafront

import (
	"errors"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
)

var errStopped = errors.New("stopped")

// Ensure that Stop ends whatever runs: the other goroutine calls it once the script is on its way.
func TestMachine_Stop_EndsScript(t *testing.T) {
	for name, script := range map[string]string{
		"while":       "started() while true do end",
		"repeat":      "started() repeat until false",
		"for":         "started() for i = 1, math.huge do end",
		"generic for": "started() for i in function() return 1 end do end",
		"recursion": "started() local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end " +
			"fib(90)",
		"tail calls": "started() local function f() return f() end f()",
		"metamethods": "started() local t = setmetatable({}, {__index = function(t, k) return k < 2 and k or t[k - 1] + " +
			"t[k - 2] end}) return t[90]",
		"pcall":        "pcall(function() started() while true do end end) while true do end",
		"caught again": "while true do pcall(started) pcall(function() while true do end end) end",
		"xpcall": "xpcall(function() started() while true do end end, function() while true do end end) while true " +
			"do end",
		"coroutine": "coroutine.wrap(function() started() while true do end end)() while true do end",
		"resume":    "while true do coroutine.resume(coroutine.create(function() started() while true do end end)) end",
	} {
		t.Run(name, func(t *testing.T) {
			L, m := newState(t, Config{})
			InstallCoroutines(L)
			defer m.Reset()
			started := make(chan struct{}, 1)
			SetGlobal(L, "started", L.NewFunction(func(*lua.LState) int {
				select {
				case started <- struct{}{}:
				default:
				}
				return 0
			}))
			go func() {
				<-started
				m.Stop(errStopped)
			}()
			_, err := call(L, m, script)
			require.ErrorIs(t, err, errStopped)
			require.Zero(t, L.GetTop())
		})
	}
}

func TestMachine_Stop_OnlyFirstReasonUntilReset(t *testing.T) {
	L, m := newState(t, Config{})
	other, otherMachine := newState(t, Config{})
	m.Stop(errStopped)
	m.Stop(errors.New("later"))
	require.ErrorIs(t, m.Stopped(), errStopped)

	_, err := call(L, m, "for i = 1, 2 do end")
	require.ErrorIs(t, err, errStopped)
	_, err = call(other, otherMachine, "for i = 1, 2 do end")
	require.NoError(t, err, "another state goes on")

	m.Reset()
	require.NoError(t, m.Stopped())
	_, err = call(L, m, "for i = 1, 2 do end")
	require.NoError(t, err)
	require.Zero(t, stopping.Load(), "instructions look at nothing again")
}

// Ensure that errors which BypassPCall reports pass pcall, xpcall and its handler, and end in PCall.
func TestMachine_BypassPCall(t *testing.T) {
	isRestart := func(err error) bool {
		data, ok := Message(err).(*lua.LUserData)
		return ok && data.Value == errStopped
	}
	for _, script := range []string{
		"restart()", "pcall(restart)", "pcall(pcall, restart)", "xpcall(restart, function() end)",
		"xpcall(function() error('x') end, restart)", "pcall(function() local x = 1 local f = function() return x end " +
			"restart() end)",
	} {
		L, m := newState(t, Config{BypassPCall: isRestart})
		reached := false
		SetGlobal(L, "reached", L.NewFunction(func(*lua.LState) int {
			reached = true
			return 0
		}))
		SetGlobal(L, "restart", L.NewFunction(func(L *lua.LState) int {
			raise(L, &lua.LUserData{Value: errStopped})
			return 0
		}))
		_, err := call(L, m, script+" reached()")
		require.True(t, isRestart(err), "%s: %v", script, err)
		require.False(t, reached, script)
	}
}

// A program that uses gopher-lua for itself must not notice this package.
func TestInstall_OtherStatesUntouched(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	require.Nil(t, MachineOf(L))
	require.NoError(t, L.DoString(`
		local t = setmetatable({}, {__len = function() return 42 end})
		return 1e15 .. '', '010' + 0, #t, -5 % 3, select(2, pcall(function() for i = 'a', 2 do end end))`))
	require.Equal(t, "1000000000000000", L.Get(-5).String())
	require.Equal(t, lua.LNumber(8), L.Get(-4))
	require.Equal(t, lua.LNumber(42), L.Get(-3))
	require.Equal(t, lua.LNumber(1), L.Get(-2))
	require.Equal(t, "<string>:3: for statement init must be a number", L.Get(-1).String())
}

func TestConcat_LengthIsBounded(t *testing.T) {
	L, m := newState(t, Config{MaxString: 1000})
	value, err := call(L, m, "local s = '0123456789' for i = 1, 6 do s = s .. s end return s .. ('x'):rep(360)")
	require.NoError(t, err)
	require.Len(t, value.String(), 1000)

	for _, script := range []string{"return s .. 1", "return 'a' .. s .. 'b'", "while true do s = s .. s end"} {
		_, err = call(L, m, "local s = ('x'):rep(1000) "+script)
		require.Equal(t, "user_script:1: string length overflow", Message(err).String())
	}
}

func TestConcat_FormatsNumbers(t *testing.T) {
	L, m := newState(t, Config{FormatNumber: func(float64) string { return "#" }})
	value, err := call(L, m, "return 1 .. 'x' .. 2.5")
	require.NoError(t, err)
	require.Equal(t, "#x#", value.String())
}

func TestMachine_Protect_RejectsWrites(t *testing.T) {
	L, m := newState(t, Config{})
	tables := make([]*lua.LTable, 100)
	for i := range tables {
		tables[i] = NewTable(0, 0)
		RawSetString(tables[i], "x", lua.LNumber(1))
		require.False(t, m.ReadOnly(tables[i]))
		m.Protect(tables[i])
	}
	for _, table := range tables {
		require.True(t, m.ReadOnly(table))
		SetGlobal(L, "t", table)
		for _, write := range []string{"t.x = 2", "t.y = 2", "t[1] = 2", "t.x = nil", "local k = 'x' t[k] = 2",
			"function t.f() end", "function t:m() end"} {
			_, err := call(L, m, write)
			require.Equal(t, "user_script:1: "+ReadOnlyMessage, Message(err).String(), write)
		}
	}
	require.False(t, m.ReadOnly(NewTable(0, 0)))

	_, err := call(L, m, "g = 1")
	require.NoError(t, err)
	m.Protect(L.G.Global)
	_, err = call(L, m, "g = 2")
	require.Equal(t, "user_script:1: "+ReadOnlyMessage, Message(err).String())
}

// The name of a function in errors about its arguments, as in redis-server.
func TestArgError_NamesCall(t *testing.T) {
	L, m := newState(t, Config{})
	library := NewTable(0, 0)
	bad := L.NewFunction(func(L *lua.LState) int {
		ArgError(L, 1, "number expected, got no value")
		return 0
	})
	RawSetString(library, "bad", bad)
	SetGlobal(L, "bad", bad)
	SetGlobal(L, "library", library)
	for script, message := range map[string]string{
		"bad()":                        "user_script:1: bad argument #1 to 'bad' (number expected, got no value)",
		"library.bad()":                "user_script:1: bad argument #1 to 'bad' (number expected, got no value)",
		"library:bad()":                "user_script:1: calling 'bad' on bad self (number expected, got no value)",
		"local f = bad f()":            "user_script:1: bad argument #1 to 'f' (number expected, got no value)",
		"return bad()":                 "user_script:1: bad argument #1 to 'bad' (number expected, got no value)",
		"local t = {bad} t[1]()":       "user_script:1: bad argument #1 to '?' (number expected, got no value)",
		"for x in bad do end":          "user_script:1: bad argument #1 to '(for generator)' (number expected, got no value)",
		"error(select(2, pcall(bad)))": "user_script:1: bad argument #1 to '?' (number expected, got no value)",
		"setmetatable(library, {__index = bad}) return library.nothing": "user_script:1: bad argument #1 to '?' (number " +
			"expected, got no value)",
	} {
		_, err := call(L, m, script)
		require.Equal(t, message, Message(err).String(), script)
	}
}

// Ensure that an error at the bottom of a deep recursion is cheap: a trace of all levels would take time by their
// square.
func TestMachine_PCall_DeepErrorsAreCheap(t *testing.T) {
	L, m := newState(t, Config{})
	_, err := call(L, m, `
		local function down(n) if n == 0 then error('bottom') end return 1 + down(n - 1) end
		for i = 1, 300 do pcall(down, 15000) end
		local n = nil
		down(15000)`)
	require.Equal(t, "user_script:2: bottom", Message(err).String())
	source, line, ok := Position(err)
	require.True(t, ok)
	require.Equal(t, "user_script", source)
	require.Equal(t, 2, line)
	require.Less(t, len(err.Error()), 100, "no trace")
}

func TestPosition_OtherErrors(t *testing.T) {
	_, _, ok := Position(errStopped)
	require.False(t, ok)
	_, _, ok = Position(&lua.ApiError{Object: lua.LString("x"), StackTrace: "?"})
	require.False(t, ok)
	require.Equal(t, lua.LString("stopped"), Message(errStopped))
}

// Ensure that tail calls count as levels, of which nothing is known.
func TestWhere_Levels(t *testing.T) {
	L, m := newState(t, Config{})
	var levels []string
	SetGlobal(L, "look", L.NewFunction(func(L *lua.LState) int {
		levels = nil
		for level := range 5 {
			levels = append(levels, Where(L, level))
		}
		return 0
	}))
	_, err := call(L, m, strings.Join([]string{
		"local function f()", "look() end", "local function g()", "return f() end", "local function h()", "g() end", "h()",
	}, "\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"", "user_script:2: ", "", "user_script:6: ", "user_script:7: "}, levels)
}
