package admin_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestCommandLog_LargeCalls(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-9.1")
	c := commandtest.NewClient(t, env)
	c.Want("COMMANDLOG GET 1 LARGE-REQUEST", "[]", "COMMANDLOG LEN large-reply", "0",
		"CONFIG SET commandlog-request-larger-than 100 commandlog-reply-larger-than 200", "OK",
		"COMMANDLOG RESET large-request", "OK")
	c.Do("ECHO " + strings.Repeat("x", 100))
	require.Regexp(t, `^\[\[\d+ \d+ 122 \["ECHO" "x{100}"\] "127.0.0.1:1" ""\]\]$`, c.Do("COMMANDLOG GET 1 large-request"))
	c.Want("COMMANDLOG LEN large-reply", "0")
	c.Do("ECHO " + strings.Repeat("x", 300))
	require.Regexp(t, `^\[\[0 \d+ 308 \["ECHO" "x{128}\.\.\. \(172 more bytes\)"\] .*\]\]$`,
		c.Do("COMMANDLOG GET -1 large-reply"))
	c.Want("CONFIG SET commandlog-large-reply-max-len 0", "OK", "COMMANDLOG LEN large-request", "2",
		"CONFIG SET commandlog-request-larger-than -1", "OK", "COMMANDLOG RESET large-request", "OK",
		"COMMANDLOG LEN large-request", "0")
}

func TestCommandLog_Slow(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-8.1")
	c := commandtest.NewClient(t, env)
	c.Want("CONFIG SET slowlog-log-slower-than 0", "OK",
		"CONFIG GET commandlog-execution-slower-than", `["commandlog-execution-slower-than" "0"]`,
		"COMMANDLOG LEN slow", "2", "SLOWLOG RESET", "OK", "COMMANDLOG LEN slow", "1",
		"COMMANDLOG LEN fast", "ERR type should be one of the following: slow, large-request, large-reply",
		"COMMANDLOG GET -2 fast", "ERR count should be greater than or equal to -1",
		"COMMANDLOG GET 1 fast", "ERR type should be one of the following: slow, large-request, large-reply",
		"COMMANDLOG RESET fast", "ERR type should be one of the following: slow, large-request, large-reply",
		"COMMANDLOG GET 1", "ERR wrong number of arguments for 'commandlog|get' command")
}

// The engine of scripts is a module of Valkey 9.1 that reads a parameter whenever its state is made anew.
func TestCommandLog_EngineReadsItsConfiguration(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-9.1")
	c := commandtest.NewClient(t, env)
	c.Want("CONFIG SET slowlog-log-slower-than 0 commandlog-request-larger-than 0 commandlog-reply-larger-than 0", "OK",
		"CLIENT SETNAME me", "OK")
	for line, calls := range map[string]int{
		"SCRIPT FLUSH": 1, "SCRIPT FLUSH ASYNC": 1, "FUNCTION FLUSH": 1, "DEBUG RELOAD": 1, "DEBUG RELOAD MERGE": 1,
		"DEBUG RELOAD NOFLUSH": 0, "FLUSHALL": 0,
	} {
		c.Want("CONFIG RESETSTAT", "OK", "SLOWLOG RESET", "OK", line, "OK")
		require.Equal(t, calls, strings.Count(commandtest.InfoOf(c, "commandstats"), "cmdstat_config|get:calls=1,"), line)
		require.Equal(t, calls, strings.Count(c.Do("SLOWLOG GET"), `["CONFIG" "GET" "lua-enable-insecure-api"] "" ""]`), line)
	}
	const entry = `\[\d+ \d+ %s \["CONFIG" "GET" "lua-enable-insecure-api"\] "" ""\]`
	require.Regexp(t, strings.Replace(entry, "%s", "0", 1), c.Do("COMMANDLOG GET -1 large-request"))
	require.Regexp(t, strings.Replace(entry, "%s", "42", 1), c.Do("COMMANDLOG GET -1 large-reply"))
}
