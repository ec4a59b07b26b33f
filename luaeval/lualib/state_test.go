package lualib

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// newTestState returns a state with the base library of gopher-lua and those of this package.
func newTestState(t testing.TB, o *Options) *lua.LState {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 20_000, RegistryMaxSize: 1 << 20, CallStackSize: 1000})
	t.Cleanup(L.Close)
	L.Push(L.NewFunction(lua.OpenBase))
	L.Call(0, 0)
	Open(L, o)
	luafront.Install(L, luafront.Config{FormatNumber: FormatNumber, ParseNumber: ParseNumber})
	luafront.InstallTables(L)
	luafront.InstallCoroutines(L)
	return L
}

func compileScript(t testing.TB, script string) *lua.FunctionProto {
	proto, err := luafront.Compile(script, "@user_script")
	require.NoError(t, err, script)
	return proto
}

// runScript returns the first result of a script, or its error as a respError.
func runScript(t testing.TB, L *lua.LState, script string) any {
	L.Push(L.NewFunctionFromProto(compileScript(t, script)))
	if err := L.PCall(0, 1, nil); err != nil {
		fault, ok := err.(*lua.ApiError)
		require.True(t, ok, "%s: %v", script, err)
		require.Equal(t, lua.ApiErrorRun, fault.Type, "%s: %s", script, err)
		return respError(fault.Object.String())
	}
	result := L.Get(-1)
	L.Pop(1)
	return toReply(result)
}

// toReply converts a value as Redis converts the result of a script in RESP2.
func toReply(v lua.LValue) any {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return int(v)
	case lua.LBool:
		if v {
			return 1
		}
	case *lua.LTable:
		values := []any{}
		for i := 1; luafront.RawGetInt(v, i) != lua.LNil; i++ {
			values = append(values, toReply(luafront.RawGetInt(v, i)))
		}
		return values
	}
	return nil
}
