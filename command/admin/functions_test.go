package admin_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// say runs a command whose words may have blanks in them.
func say(c *commandtest.Client, words ...string) string {
	args := make([][]byte, len(words))
	for i, w := range words {
		args[i] = []byte(w)
	}
	return c.DoArgs(args...)
}

const counterLibrary = "#!lua name=counter\nlocal n = 0\nredis.register_function('count', function(keys) n = n + 1 " +
	"redis.call('incr', 'outside') return n end)"

func TestFunction_LoadAndCall(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	require.Equal(t, `"lib"`, say(c, "FUNCTION", "LOAD",
		"#!lua name=lib\nredis.register_function{function_name='f', flags={'no-writes'}, "+
			"callback=function(keys, args) return {keys[1], args[1], redis.call('get', keys[1])} end}\n"+
			"redis.register_function('w', function(keys, args) return redis.call('set', keys[1], args[1]) end)"))
	c.Want(
		"FCALL w 1 k v", "OK",
		"FCALL f 1 k x", `["k" "x" "v"]`,
		"FCALL_RO F 1 k x", `["k" "x" "v"]`,
		"FCALL_RO w 1 k v", "ERR Can not execute a script with write flag using *_ro command.",
		"FCALL nosuch x", "ERR Function not found",
		"FCALL f x", "ERR Bad number of keys provided",
		"FCALL f -1", "ERR Number of keys can't be negative",
		"FCALL f 1", "ERR Number of keys can't be greater than number of args",
		"FUNCTION STATS", `["running_script" nil "engines" ["LUA" ["libraries_count" 1 "functions_count" 2]]]`,
		"FUNCTION LIST LIBRARYNAME L?B",
		`[["library_name" "lib" "engine" "LUA" "functions" [["name" "f" "description" nil "flags" [no-writes]] `+
			`["name" "w" "description" nil "flags" []]]]]`,
		"FUNCTION LIST LIBRARYNAME x*", "[]",
		"FUNCTION DELETE lib", "OK",
		"FUNCTION DELETE lib", "ERR Library not found",
		"FUNCTION FLUSH now", "ERR FUNCTION FLUSH only supports SYNC|ASYNC option",
		"FUNCTION FLUSH SYNC x", "ERR unknown subcommand or wrong number of arguments for 'FLUSH'. Try FUNCTION HELP.",
	)
}

// A function with a variable of its library never runs twice for one call, although it uses a key that it did not
// declare.
func TestFunction_VariablesOfLibraries(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	say(c, "FUNCTION", "LOAD", counterLibrary)
	c.Want(
		"FCALL count 1 k", "1",
		"FCALL count 1 k", "2",
		"MULTI", "OK",
		"INCR other", "QUEUED",
		"FCALL count 1 k", "QUEUED",
		"EXEC", "[1 3]",
		"GET outside", `"3"`,
		"GET other", `"1"`,
	)
	var wg sync.WaitGroup
	for range 4 {
		client := commandtest.NewClient(t, env)
		wg.Go(func() {
			for range 25 {
				client.Do("FCALL count 0")
			}
		})
	}
	wg.Wait()
	c.Want("FCALL count 0", "104", "GET outside", `"104"`)
}

// FUNCTION LOAD within EXEC is not done twice where another command of it reaches outside of its shards.
func TestFunction_LoadWithinExec(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("MULTI", "OK")
	say(c, "FUNCTION", "LOAD", counterLibrary)
	say(c, "EVAL", "return redis.call('incr', 'undeclared')", "0")
	c.Want(
		"FCALL count 0", "QUEUED",
		"EXEC", `["counter" 1 1]`,
	)
}

// A transaction that replaces a library is one step for those who call its functions, whether these have keys or not.
func TestFunction_ReplacedWithinExec(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	const library = "#!lua name=lib\nredis.register_function('f', function() return 1 end)"
	owner := commandtest.NewClient(t, env)
	say(owner, "FUNCTION", "LOAD", library)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for _, call := range []string{"FCALL f 0", "FCALL f 1 key"} {
		client := commandtest.NewClient(t, env)
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					client.Want(call, "1")
				}
			}
		})
	}
	for range 300 {
		owner.Want("MULTI", "OK", "FUNCTION DELETE lib", "QUEUED")
		say(owner, "FUNCTION", "LOAD", library)
		owner.Want("EXEC", `[OK "lib"]`)
	}
	close(stop)
	wg.Wait()
}

func TestFunction_DumpAndRestore(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	say(c, "FUNCTION", "LOAD", counterLibrary)
	dump := c.DoArgs([]byte("FUNCTION"), []byte("DUMP"))
	payload, err := strconv.Unquote(dump)
	require.NoError(t, err)
	require.Equal(t, "ERR Library counter already exists", say(c, "FUNCTION", "RESTORE", payload))
	require.Equal(t, "OK", say(c, "FUNCTION", "RESTORE", payload, "replace"))
	c.Want(
		"FCALL count 0", "1",
		"FUNCTION FLUSH", "OK",
		"FUNCTION RESTORE x", "ERR DUMP payload version or checksum are wrong",
		"FUNCTION RESTORE x nosuch", "ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.",
	)
	require.Equal(t, "OK", say(c, "FUNCTION", "RESTORE", payload, "flush"))
	c.Want("FCALL count 0", "1")
}

// Errors of commands are counted with the command, not once more with the script.
func TestEval_ErrorsCountedOnce(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	say(c, "EVAL", "return redis.call('nosuch')", "0")
	say(c, "EVAL", "return redis.pcall('hget', 'k')", "0")
	say(c, "EVAL", "return redis.error_reply('MY error')", "0")
	require.Equal(t, map[string]int64{"ERR": 2, "MY": 1}, env.Stats.Errors())
	require.EqualValues(t, 1, env.Stats.Calls.Of(env.Table.Get("hget").Number).Rejected)
	require.EqualValues(t, 3, env.Stats.Calls.Of(env.Table.Get("eval").Number).Failed)
}
