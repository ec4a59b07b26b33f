package luaeval

import (
	"maps"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// space is where the libraries of one state live. Their globals are a table of its own: all that scripts have but KEYS,
// ARGV and what belongs to EVAL alone. While the code of a library runs there is only the table redis, and another one
// than later: see libraryAPI.
type space struct {
	st         *state
	env        *lua.LTable
	globals    map[string]lua.LValue // of functions
	api        *lua.LTable           // redis while a library is loaded
	loading    *loading              // nil between loads
	loaded     map[*Library]closures
	keys, argv *lua.LTable
}

// closures are a library's functions, in the order of their registration.
type closures []*lua.LFunction

// evalOnly are the functions of redis that only scripts of EVAL have.
var evalOnly = []string{"breakpoint", "debug", "replicate_commands"}

// space returns where the state's libraries live; it is made when it is first needed.
func (st *state) space() *space {
	if st.functions == nil {
		st.functions = newSpace(st)
	}
	return st.functions
}

func newSpace(st *state) *space {
	L := st.L
	sp := &space{st: st, env: luafront.NewTable(0, 0), globals: make(map[string]lua.LValue),
		loaded: make(map[*Library]closures),
		keys:   luafront.NewTable(0, 0), argv: luafront.NewTable(0, 0)}
	for name, v := range luafront.All(L.G.Global) {
		sp.globals[name.String()] = v
	}
	for _, name := range []string{"KEYS", "ARGV"} {
		delete(sp.globals, name)
	}
	redis := copyTable(sp.globals["redis"].(*lua.LTable))
	for _, name := range evalOnly {
		luafront.RawSetString(redis, name, lua.LNil)
	}
	json := st.newJSON(st.engine.libJSON) // SCRIPT FLUSH leaves it alone
	sp.globals["redis"], sp.globals["cjson"], sp.globals["_G"] = redis, json, sp.env
	sp.api = sp.libraryAPI(redis)
	sp.env.Metatable, sp.api.Metatable = L.G.Global.Metatable, L.G.Global.Metatable
	st.machine.Protect(sp.env, redis, json, sp.api)
	return sp
}

func copyTable(t *lua.LTable) *lua.LTable {
	out := luafront.NewTable(0, 0)
	for k, v := range luafront.All(t) {
		luafront.RawSet(out, k, v)
	}
	return out
}

// libraryAPI is the table redis that the code of a library sees.
func (sp *space) libraryAPI(redis *lua.LTable) *lua.LTable {
	api := luafront.NewTable(0, 0)
	for _, name := range []string{"LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING", "REDIS_VERSION",
		"REDIS_VERSION_NUM"} {
		luafront.RawSetString(api, name, luafront.RawGetString(redis, name))
	}
	luafront.RawSetString(api, "register_function", sp.st.L.NewFunction(sp.register))
	luafront.RawSetString(api, "log", sp.st.L.NewFunction(sp.log))
	return api
}

// log is redis.log, silent while a library is loaded once more.
func (sp *space) log(L *lua.LState) int {
	if sp.loading != nil && !sp.loading.first {
		return 0
	}
	return sp.st.log(L)
}

// expose makes these the globals of libraries, and no others.
func (sp *space) expose(globals map[string]lua.LValue) {
	for name := range sp.globals {
		sp.st.machine.SetField(sp.env, name, lua.LNil)
	}
	for name, v := range globals {
		sp.st.machine.SetField(sp.env, name, v)
	}
}

// load runs the code of a library in this state. The first time it also finds out which functions there are.
func (sp *space) load(lib *Library, first bool) error {
	L := sp.st.L
	code := L.NewFunctionFromProto(lib.proto)
	code.Env = sp.env
	sp.loading = &loading{library: lib, first: first}
	sp.expose(map[string]lua.LValue{"redis": sp.api})
	defer func() {
		sp.loading = nil
		sp.expose(sp.globals)
	}()
	L.Push(code)
	if err := sp.st.machine.PCall(L, 0, 0); err != nil {
		return err
	}
	maps.DeleteFunc(sp.loaded, func(old *Library, _ closures) bool { return old.retired.Load() })
	sp.loaded[lib] = sp.loading.found
	return nil
}

// closure returns a function in this state; its library is loaded if need be.
func (sp *space) closure(fn *Function) (*lua.LFunction, error) {
	if _, ok := sp.loaded[fn.library]; !ok {
		if err := sp.load(fn.library, false); err != nil {
			return nil, err
		}
	}
	return sp.loaded[fn.library][fn.place], nil
}

// keepsState finds out whether a library that was loaded here can keep something between two calls: whether a function
// can reach a variable of the library that it assigns to, or a table.
func (sp *space) keepsState(lib *Library) bool {
	seen := make(map[*lua.LFunction]bool)
	for _, f := range sp.loaded[lib] {
		if sp.reachesState(f, seen) {
			return true
		}
	}
	return false
}

func (sp *space) reachesState(f *lua.LFunction, seen map[*lua.LFunction]bool) bool {
	if f.IsG || seen[f] {
		return false
	}
	seen[f] = true
	for i, captured := range f.Upvalues {
		if luafront.AssignsCaptured(f.Proto, i) {
			return true
		}
		switch v := captured.Value().(type) {
		case *lua.LFunction:
			if sp.reachesState(v, seen) {
				return true
			}
		case *lua.LTable:
			if !sp.st.readOnly(v) {
				return true
			}
		}
	}
	return false
}
