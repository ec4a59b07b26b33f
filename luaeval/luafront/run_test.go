package luafront

import (
	"crypto/sha1"
	"fmt"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/luagen"
	"github.com/minilockd/minilockd/internal/require"
)

// show stands before scripts that call it, in the same line.
const show = luagen.Show

// stateOptions are what a server would give its states.
var stateOptions = lua.Options{CallStackSize: 16384, MinimizeStackMemory: true, RegistrySize: 1024,
	RegistryMaxSize: 1 << 20}

// newState opens a state as a server does, but with the libraries of gopher-lua in place of those of Redis.
func newState(t testing.TB, config Config) (*lua.LState, *Machine) {
	t.Helper()
	L := lua.NewState(stateOptions)
	t.Cleanup(L.Close)
	m := Install(L, config)
	InstallErrors(L)
	InstallTables(L)
	return L, m
}

// call compiles and runs a script in a state and returns its first value.
func call(L *lua.LState, m *Machine, script string) (lua.LValue, error) {
	proto, err := Compile(script, "@user_script")
	if err != nil {
		return nil, err
	}
	L.Push(L.NewFunctionFromProto(proto))
	if err := m.PCall(L, 0, 1); err != nil {
		return nil, err
	}
	defer L.Pop(1)
	return L.Get(-1), nil
}

// eval runs a script in a new state and replies as EVAL does.
func eval(t testing.TB, script string) string {
	t.Helper()
	L, m := newState(t, Config{Caught: RedisCaught})
	forbidGlobals(L)
	m.Protect(L.G.Global)
	value, err := call(L, m, script)
	if err == nil {
		return reply(value)
	}
	if syntax, ok := err.(*SyntaxError); ok {
		return "ERR Error compiling script (new function): " + syntax.Error()
	}
	message := "ERR " + reply(Message(err))
	if table, ok := Message(err).(*lua.LTable); ok {
		message = reply(RawGetString(table, "err"))
	}
	source, line, ok := Position(err)
	require.True(t, ok, "an error must have a place: %v", err)
	return fmt.Sprintf("%s script: %x, on @%s:%d.", message, sha1.Sum([]byte(script)), source, line)
}

// forbidGlobals makes reading an unknown global variable an error, as in Redis.
func forbidGlobals(L *lua.LState) {
	mt := NewTable(0, 0)
	RawSetString(mt, "__index", L.NewFunction(func(L *lua.LState) int {
		raise(L, lua.LString(Where(L, 1)+"Script attempted to access nonexistent global variable '"+L.Get(2).String()+"'"))
		return 0
	}))
	L.SetMetatable(L.G.Global, mt)
}

// reply converts a value as Redis does, as far as the tests need it.
func reply(value lua.LValue) string {
	switch value := value.(type) {
	case lua.LNumber:
		return fmt.Sprint(int64(value))
	case lua.LBool:
		if value {
			return "1"
		}
		return "nil"
	}
	return value.String()
}
