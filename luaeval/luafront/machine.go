package luafront

import (
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
)

// Config is what a Machine takes from its owner. The zero value works.
type Config struct {
	// FormatNumber writes a number as Lua does (%.14g), for "..", error and assert.
	FormatNumber func(float64) string
	// ParseNumber reads a number from a string as Lua does, for arithmetic and for loops.
	ParseNumber func(string) (float64, bool)
	// MaxString is the largest result of ".." in bytes; longer ones raise "string length overflow". The default is 512
	// MiB.
	MaxString int
	// OnAlloc is called with the length in bytes of long strings that ".." makes.
	OnAlloc func(bytes int)
	// MurmurHash makes tables hash strings as Valkey's Lua does, which decides about the order of pairs.
	MurmurHash bool
	// BypassPCall reports errors that pcall and xpcall must not catch.
	BypassPCall func(error) bool
	// Caught pushes what pcall returns behind false for a value that it caught, and returns how many values that is. Redis
	// replaces tables with a field "err" (RedisCaught). Default: the value itself.
	Caught func(L *lua.LState, value lua.LValue) int
}

// Machine is what this package keeps for one Lua state and its coroutines. All but Stop and Stopped belong to the
// goroutine that runs the state.
type Machine struct {
	config Config
	loop   func(*lua.LState, *vmFrame) // mainLoop of gopher-lua; those in levels.go count its calls

	levels    int // calls of run inside one another
	outermost int // level of the function that the innermost coroutine started with

	reason        atomic.Pointer[error]  // why to stop; nil while running
	safepointFunc atomic.Pointer[func()] // see RunAtSafepoint
	raised        bool                   // the reason was raised
	fault         *Fault                 // see noteFault

	fields fieldCache
}

// Install makes a state behave as Redis' Lua. It adds the arithmetic of Lua 5.1 to the metatable of strings, so call it
// after opening the string library.
//
// The state needs enough RegistrySize or a RegistryMaxSize, and a CallStackSize of as many levels as scripts may
// recurse.
func Install(L *lua.LState, config Config) *Machine {
	m := &Machine{config: config}
	m.config.setDefaults()
	s := internals(L)
	m.loop, s.mainLoop = s.mainLoop, countedLoop
	// The registry table is shared by a state and its coroutines and no script can reach it. Its metatable may be any
	// LValue.
	L.G.Registry.Metatable = m
	m.installArithmetic(L)
	return m
}

// setDefaults sets what the owner has left out.
func (c *Config) setDefaults() {
	if c.FormatNumber == nil {
		c.FormatNumber = formatNumber
	}
	if c.ParseNumber == nil {
		c.ParseNumber = parseNumber
	}
	if c.MaxString == 0 {
		c.MaxString = 512 << 20
	}
	if c.OnAlloc == nil {
		c.OnAlloc = func(int) {}
	}
	if c.Caught == nil {
		c.Caught = func(L *lua.LState, value lua.LValue) int {
			L.Push(value)
			return 1
		}
	}
}

// MachineOf returns the Machine of a state, nil if Install was not called for it.
func MachineOf(L *lua.LState) *Machine {
	m, _ := L.G.Registry.Metatable.(*Machine)
	return m
}

// String makes a Machine an LValue, so that a state can hold it.
func (m *Machine) String() string { return "luafront.Machine" }

// Type makes a Machine an LValue.
func (m *Machine) Type() lua.LValueType { return lua.LTUserData }
