package luaeval

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

func compile(source, name string) (*lua.FunctionProto, error) {
	chunk, err := parse.Parse(strings.NewReader(source), strings.TrimPrefix(name, "@"))
	if err != nil {
		return nil, err
	}
	proto, err := lua.Compile(chunk, strings.TrimPrefix(name, "@"))
	if err == nil {
		proto.IsVarArg &^= lua.VarArgNeedsArg
	}
	return proto, err
}

func newLuaState() *lua.LState {
	return lua.NewState(lua.Options{RegistrySize: 1024, RegistryMaxSize: 1 << 20, RegistryGrowStep: 1024, CallStackSize: 20000, MinimizeStackMemory: true})
}

func openLibraries(st *state) {}

func raised(err error) lua.LValue {
	if e, ok := err.(*lua.ApiError); ok {
		return e.Object
	}
	return lua.LString(err.Error())
}

func appendArgument(dst []byte, f float64) []byte {
	if f == float64(int64(f)) {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return strconv.AppendFloat(dst, f, 'g', 17, 64)
}
