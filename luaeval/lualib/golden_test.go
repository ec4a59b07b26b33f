package lualib

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// record makes the tests below write the replies of a real Redis into testdata:
//
//	go test -run Golden -record 127.0.0.1:6379
var record = flag.String("record", "",
	"address of a redis-server 7.0 that was just started; its answers replace the golden ones")

// separator stands between an expression and the answer of Redis.
const separator = "  =>  "

// defineShow defines show, which converts values to pairs of their type and text.
const defineShow = `local function show(...) local r = {} for i = 1, select('#', ...) do local v = select(i, ...) ` +
	`r[#r+1] = type(v) r[#r+1] = (type(v) == 'table' or type(v) == 'function') and '' or tostring(v) end return r end `

// goldenFile is a list of lines: comments, and expressions with the answers of Redis.
type goldenFile struct {
	path   string
	lines  []string
	script func(expression, answer string) string
	print  func(reply any) string
}

func openGolden(t *testing.T, name string) *goldenFile {
	path := filepath.Join("testdata", name)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return &goldenFile{path: path, lines: strings.Split(strings.TrimRight(string(data), "\n"), "\n"),
		script: func(expression, _ string) string { return defineShow + "return show(" + expression + ")" },
		print:  printValues,
	}
}

// run compares our answers with the golden ones, after recording these if asked to.
func (g *goldenFile) run(t *testing.T) {
	if *record != "" {
		g.record(t)
	}
	g.compare(t, newTestState(t, nil))
}

func (g *goldenFile) compare(t *testing.T, L *lua.LState) {
	for i, line := range g.lines {
		expression, answer, ok := strings.Cut(line, separator)
		if !ok {
			continue
		}
		script := g.script(unescapeLine(expression), answer)
		if got := g.print(runScript(t, L, script)); got != answer {
			t.Errorf("%s:%d: %s\n got: %s\nwant: %s", g.path, i+1, expression, got, answer)
		}
	}
}

func (g *goldenFile) record(t *testing.T) {
	server := dialReference(t, *record)
	for i, line := range g.lines {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		expression, answer, _ := strings.Cut(line, separator)
		reply := server.eval(g.script(unescapeLine(expression), answer))
		g.lines[i] = expression + separator + g.print(reply)
	}
	require.NoError(t, os.WriteFile(g.path, []byte(strings.Join(g.lines, "\n")+"\n"), 0o644))
}

// unescapeLine gives an expression the line breaks that are written as ⏎.
func unescapeLine(expression string) string { return strings.ReplaceAll(expression, "⏎", "\n") }

// printValues writes the pairs of show.
func printValues(reply any) string {
	pairs, ok := reply.([]any)
	if !ok {
		return printReply(reply)
	}
	var values []string
	for i := 0; i+1 < len(pairs); i += 2 {
		text := pairs[i+1].(string)
		switch kind := pairs[i].(string); kind {
		case "number", "boolean", "nil", "userdata":
			values = append(values, text)
		case "string":
			values = append(values, fmt.Sprintf("%q", text))
		default:
			values = append(values, kind)
		}
	}
	return strings.Join(values, ", ")
}

// printReply writes a reply with the marks of RESP: -error, :integer, $string, *array.
func printReply(reply any) string {
	switch r := reply.(type) {
	case respError:
		return "-ERR " + string(r)
	case int:
		return fmt.Sprintf(":%d", r)
	case string:
		return fmt.Sprintf("$%q", r)
	case []any:
		texts := make([]string, len(r))
		for i := range r {
			texts[i] = printReply(r[i])
		}
		return "*[" + strings.Join(texts, " ") + "]"
	}
	return "$null"
}

// TestGolden_Libraries: the answers to these were recorded as replies; an array is that of a script that returns a
// table.
func TestGolden_Libraries(t *testing.T) {
	g := openGolden(t, "golden-libs.txt")
	g.print = printReply
	g.script = func(expression, answer string) string {
		if strings.HasPrefix(answer, "*") {
			return "return {" + expression + "}"
		}
		return "return " + expression
	}
	g.run(t)
}

// TestGolden_Shown: all values of an expression, with their types, or its error.
func TestGolden_Shown(t *testing.T) {
	for _, name := range []string{
		"numbers.txt", "tonumber.txt", "basic.txt", "table.txt", "string.txt", "format.txt", "patterns.txt", "callsite.txt",
		"math.txt", "random.txt", "bit.txt", "struct.txt", "cmsgpack.txt", "cjson.txt", "order.txt",
	} {
		t.Run(name, func(t *testing.T) { openGolden(t, name).run(t) })
	}
}

// TestGolden_Arguments: what a command gets for a number.
func TestGolden_Arguments(t *testing.T) {
	g := openGolden(t, "arguments.txt")
	g.script = func(expression, _ string) string { return "return redis.call('ECHO', " + expression + ")" }
	g.print = printReply
	if *record != "" {
		g.record(t)
	}
	L := newTestState(t, nil)
	luafront.SetGlobal(L, "argument", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString(FormatArgument(CheckNumber(L, 1))))
		return 1
	}))
	g.script = func(expression, _ string) string { return "return argument(" + expression + ")" }
	g.compare(t, L)
}
