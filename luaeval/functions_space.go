package luaeval

import (
	"maps"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// space is the libraries of one state, with their own table of globals: those of scripts without KEYS, ARGV and what
// only EVAL has. Scripts and functions so share a state, and its memory, but no variables. While the code of a library
// is loaded its only global is a special table redis: see libraryAPI.
//
// The globals are fields of env, which is read-only for Lua code; expose exchanges them before and after a load.
type space struct {
	st          *state
	env         *lua.LTable
	globals     map[string]lua.LValue // of functions
	api         *lua.LTable           // redis while a library is loaded
	loading     *loading              // nil between loads
	loaded      map[*Library]closures
	retirements uint64 // of Functions, when loaded was last swept
	keys, argv  *lua.LTable
}

// closures are the functions of a library in one state, in the order of their registration.
type closures []*lua.LFunction

// evalOnly are the functions of redis that only scripts of EVAL have.
var evalOnly = []string{"breakpoint", "debug", "replicate_commands"}

// space returns the libraries of the state; it is made when it is first needed, as most servers have no functions.
func (st *state) space() *space {
	if st.functions == nil {
		st.functions = newSpace(st)
	}
	return st.functions
}

// newSpace takes the globals of scripts as they are after openRedis and protect. The cjson of functions has settings of
// its own.
func newSpace(st *state) *space {
	L := st.L
	sp := &space{st: st, env: st.machine.NewTable(0, 0), globals: make(map[string]lua.LValue),
		loaded: make(map[*Library]closures),
		keys:   st.machine.NewTable(0, 0), argv: st.machine.NewTable(0, 0)}
	for name, v := range luafront.All(L.G.Global) {
		sp.globals[name.String()] = v
	}
	for _, name := range []string{"KEYS", "ARGV"} {
		delete(sp.globals, name)
	}
	redis := st.copyTable(sp.globals["redis"].(*lua.LTable))
	for _, name := range evalOnly {
		luafront.RawSetString(redis, name, lua.LNil)
	}
	json := st.newJSON(st.engine.libJSON) // SCRIPT FLUSH does not reset it
	sp.globals["redis"], sp.globals["cjson"], sp.globals["_G"] = redis, json, sp.env
	if st.engine.server.Does(emulate.ServerTable) {
		sp.globals["server"] = redis
	}
	sp.api = sp.libraryAPI(redis)
	sp.env.Metatable, sp.api.Metatable = L.G.Global.Metatable, L.G.Global.Metatable
	st.machine.Protect(sp.env, redis, json, sp.api)
	return sp
}

// copyTable returns a table with the same fields and no metatable.
func (st *state) copyTable(t *lua.LTable) *lua.LTable {
	out := st.machine.NewTable(0, 0)
	for k, v := range luafront.All(t) {
		luafront.RawSet(out, k, v)
	}
	return out
}

// libraryAPI returns the table redis for the code of a library: register_function, log and constants. Commands can't be
// called while a library is loaded.
func (sp *space) libraryAPI(redis *lua.LTable) *lua.LTable {
	api := sp.st.machine.NewTable(0, 0)
	for _, name := range []string{"LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING", "REDIS_VERSION",
		"REDIS_VERSION_NUM", "SERVER_NAME", "VALKEY_VERSION", "VALKEY_VERSION_NUM"} {
		luafront.RawSetString(api, name, luafront.RawGetString(redis, name))
	}
	luafront.RawSetString(api, "register_function", sp.st.L.NewFunction(sp.register))
	luafront.RawSetString(api, "log", sp.st.L.NewFunction(sp.log))
	return api
}

// log is redis.log, which does nothing while another state loads the library again.
func (sp *space) log(L *lua.LState) int {
	if sp.loading != nil && !sp.loading.first {
		return 0
	}
	return sp.st.log(L)
}

// expose sets the globals of libraries.
func (sp *space) expose(globals map[string]lua.LValue) {
	for name := range sp.globals {
		sp.st.machine.SetField(sp.env, name, lua.LNil)
	}
	for name, v := range globals {
		sp.st.machine.SetField(sp.env, name, v)
	}
}

// load runs the code of a library in this state. The first time it also registers the functions. Closures of libraries
// that were deleted or replaced are dropped here.
func (sp *space) load(lib *Library, first bool) error {
	L := sp.st.L
	code := L.NewFunctionFromProto(lib.proto)
	code.Env = sp.env
	sp.loading = &loading{library: lib, first: first, delays: sp.st.engine.server.Does(emulate.DelayedRegistration)}
	api := map[string]lua.LValue{"redis": sp.api}
	if sp.st.engine.server.Does(emulate.ServerTable) {
		api["server"] = sp.api
	}
	sp.expose(api)
	defer func() {
		sp.loading = nil
		sp.expose(sp.globals)
	}()
	L.Push(code)
	if err := sp.st.machine.PCall(L, 0, 0); err != nil {
		return err
	}
	if sp.loading.problem != "" {
		return nameError(sp.loading.problem)
	}
	sp.dropRetired()
	sp.loaded[lib] = sp.loading.found
	return nil
}

// dropRetired drops the closures of libraries that were deleted or replaced.
func (sp *space) dropRetired() {
	if retirements := sp.st.engine.Functions.retirements.Load(); sp.retirements != retirements {
		sp.retirements = retirements
		maps.DeleteFunc(sp.loaded, func(old *Library, _ closures) bool { return old.retired.Load() })
	}
}

// closure returns a function in this state, and loads its library if necessary.
func (sp *space) closure(fn *Function) (*lua.LFunction, error) {
	if _, ok := sp.loaded[fn.library]; !ok {
		if err := sp.load(fn.library, false); err != nil {
			return nil, err
		}
	}
	return sp.loaded[fn.library][fn.index], nil
}

// keepsState reports whether a library can keep data between two calls: whether a function can reach a table, or a
// variable of the library that is assigned to. A table counts even if it is never written. There are no other objects
// that keep data: while it is loaded, a library has only redis, and can't make coroutines.
func (sp *space) keepsState(lib *Library) bool {
	seen := make(map[*lua.LFunction]bool)
	for _, f := range sp.loaded[lib] {
		if sp.reachesState(f, seen) {
			return true
		}
	}
	return false
}

// reachesState follows the variables that a function captures, and those of functions in them; seen ends cycles. A
// table counts unless it is read-only, as redis is. Go functions are those of redis, which keep nothing.
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
