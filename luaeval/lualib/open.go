package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// defaultMaxString is Redis' own limit of a value (proto-max-bulk-len).
const defaultMaxString = 512 << 20

// Options is what the libraries of a state need from its owner. The zero value works: nothing is interrupted, and the
// random generator and the cjson settings belong to that state alone.
type Options struct {
	// Interrupt is called repeatedly by calls that can run long: matching, sorting, shifting tables. An error is raised in
	// the script with its text and no position. It is called by the goroutine of the script.
	Interrupt func() error
	// MaxString is the largest length in bytes of a string that a library builds, and approximately of the memory for
	// decoded values; 0 is 512 MB.
	MaxString int
	// OnAlloc is called with the length in bytes of strings that the libraries build, except short ones.
	OnAlloc func(bytes int)
	// Random is the generator behind math.random. States may share one, as all scripts of a Redis server do.
	Random *Random
	// JSON holds the settings of cjson. States may share one: in Redis a change by a script applies to all later scripts.
	JSON *JSONSettings
	// ReadOnly reports the tables that table.insert, table.remove and table.sort must not change; nil allows all.
	ReadOnly func(*lua.LTable) bool
}

// library is the state behind the functions of one Lua state. Its coroutines share it; they never run at the same time.
type library struct {
	Options
	steps uint   // of long calls, see tick
	bytes []byte // spare buffer, see takeBuffer
}

// Open registers the libraries as globals of L. o may be nil; it is copied. The function that it returns makes another
// cjson with the given settings.
func Open(L *lua.LState, o *Options) (newJSON func(*JSONSettings) *lua.LTable) {
	l := &library{}
	if o != nil {
		l.Options = *o
	}
	l.fillDefaults()
	l.openBasic(L)
	luafront.SetGlobal(L, "table", newModule(L, l.tableFunctions()))
	luafront.SetGlobal(L, "math", l.newMath(L))
	luafront.SetGlobal(L, "bit", newModule(L, bitFunctions))
	luafront.SetGlobal(L, "struct", newModule(L, l.structFunctions()))
	luafront.SetGlobal(L, "cmsgpack", l.newMessagePack(L))
	luafront.SetGlobal(L, "cjson", l.newJSON(L, l.JSON))
	l.openString(L)
	return func(settings *JSONSettings) *lua.LTable { return l.newJSON(L, settings) }
}

// fillDefaults sets the options that the owner has left out.
func (l *library) fillDefaults() {
	if l.MaxString <= 0 {
		l.MaxString = defaultMaxString
	}
	if l.OnAlloc == nil {
		l.OnAlloc = func(int) {}
	}
	if l.Random == nil {
		l.Random = NewRandom()
	}
	if l.JSON == nil {
		l.JSON = NewJSONSettings()
	}
}

// function is one entry of a library. Libraries are slices, not maps, so that every state lists them in the same order.
type function struct {
	name string
	call lua.LGFunction
}

// newModule makes a table of functions. The order in which they are set decides about the order of pairs.
func newModule(L *lua.LState, functions []function) *lua.LTable {
	module := luafront.NewTable(0, 0)
	for _, f := range functions {
		luafront.RawSetString(module, f.name, L.NewFunction(f.call))
	}
	return module
}
