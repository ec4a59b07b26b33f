package compat

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Why minilockd may lack a command that Redisson's scripts call.
const (
	fromModule = "belongs to a module, not to Redis"
	afterRedis = "is newer than Redis 8.0"
)

// commandExceptions are commands that scripts call and that minilockd may lack. An exception that is not needed fails
// the test.
var commandExceptions = map[string]string{
	"JSON.GET": fromModule, "JSON.SET": fromModule, "JSON.DEL": fromModule, "FT.INFO": fromModule,
	"ARGET": afterRedis, "ARLEN": afterRedis, "ARNEXT": afterRedis, "AROP": afterRedis, "ARRING": afterRedis,
	"GCRA": afterRedis,
}

// compile reports whether minilockd compiles a script.
func compile(script string) error {
	_, err := luafront.Compile(script, "@user_script")
	return err
}

// jarCounts is the known content of a jar. Jars do not change: other numbers mean that the parser is wrong.
type jarCounts struct {
	classes   int // class files outside META-INF
	constants int // UTF-8 constants with a Redis call, summed over classes
	complete  int // distinct complete scripts that Redis compiles
	fragments int // distinct fragments that are joined at run time
	broken    int // distinct scripts that Redis does not compile
	commands  int // distinct commands that complete scripts call by a literal name
}

var expectedJarCounts = map[string]jarCounts{
	"3.13.6": {1332, 319, 304, 2, 0, 72},
	"3.37.0": {1590, 433, 414, 2, 1, 96},
	"3.52.0": {1764, 459, 436, 4, 1, 96},
	"4.7.0":  {1922, 499, 473, 4, 0, 105},
}

// isBroken reports whether redis-server does not compile a script, either: one lacks a space.
func isBroken(s jarScript) bool {
	return s.class == "RedissonJsonBucket" && strings.Contains(s.text, "thenredis")
}

// completeScripts returns the distinct scripts of a version that must work.
func completeScripts(t testing.TB, version string) []jarScript {
	complete, _ := openJar(t, version).distinct()
	return slices.DeleteFunc(complete, isBroken)
}

func TestJarScripts_AllAreFound(t *testing.T) {
	for _, version := range jarVersions {
		t.Run(version, func(t *testing.T) {
			j := openJar(t, version)
			complete, fragments := j.distinct()
			good := completeScripts(t, version)
			got := jarCounts{j.classes, j.constants, len(good), len(fragments), len(complete) - len(good), calledCommands(t,
				good)}
			require.Equal(t, expectedJarCounts[version], got)
		})
	}
}

func calledCommands(t *testing.T, scripts []jarScript) int {
	names := map[string]bool{}
	for _, s := range scripts {
		calls, err := literalCalls(s.text)
		require.NoError(t, err)
		for _, call := range calls {
			names[call.command] = true
		}
	}
	return len(names)
}

func TestJarScripts_CompileAndCallKnownCommands(t *testing.T) {
	c := &commandCheck{table: commandArities(t), usedExceptions: map[string]bool{}}
	sum := counts{}
	for _, version := range jarVersions {
		one := counts{}
		for _, s := range completeScripts(t, version) {
			one.add(t, version, s, c.problem(s.text))
		}
		t.Logf("redisson %s scripts: %s", version, one)
		sum = sum.plus(one)
	}
	t.Logf("scripts: %s", sum)
	c.requireExceptionsNeeded(t)
}

func TestJarScripts_BadScriptsAreReported(t *testing.T) {
	c := &commandCheck{table: map[string]int{"GET": 2, "SET": -3}, usedExceptions: map[string]bool{}}
	for script, problem := range map[string]string{
		"return redis.call('get', KEYS[1])":                  "",
		"redis.pcall('Set', KEYS[1], 1, unpack(ARGV))":       "",
		"return redis.call('json.get', KEYS[1])":             "",
		"return redis.call(ARGV[1], KEYS[1])":                "",
		"if redis.call('get') then return 1 end":             "GET with 1 arguments, arity is 2",
		"local t = {f = function() redis.call('set') end}":   "SET with 1 arguments, arity is -3",
		"for i = 1, 2 do redis.call('get', 'a', 'b') end":    "GET with 3 arguments, arity is 2",
		"return tonumber(redis.call('nosuch', KEYS[1])) > 0": "NOSUCH does not exist",
	} {
		require.Equal(t, problem, c.problem(script), script)
	}
	require.Contains(t, c.problem("thenredis.call('get', 1)) end"), "does not compile")
}

// counts counts the scripts without a problem, and all scripts.
type counts struct{ good, all int }

func (n counts) String() string { return fmt.Sprintf("%d of %d", n.good, n.all) }

func (n counts) plus(m counts) counts { return counts{n.good + m.good, n.all + m.all} }

func (n *counts) add(t *testing.T, version string, s jarScript, problem string) {
	n.all++
	if problem == "" {
		n.good++
		return
	}
	t.Errorf("redisson %s, %s.%s: %s", version, s.class, s.method, problem)
}

// commandCheck checks scripts against the command table of the server.
type commandCheck struct {
	table          map[string]int  // arity, as in COMMAND, by upper-case name
	usedExceptions map[string]bool // exceptions that a script needs
}

// problem returns what is wrong with a script, or an empty string.
func (c *commandCheck) problem(script string) string {
	if err := compile(script); err != nil {
		return "does not compile: " + err.Error()
	}
	calls, err := literalCalls(script)
	if err != nil {
		return "calls not found: " + err.Error()
	}
	for _, call := range calls {
		if p := c.callProblem(call); p != "" {
			return p
		}
	}
	return ""
}

func (c *commandCheck) callProblem(call luaCall) string {
	arity, known := c.table[call.command]
	_, exception := commandExceptions[call.command]
	switch {
	case exception && !known:
		c.usedExceptions[call.command] = true
		return ""
	case !known:
		return call.command + " does not exist"
	case !call.open && !fits(arity, call.args):
		return fmt.Sprintf("%s with %d arguments, arity is %d", call.command, call.args, arity)
	}
	return ""
}

// fits reports whether a number of arguments is allowed: a negative arity is a minimum.
func fits(arity, args int) bool {
	return args == arity || arity < 0 && args >= -arity
}

// requireExceptionsNeeded fails for exceptions that no script needs.
func (c *commandCheck) requireExceptionsNeeded(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(commandExceptions)) {
		if !c.usedExceptions[name] {
			t.Errorf("%s needs no exception (%q): remove it", name, commandExceptions[name])
		}
	}
}

// commandArities returns the command table of the server under test.
func commandArities(t *testing.T) map[string]int {
	c := dial(t, startTargetOf(t, "8.4")) // the newest Redisson calls commands of the newest Redis
	table := map[string]int{}
	for _, row := range c.do(t, "COMMAND").elems {
		require.GreaterOrEqual(t, len(row.elems), 2, "a row of COMMAND: %s", row)
		arity, err := strconv.Atoi(row.elems[1].text)
		require.NoError(t, err)
		table[strings.ToUpper(row.elems[0].text)] = arity
	}
	require.NotEmpty(t, table)
	require.Equal(t, "[(nil)]", c.do(t, "COMMAND", "INFO", "NOSUCH").String())
	return table
}
