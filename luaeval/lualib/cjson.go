package lualib

import (
	"fmt"
	"math"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// This is lua-cjson 2.1 with its API and its settings. encode and decode take one argument; every setting is a function
// that sets the value, if it is given one, and returns it. The settings of the global cjson last from script to script;
// cjson.new returns a table with settings of its own.

// Null is the null of JSON in Lua, cjson.null: the same value in all states. In Redis it is a null pointer.
var Null = &lua.LUserData{Metatable: lua.LNil}

// JSONSettings are the settings of cjson that scripts may change. They may be used by many states at once.
type JSONSettings struct {
	current atomic.Pointer[jsonConfig]
}

// NewJSONSettings returns the settings with which Redis starts.
func NewJSONSettings() *JSONSettings {
	s := &JSONSettings{}
	s.Reset()
	return s
}

// Reset puts back the settings with which Redis starts.
func (s *JSONSettings) Reset() {
	s.current.Store(&jsonConfig{
		sparseRatio: 2, sparseSafe: 10, encodeMaxDepth: 1000, decodeMaxDepth: 1000,
		numberPrecision: textPrecision, keepBuffer: 1, decodeInvalid: 1,
	})
}

// jsonConfig is one state of the settings; it is replaced, never changed. Switches are numbers: 0 is off, 1 on.
// A table whose keys are positive integers is sparse if its largest index is above sparseSafe, and above sparseRatio
// times the number of its elements; with sparseRatio 0 none is.
type jsonConfig struct {
	sparseConvert   int // write sparse arrays as objects; 0: they are an error
	sparseRatio     int
	sparseSafe      int
	encodeMaxDepth  int
	decodeMaxDepth  int
	numberPrecision int // significant digits of a number, 14 at most
	keepBuffer      int // no effect here
	encodeInvalid   int // NaN and infinities: invalidOff, invalidOn, invalidNull
	decodeInvalid   int
}

// encode_invalid_numbers may be off (NaN and the infinities are an error), on (they are written as nan and inf) or
// null. decode_invalid_numbers may be off or on.
const (
	invalidOff = iota
	invalidOn
	invalidNull
)

// json is a cjson module: cjson itself, or what cjson.new returns.
type json struct {
	library  *library
	settings *JSONSettings
}

// newJSON makes a cjson table on the given settings.
func (l *library) newJSON(L *lua.LState, settings *JSONSettings) *lua.LTable {
	j := &json{library: l, settings: settings}
	module := newModule(L, []function{
		{"encode", j.encode}, {"decode", j.decode}, {"encode_sparse_array", j.setSparse},
		{"encode_max_depth", j.integer(1, math.MaxInt32, func(c *jsonConfig) *int { return &c.encodeMaxDepth })},
		{"decode_max_depth", j.integer(1, math.MaxInt32, func(c *jsonConfig) *int { return &c.decodeMaxDepth })},
		{"encode_number_precision", j.integer(1, textPrecision, func(c *jsonConfig) *int { return &c.numberPrecision })},
		{"encode_keep_buffer", j.choice(onOff, func(c *jsonConfig) *int { return &c.keepBuffer })},
		{"encode_invalid_numbers", j.choice(onOffNull, func(c *jsonConfig) *int { return &c.encodeInvalid })},
		{"decode_invalid_numbers", j.choice(onOff, func(c *jsonConfig) *int { return &c.decodeInvalid })},
		{"new", j.newInstance},
	})
	luafront.RawSetString(module, "null", Null)
	luafront.RawSetString(module, "_NAME", lua.LString("cjson"))
	luafront.RawSetString(module, "_VERSION", lua.LString("2.1.0"))
	return module
}

// newInstance is cjson.new(): a module with the settings with which Redis starts.
func (j *json) newInstance(L *lua.LState) int {
	L.Push(j.library.newJSON(L, NewJSONSettings()))
	return 1
}

// The names of the values of a switch; the first is also false, the second true.
var (
	onOff     = []string{"off", "on"}
	onOffNull = []string{"off", "on", "null"}
)

// integer makes the function that sets and returns one number, from low to high.
func (j *json) integer(low, high int, field func(*jsonConfig) *int) lua.LGFunction {
	return func(L *lua.LState) int {
		limitArgs(L, 1)
		return j.change(L, func(c *jsonConfig) int { return integerOption(L, 1, field(c), low, high) })
	}
}

// choice makes the function that sets and returns one switch, which has these names.
func (j *json) choice(names []string, field func(*jsonConfig) *int) lua.LGFunction {
	return func(L *lua.LState) int {
		limitArgs(L, 1)
		return j.change(L, func(c *jsonConfig) int { return switchOption(L, 1, field(c), names) })
	}
}

// setSparse is cjson.encode_sparse_array(convert, ratio, safe), which returns all three settings.
func (j *json) setSparse(L *lua.LState) int {
	limitArgs(L, 3)
	return j.change(L, func(c *jsonConfig) int {
		return switchOption(L, 1, &c.sparseConvert, onOff) +
			integerOption(L, 2, &c.sparseRatio, 0, math.MaxInt32) +
			integerOption(L, 3, &c.sparseSafe, 0, math.MaxInt32)
	})
}

// change lets edit work on a copy of the settings and makes it current; edit pushes results and returns how many. What
// edit has set before it raises an error stays set, as in Redis.
func (j *json) change(L *lua.LState, edit func(*jsonConfig) int) int {
	old := j.settings.current.Load()
	config := *old
	defer func() {
		if config != *old {
			j.settings.current.Store(&config)
		}
	}()
	return edit(&config)
}

// limitArgs allows up to n arguments; missing ones become nil, so that results can be pushed after them.
func limitArgs(L *lua.LState, n int) {
	if L.GetTop() > n {
		argError(L, n+1, "found too many arguments")
	}
	L.SetTop(n)
}

// integerOption sets a number if argument n is given, and pushes it. An error names the first argument whichever it
// was, as in Redis.
func integerOption(L *lua.LState, n int, setting *int, low, high int) int {
	if !isNoneOrNil(L, n) {
		value := checkInt(L, n)
		if value < low || value > high {
			argError(L, 1, fmt.Sprintf("expected integer between %d and %d", low, high))
		}
		*setting = value
	}
	pushInt(L, *setting)
	return 1
}

// switchOption sets a switch by truth or by name if argument n is given, and pushes it as a boolean if it is on or off.
func switchOption(L *lua.LState, n int, setting *int, names []string) int {
	switch v := L.Get(n).(type) {
	case *lua.LNilType:
	case lua.LBool:
		*setting = invalidOff
		if v {
			*setting = invalidOn
		}
	default:
		*setting = checkOption(L, n, names)
	}
	if *setting <= invalidOn {
		L.Push(lua.LBool(*setting == invalidOn))
	} else {
		pushString(L, names[*setting])
	}
	return 1
}

// checkOption is luaL_checkoption: the index of argument n among names.
func checkOption(L *lua.LState, n int, names []string) int {
	name := CheckString(L, n)
	for i := range names {
		if names[i] == name {
			return i
		}
	}
	argError(L, n, "invalid option '"+name+"'")
	return 0
}
