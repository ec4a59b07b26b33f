package luaeval

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// redis.register_function has two forms: name and callback, or one table of named arguments. The checks, their order
// and their errors are those of Redis.

// loading is a run of the code of a library. A library runs once in FUNCTION LOAD, which makes the list of its
// functions, and again in every other state that needs them: then only the closures are collected, and the order of
// registration says which function each belongs to.
type loading struct {
	library *Library
	first   bool // the functions of the library are not known yet
	found   closures
	delays  bool   // a name that is not valid is an error only when the code has run
	problem string // with the first such name
}

// registration is the arguments of redis.register_function. Name and callback are nil until they are given, the
// description also if there is none.
type registration struct {
	name        *string
	description *string
	flags       Flags
	callback    *lua.LFunction
}

// register is redis.register_function(name, callback), or with one table of named arguments.
func (sp *space) register(L *lua.LState) int {
	if sp.loading == nil {
		return sp.st.fail(L, true, "ERR redis.register_function can only be called on FUNCTION LOAD command")
	}
	r, problem := parseRegistration(L)
	if problem == "" {
		problem = sp.loading.add(r)
	}
	if problem != "" {
		return sp.st.fail(L, true, "ERR "+problem)
	}
	return 0
}

// add adds a function to the library. The problem is the error without ERR, empty if there is none. That another
// library has a function of that name is an error later, in librarySet.with.
func (l *loading) add(r registration) (problem string) {
	l.found = append(l.found, r.callback)
	if !l.first {
		return ""
	}
	lib := l.library
	switch problem = lib.nameProblem(*r.name); {
	case problem == "":
	case !l.delays:
		return problem
	case l.problem == "":
		l.problem = strings.Replace(problem, "Library", "Function", 1)
	}
	lib.Functions = append(lib.Functions, &Function{Name: *r.name, Description: r.description,
		settings: settings{flags: r.flags | Declared}, library: lib, index: len(lib.Functions)})
	return ""
}

// nameProblem is why a function can't have that name, empty if it can.
func (lib *Library) nameProblem(name string) string {
	switch {
	case !isName(name):
		return strings.TrimPrefix(errBadName.Error(), "ERR ")
	case slices.ContainsFunc(lib.Functions, func(fn *Function) bool { return fn.Name == name }):
		return "Function already exists in the library"
	}
	return ""
}

// parseRegistration reads the arguments in either form. The problem is the error without ERR, here and below.
func parseRegistration(L *lua.LState) (r registration, problem string) {
	switch L.GetTop() {
	case 1:
		named, ok := L.Get(1).(*lua.LTable)
		if !ok {
			return r,
				"calling redis.register_function with a single argument is only applicable to Lua table (representing named " +
					"arguments)."
		}
		return parseNamed(named)
	case 2:
		return parsePositional(L.Get(1), L.Get(2))
	}
	return r, "wrong number of arguments to redis.register_function"
}

// parsePositional reads (name, callback).
func parsePositional(name, callback lua.LValue) (r registration, problem string) {
	if r.name = textOf(name); r.name == nil {
		return r, "first argument to redis.register_function must be a string"
	}
	if r.callback, _ = callback.(*lua.LFunction); r.callback == nil {
		return r, "second argument to redis.register_function must be a function"
	}
	return r, ""
}

// parseNamed reads a table with function_name, callback, description and flags. It checks the fields in the order of
// pairs, so of several errors the first in that order is reported.
func parseNamed(named *lua.LTable) (r registration, problem string) {
	for key, value := range luafront.All(named) {
		if problem = r.set(textOf(key), value); problem != "" {
			return r, problem
		}
	}
	switch {
	case r.name == nil:
		problem = "redis.register_function must get a function name argument"
	case r.callback == nil:
		problem = "redis.register_function must get a callback argument"
	}
	return r, problem
}

// set sets one named argument. The letter case of the key, which is nil if it is neither a string nor a number, does
// not count.
func (r *registration) set(key *string, value lua.LValue) (problem string) {
	if key == nil {
		return "named argument key given to redis.register_function is not a string"
	}
	switch strings.ToLower(*key) {
	case "function_name":
		if r.name = textOf(value); r.name == nil {
			return "function_name argument given to redis.register_function must be a string"
		}
	case "description":
		if r.description = textOf(value); r.description == nil {
			return "description argument given to redis.register_function must be a string"
		}
	case "callback":
		if r.callback, _ = value.(*lua.LFunction); r.callback == nil {
			return "callback argument given to redis.register_function must be a function"
		}
	case "flags":
		list, ok := value.(*lua.LTable)
		if !ok {
			return "flags argument to redis.register_function must be a table representing function flags"
		}
		return r.setFlags(list)
	default:
		return "unknown argument given to redis.register_function"
	}
	return ""
}

// setFlags reads a list of flags. Here, unlike in a shebang line, their letter case does not count.
func (r *registration) setFlags(list *lua.LTable) (problem string) {
	for i := 1; luafront.RawGetInt(list, i) != lua.LNil; i++ {
		name := textOf(luafront.RawGetInt(list, i))
		if name == nil {
			return "unknown flag given"
		}
		flag := flagNamed(*name, strings.EqualFold)
		if flag == 0 {
			return "unknown flag given"
		}
		r.flags |= flag
	}
	return ""
}

// textOf returns the text of a string or a number, nil for other values.
func textOf(v lua.LValue) *string {
	text, ok := lualib.ToString(v)
	if !ok {
		return nil
	}
	return &text
}
