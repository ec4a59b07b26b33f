package admin_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// What scripts of Redis 7.0, of later ones and of Valkey are answered.
func TestScripting_ByServer(t *testing.T) {
	servers := []string{"7.0", "8.2", "valkey-8.1", "valkey-9.1"}
	for script, want := range map[string][4]string{
		"return redis.pcall('nosuch')": {
			"ERR Unknown Redis command called from script", "ERR Unknown Redis command called from script",
			"ERR Unknown command called from script", "ERR Unknown command called from script"},
		"return redis.pcall('get')": {
			"ERR Wrong number of args calling Redis command from script",
			"ERR Wrong number of args calling Redis command from script",
			"ERR Wrong number of args calling command from script",
			"ERR Wrong number of args calling command from script"},
		"return redis.pcall('multi')": {
			"ERR This Redis command is not allowed from script", "ERR This Redis command is not allowed from script",
			"ERR This Redis command is not allowed from script", "ERR This Valkey command is not allowed from script"},
		"return redis.pcall('config','no')": {
			"ERR Unknown Redis command called from script", "ERR Unknown Redis command called from script",
			"ERR Unknown command called from script", "ERR unknown subcommand 'no'. Try CONFIG HELP."},
		"return redis.pcall()": {
			"ERR Please specify at least one argument for this redis lib call",
			"ERR Please specify at least one argument for this redis lib call",
			"ERR Please specify at least one argument for this call",
			"ERR Please specify at least one argument for this call"},
		"local _, e = pcall(redis.set_repl) return {err = e.err or e}": {
			"ERR redis.set_repl() requires two arguments.", "ERR redis.set_repl() requires one argument.",
			"ERR server.set_repl() requires one argument.", "ERR server.set_repl() requires one argument."},
		"return redis.call('echo',1e17)": {`"1e+17"`, `"100000000000000000"`, `"100000000000000000"`, `"100000000000000000"`},
		"return redis.call('echo',0.1)":  {`"0.10000000000000001"`, `"0.1"`, `"0.1"`, `"0.1"`},
		"#!LUA flags=\nreturn 1": {
			"ERR Unexpected engine in script shebang: #!LUA", "ERR Unexpected engine in script shebang: #!LUA", "1", "1"},
		"#!js\nreturn 1": {
			"ERR Unexpected engine in script shebang: #!js", "ERR Unexpected engine in script shebang: #!js",
			"ERR Could not find scripting engine 'js'", "ERR Could not find scripting engine 'js'"},
		"return redis.pcall('blpop','nolist',0)": {"ERR This Redis command is not allowed from script", "nil", "nil", "nil"},
		"return {type(rawget(_G,'os')),type(rawget(_G,'server'))}": {
			`["nil" "nil"]`, `["table" "nil"]`, `["table" "table"]`, `["table" "table"]`},
	} {
		for i, server := range servers {
			c := commandtest.Connect(t, commandtest.NewEnvOf(t, server), 1)[0]
			got := c.DoStrings("EVAL", script, "0")
			require.Equal(t, want[i], got, "%s at %s", script, server)
		}
	}
}

// Valkey shows scripts, and its NOSCRIPT gives no advice.
func TestScripting_Show(t *testing.T) {
	valkey := commandtest.Connect(t, commandtest.NewEnvOf(t, "valkey-8.1"), 1)[0]
	sha := strings.Trim(valkey.DoStrings("SCRIPT", "LOAD", "#!lua flags=no-writes\nreturn 7"), `"`)
	valkey.Want("SCRIPT SHOW "+sha, `"#!lua flags=no-writes\nreturn 7"`,
		"SCRIPT SHOW abc", "NOSCRIPT No matching script.",
		"EVALSHA abc 0", "NOSCRIPT No matching script.")
	redis := commandtest.Connect(t, commandtest.NewEnvOf(t, "8.2"), 1)[0]
	redis.Want("EVALSHA abc 0", "NOSCRIPT No matching script. Please use EVAL.",
		"SCRIPT SHOW abc", "ERR unknown subcommand 'SHOW'. Try SCRIPT HELP.")
}

// Valkey checks the names of functions when the code of the library has run.
func TestFunctions_NamesByServer(t *testing.T) {
	const twice = "#!lua name=l\nlocal f=function() end redis.register_function('f',f) redis.register_function('f',f)"
	for server, want := range map[string]string{
		"8.2":        "ERR Error registering functions: ERR Function already exists in the library",
		"valkey-8.1": "ERR Function already exists in the library",
	} {
		c := commandtest.Connect(t, commandtest.NewEnvOf(t, server), 1)[0]
		require.Equal(t, want, c.DoStrings("FUNCTION", "LOAD", twice))
		require.Equal(t, "[]", c.Do("FUNCTION LIST"))
		require.Equal(t, `"l"`, c.DoStrings("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f',function() end)"))
	}
}
