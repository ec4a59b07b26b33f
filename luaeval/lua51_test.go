package luaeval

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// lines is a range of a file's lines, both ends included.
type lines struct{ from, to int }

// suite is the files of Lua 5.1's test suite that are run, and the lines left out of each: those that use debug, io,
// getfenv or setfenv, which Redis does not have, and signs in tonumber with a base, which depend on the size of long
// in C.
var suite = []struct {
	file    string
	without []lines
}{
	{"calls.lua", []lines{{241, 241}}},
	{"closure.lua", []lines{{164, 178}, {277, 278}, {411, 422}}},
	{"constructs.lua", []lines{{189, 189}}},
	{"errors.lua", []lines{{111, 111}, {141, 167}}},
	{"events.lua", []lines{{5, 14}, {293, 294}, {299, 299}, {330, 357}}},
	{"literals.lua", []lines{{101, 119}}},
	{"locals.lua", []lines{{54, 83}}},
	{"math.lua", []lines{{47, 48}, {52, 52}}},
	{"nextvar.lua", []lines{{234, 246}}},
	{"pm.lua", nil},
	{"sort.lua", nil},
	{"strings.lua", nil},
	{"vararg.lua", nil},
}

// The official tests of Lua 5.1 are part of gopher-lua's module, in a version that differs in few places.
func TestLua51(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/gopher-lua").Output()
	require.NoError(t, err)
	dir := filepath.Join(strings.TrimSpace(string(module)), "_lua5.1-tests")
	for _, s := range suite {
		t.Run(s.file, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join(dir, s.file))
			require.NoError(t, err)
			runOpen(t, leaveOut(string(source), s.without), "@"+s.file)
		})
	}
}

// leaveOut removes the text of lines, and comments out a first line that is for a shell. A semicolon after "do" is an
// extension of gopher-lua.
func leaveOut(source string, ranges []lines) string {
	if strings.HasPrefix(source, "#") {
		source = "--" + source
	}
	all := strings.Split(strings.ReplaceAll(source, " do;", " do "), "\n")
	for _, r := range ranges {
		clear(all[r.from-1 : r.to])
	}
	return strings.Join(all, "\n")
}

// runOpen runs a chunk whose globals can be changed, with the functions that the tests need beyond Redis' libraries;
// _soft makes them not use io.
func runOpen(t *testing.T, source, name string) {
	t.Helper()
	st := newState(newEngine())
	st.enter(noopCaller{}, "")
	L := st.L
	env, system := luafront.NewTable(0, 0), luafront.NewTable(0, 0)
	for k, v := range luafront.All(L.G.Global) {
		luafront.RawSet(env, k, v)
	}
	nothing := L.NewFunction(func(*lua.LState) int { return 0 })
	luafront.RawSetString(system, "clock", L.NewFunction(func(L *lua.LState) int { L.Push(lua.LNumber(0)); return 1 }))
	luafront.RawSetString(system, "setlocale", nothing)
	for key, v := range map[string]lua.LValue{"_G": env, "_soft": lua.LTrue, "os": system, "print": nothing} {
		luafront.RawSetString(env, key, v)
	}
	L.Env = env
	proto, err := luafront.Compile(source, name)
	require.NoError(t, err)
	L.Push(L.NewFunctionFromProto(proto))
	if err := st.machine.PCall(L, 0, 0); err != nil {
		chunk, line, _ := luafront.Position(err)
		require.Fail(t, "a test of Lua fails", "%v at %s:%d", luafront.Message(err), chunk, line)
	}
}
