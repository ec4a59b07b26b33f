package luafront

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/luagen"
	"github.com/minilockd/minilockd/internal/require"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// malicious are sources that could overflow the Go stack of a parser or compiler, or take minutes.
var malicious = map[string]string{
	"not":           "return " + strings.Repeat("not ", 2e6) + "1",
	"minus":         "return " + strings.Repeat("- ", 2e6) + "1",
	"parentheses":   "return " + strings.Repeat("(", 5e6),
	"braces":        "return " + strings.Repeat("{", 5e6),
	"blocks":        strings.Repeat("do ", 2e6),
	"branches":      strings.Repeat("if x then else ", 1e6),
	"elseif":        "if x then " + strings.Repeat("elseif x then ", 1e6),
	"functions":     "return " + strings.Repeat("function() return ", 1e6),
	"calls":         "return f" + strings.Repeat("()", 2e6),
	"calls of args": "return " + strings.Repeat("f(", 2e6),
	"fields":        "return t" + strings.Repeat(".x", 2e6),
	"indexes":       "return t" + strings.Repeat("[t", 2e6),
	"function name": "function t" + strings.Repeat(".x", 1e6) + "() end",
	"sum":           "return x" + strings.Repeat("+x", 2e6),
	"power":         "return x" + strings.Repeat("^x", 2e6),
	"concatenation": "return x" + strings.Repeat("..x", 2e6),
	"and":           "return x" + strings.Repeat(" and x", 2e6),
	"comparison":    "return x" + strings.Repeat("<x", 2e6),
	"nested sums":   "return " + strings.Repeat("(", 190) + "x" + strings.Repeat(strings.Repeat("+x", 100)+")", 190),
	"targets":       strings.Repeat("a,", 1e6) + "a = 1",
	"locals":        "local " + strings.Repeat("a,", 1e6) + "a = 1",
	"parameters":    "function f(" + strings.Repeat("a,", 1e6) + "a) end",
	"arguments":     "f(" + strings.Repeat("a,", 1e5) + "a)",
	"long bracket":  "return [" + strings.Repeat("=", 5e6),
	"long comment":  "--[" + strings.Repeat("=", 5e6) + "[",
}

func TestCompile_MaliciousSources(t *testing.T) {
	for name, source := range malicious {
		_, err := Compile(source, "@user_script")
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, name)
	}
}

// Ensure that nothing in strings and comments counts as nesting.
func TestCompile_NestingInStringsAndComments(t *testing.T) {
	brackets := strings.Repeat("({ do not ", 1000)
	for _, source := range []string{
		"return '" + brackets + "'", "return \"" + brackets + "\"", "return [==[" + brackets + "]==]",
		"--[[" + brackets + "]] return 1", "--" + brackets + "\nreturn 1",
	} {
		_, err := Compile(source, "@user_script")
		require.NoError(t, err)
	}
}

// Where Lua 5.1 allows 200 levels so do we; the numbers are redis-server's.
func TestCompile_Levels(t *testing.T) {
	for _, c := range []struct {
		before, after string
		most          int
		head, tail    string
	}{
		{"(", ")", 198, "return ", "1"}, {"not ", "", 198, "return ", "1"}, {"- ", "", 198, "return ", "1"},
		{"1 ^ ", "", 198, "return ", "1"}, {"'a' .. ", "", 198, "return ", "1"}, {"{", "}", 199, "return ", ""},
		{"do ", "end ", 199, "", ""}, {"while x do ", "end ", 199, "", ""}, {"if nil then else ", "end ", 199, "", ""},
		{"function() return ", " end", 99, "return ", "1"}, {"local function f() ", " end", 199, "", ""}, {"f(", ")", 198,
			"return ", "1"},
	} {
		nested := func(n int) string {
			return c.head + strings.Repeat(c.before, n) + c.tail + strings.Repeat(c.after, n)
		}
		_, err := Compile(nested(c.most), "@user_script")
		require.NoError(t, err, "%d times %q", c.most, c.before)
		_, err = Compile(nested(c.most+1), "@user_script")
		require.EqualError(t, err, "user_script:1: chunk has too many syntax levels", "%d times %q", c.most+1, c.before)
	}
}

func TestCompile_Limits(t *testing.T) {
	names := strings.TrimSuffix(strings.Repeat("a, ", 201), ", ")
	for source, message := range map[string]string{
		"local " + names: "user_script:1: main function has more than 200 local variables",
		"\nlocal function f() local " + names +
			" end": "user_script:2: function at line 2 has more than 200 local variables",
		"local function f(" + names +
			") end": "user_script:1: function at line 1 has more than 200 local variables",
		names + " = 1": "user_script:1: main function has more than 199 " +
			"variables in assignment",
		captureMany(61): "user_script:1: function at line 1 has more than 60 upvalues",
		"f(" + strings.Repeat("1, ", 300) +
			"1)": "user_script:1: function or expression too complex near '<eof>'",
		"return {" + strings.Repeat("1,", maxListItems+1) + "}": "user_script:1: constructor too long",
	} {
		_, err := Compile(source, "@user_script")
		require.EqualError(t, err, message)
	}
	_, err := Compile(captureMany(60), "@user_script")
	require.NoError(t, err)
}

// captureMany returns a function that captures n variables.
func captureMany(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = "a" + itoa(i)
	}
	return "local " + strings.Join(names, ", ") + " local function f() return " + strings.Join(names, " + ") + " end"
}

// Names of chunks as messages show them; the texts are redis-server's, by loadstring.
func TestChunkID(t *testing.T) {
	x := strings.Repeat("x", 100)
	for name, id := range map[string]string{
		"@user_script": "user_script", "=user": "user", "=": "", "@": "", "": `[string ""]`,
		"return 1": `[string "return 1"]`, "a\nb": `[string "a..."]`, "a\rb": `[string "a..."]`, "a\x00b": `[string "a"]`,
		"=" + x: x[:59], "@" + x: "..." + x[:52], x: `[string "` + x[:43] + `..."]`,
	} {
		require.Equal(t, id, ChunkID(name), "chunk %q", name)
	}
}

// One prototype serves the states of all goroutines.
func TestCompile_SharedPrototype(t *testing.T) {
	proto, err := Compile("local t = {} for i = 1, 50 do t[i] = i .. '' end return pcall(error, #t .. t[50]) or t.x.y",
		"@user_script")
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		L, m := newState(t, Config{})
		group.Go(func() {
			for range 20 {
				L.Push(L.NewFunctionFromProto(proto))
				err := m.PCall(L, 0, 1)
				if Message(err).String() != "user_script:1: attempt to index field 'x' (a nil value)" {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// Whatever the source, Compile returns a prototype or a SyntaxError.
func FuzzCompile(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(f, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		for _, part := range strings.Split(string(text), "\n\n") {
			script, _, _ := strings.Cut(part, "\n----\n")
			f.Add(script)
		}
	}
	f.Add(luagen.Generate(1, luagen.Options{}).Source())
	f.Fuzz(func(t *testing.T, source string) {
		proto, err := Compile(source, "@user_script")
		var syntax *SyntaxError
		require.True(t, err == nil && proto != nil || errors.As(err, &syntax), "%v", err)
	})
}
