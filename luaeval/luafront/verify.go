package luafront

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Verify runs small programs whose results depend on the internals of gopher-lua, and returns an error if the version
// linked in differs from the one that this package is written for. It takes about a millisecond; call it before the
// first script.
func Verify() error {
	if layoutError != nil {
		return layoutError
	}
	for _, p := range selfTest {
		if got := runOnce(p.script); got != p.want {
			return fmt.Errorf("luafront: gopher-lua differs from the version expected: %q gives %q instead of %q", p.script, got,
				p.want)
		}
	}
	if got := runPlain("return 1e15 .. ''"); got == "1e+15" {
		return errors.New("luafront: states of others are not left alone")
	}
	return verifyStop()
}

// selfTest has a program for each thing that is done to the machine or expected of the compiler.
var selfTest = []struct{ script, want string }{
	{"local x, y = 1, 2 x, y = y, x return x .. y", "21"},
	{"local x, y, z = 5, true x = (y or z) and x return x .. ''", "5"},
	{"return 1e15 .. ' ' .. 1 / 3", "1e+15 0.33333333333333"},
	{"local s = 0 for i = '010', '11' do s = s + i end return s .. ''", "21"},
	{"return '010' + 1 .. ''", "11"},
	{"local z = 1 / 0 return -5 % z .. ''", "-nan"},
	{"local n = 0 local function f() n = n + 1 end pcall(error) f() return n .. ''", "1"},
	{"local g pcall(function() local v = 1 g = function() return v end error() end) local a, b = 2, 3 return g() .. ''",
		"1"},
	{"local f while true do do local y = 1 f = function() return y end break end end local z, w = 2, 3 return f() .. ''",
		"1"},
	{"local function f() return 7, 8 end local t = {" + strings.Repeat("0, ", 50) +
		"f()} return t[1] .. t[51] .. t[52] .. #t", "07852"},
	{"local t = {} t[6e7] = 'far' return t[6e7] .. #t", "far0"},
	{"local t = {}\nlocal ok, e = pcall(function() return t.x.y end) return e",
		"user_script:2: attempt to index field 'x' (a nil value)"},
	{"local a local ok, e = pcall(function() a() end) return e",
		"user_script:1: attempt to call upvalue 'a' (a nil value)"},
}

// newPlainState opens a state without libraries.
func newPlainState() *lua.LState {
	return lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 64, RegistrySize: 512})
}

// runOnce runs a script in a new installed state and returns its result, or its error, as text.
func runOnce(script string) string {
	L := newPlainState()
	defer L.Close()
	m := Install(L, Config{})
	InstallErrors(L)
	proto, err := Compile(script, "@user_script")
	if err != nil {
		return err.Error()
	}
	L.Push(L.NewFunctionFromProto(proto))
	if err := m.PCall(L, 0, 1); err != nil {
		return Message(err).String()
	}
	return L.Get(-1).String()
}

// runPlain runs a script in a state without Install.
func runPlain(script string) string {
	L := newPlainState()
	defer L.Close()
	if err := L.DoString(script); err != nil {
		return err.Error()
	}
	return L.Get(-1).String()
}

// verifyStop checks whether a loop that catches every error can be stopped.
func verifyStop() error {
	L := newPlainState()
	defer L.Close()
	m := Install(L, Config{})
	defer m.Reset()
	InstallErrors(L)
	proto, err := Compile("for i = 1, 1000 do pcall(error) end", "@user_script")
	if err != nil {
		return err
	}
	reason := errors.New("stopped")
	m.Stop(reason)
	L.Push(L.NewFunctionFromProto(proto))
	if err := m.PCall(L, 0, 0); !errors.Is(err, reason) {
		return fmt.Errorf("luafront: a script can't be stopped, but ends with: %v", err)
	}
	return nil
}
