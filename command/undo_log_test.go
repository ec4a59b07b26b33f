package command_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// countingScript uses a key outside of its shards after it has called commands that succeed, fail and are rejected.
const countingScript = `redis.call('set', KEYS[1], 'x') redis.pcall('incr', KEYS[1]) redis.pcall('nosuch')
redis.pcall('get')
for i = 1, 20 do redis.call('get', 'undeclared' .. i) end
redis.pcall('lpush', KEYS[1], 'v') return redis.call('unlink', 'undeclared')`

// What is counted is the same when a script runs twice because of its undeclared keys and when it then starts with all
// shards.
func TestLedger_WhatRunsAgainCountsOnce(t *testing.T) {
	for name, lines := range map[string][][]string{
		"EVAL": {{"EVAL", countingScript, "1", "k"}},
		"EXEC": {{"MULTI"}, {"INCR", "n"}, {"LPUSH", "n", "v"}, {"EVAL", countingScript, "1", "k"}, {"GET", "n"},
			{"EXEC"}},
		"FCALL": {{"FCALL", "counted", "1", "k"}},
	} {
		t.Run(name, func(t *testing.T) {
			env, _ := commandtest.NewEnv(t)
			c := commandtest.NewClient(t, env)
			c.Want("CONFIG SET slowlog-log-slower-than 0", "OK", "SET n 1", "OK", "SET k x", "OK")
			c.DoArgs([]byte("FUNCTION"), []byte("LOAD"),
				[]byte("#!lua name=l\nredis.register_function('counted', function(KEYS) "+countingScript+" end)"))
			first := countedBy(c, lines)
			require.Equal(t, countedBy(c, lines), first)
			require.Contains(t, first, "cmdstat_get:calls=")
			require.Equal(t, 20, strings.Count(first, `["get" "undeclared`))
		})
	}
}

// countedBy is what the statistics and the slow log tell of calls, without times.
func countedBy(c *commandtest.Client, lines [][]string) string {
	c.Want("SLOWLOG RESET", "OK", "CONFIG RESETSTAT", "OK")
	before := callsOf(c)
	for _, line := range lines {
		words := make([][]byte, len(line))
		for i, word := range line {
			words[i] = []byte(word)
		}
		c.DoArgs(words...)
	}
	calls := callsOf(c) - before
	log := regexp.MustCompile(`\[\d+ \d+ \d+ `).ReplaceAllString(c.Do("SLOWLOG GET -1"), "[")
	stats := regexp.MustCompile(`usec=[^,]*,usec_per_call=[^,]*`).ReplaceAllString(commandtest.InfoOf(c,
		"commandstats errorstats"), "")
	total := regexp.MustCompile(`(total_commands_processed|total_error_replies|keyspace_\w+|lazyfreed\w+):\d+`)
	return strings.Join(append(total.FindAllString(commandtest.InfoOf(c, "stats"), -1), stats, log,
		strconv.Itoa(calls)), "\n")
}

// callsOf is how many calls of the client have ended, by CLIENT INFO.
func callsOf(c *commandtest.Client) int {
	n, _ := strconv.Atoi(regexp.MustCompile(`tot-cmds=(\d+)`).FindStringSubmatch(c.Do("CLIENT INFO"))[1])
	return n
}

func TestSlowlog_HelloIsLoggedWithoutItsPassword(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("CONFIG SET slowlog-log-slower-than 0", "OK")
	c.Do("HELLO")
	c.Do("HELLO 9")
	c.Do("HELLO 2 AUTH default secret SETNAME me")
	require.Regexp(t, `^\[\[\d+ \d+ \d+ \["HELLO" "2" "AUTH" "\(redacted\)" "\(redacted\)" "SETNAME" "me"\] \S+ \S+ `+
		`\[\d+ \d+ \d+ \["HELLO" "9"\] \S+ ""\] \[\d+ \d+ \d+ \["HELLO"\] `, c.Do("SLOWLOG GET 3"))
}
