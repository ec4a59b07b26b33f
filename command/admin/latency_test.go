package admin_test

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// sleep runs DEBUG SLEEP while the clock is moved on.
func sleep(t *testing.T, c *commandtest.Client, advance func(time.Duration), line string) {
	t.Helper()
	done := make(chan string)
	go func() { done <- c.Do(line) }()
	for reply := ""; reply == ""; {
		select {
		case reply = <-done:
			require.Equal(t, "OK", reply)
		default:
			advance(time.Second)
		}
	}
}

func TestLatency_Events(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	require.Contains(t, c.Do("LATENCY DOCTOR"), "monitoring is off")
	c.Want("CONFIG SET latency-monitor-threshold 1000", "OK", "LATENCY LATEST", "[]")
	require.Contains(t, c.Do("LATENCY DOCTOR"), "Nothing has taken longer")
	sleep(t, c, clock.Advance, "DEBUG SLEEP 10")
	clock.Advance(time.Second)
	sleep(t, c, clock.Advance, "DEBUG SLEEP 5")
	require.Regexp(t, `^\[\[\d+ \d{4,}\] \[\d+ \d{4,}\]\]$`, c.Do("LATENCY HISTORY command"))
	require.Regexp(t, `^\[\["command" \d+ \d{4,} \d{4,}\]\]$`, c.Do("LATENCY LATEST"))
	require.Regexp(t, `^"command - high \d+ ms, low \d+ ms \(all time high \d+ ms\)`, c.Do("LATENCY GRAPH command"))
	require.Regexp(t, `^"command: 2 samples, \d+ ms on average, \d+ ms at most`, c.Do("LATENCY DOCTOR"))
	c.Want("LATENCY RESET nosuch", "0", "LATENCY RESET", "1", "LATENCY HISTORY command", "[]",
		"LATENCY GRAPH command", "ERR No samples available for event 'command'")
}

func TestLatency_Histogram(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want(
		"SET a 1", "OK", "SET a 2", "OK", "CLIENT ID", "1",
		"LATENCY HISTOGRAM set nosuch zadd client",
		`["set" ["calls" 2 "histogram_usec" []] "client|id" ["calls" 1 "histogram_usec" []]]`,
		"CONFIG SET latency-tracking yes", "OK",
		"CONFIG RESETSTAT", "OK",
		"SET a 3", "OK",
	)
	require.Regexp(t, `^\["set" \["calls" 1 "histogram_usec" \[\d+ 1\]\]\]$`, c.Do("LATENCY HISTOGRAM set"))
	require.Contains(t, c.Do("LATENCY HISTOGRAM"), `"config|resetstat" ["calls" 1`)
}

func TestSlowlog_WhatIsLogged(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	sleep(t, c, clock.Advance, "DEBUG SLEEP 1")
	c.Want("SLOWLOG LEN", "1", "CONFIG SET slowlog-log-slower-than 0", "OK", "SLOWLOG RESET", "OK",
		"AUTH secret", "ERR AUTH <password> called without any password configured for the default user. Are you "+
			"sure your configuration is correct?",
		"CONFIG SET requirepass ''", "OK",
		"EVAL redis.call('set','a',1) 0", "nil", "MULTI", "OK", "SET b 1", "QUEUED", "EXEC", "[OK]")
	require.Regexp(t, `^\[\[\d+ \d+ \d+ \["SET" "b" "1"\] \S+ ""\] \[\d+ \d+ \d+ \["MULTI"\] \S+ ""\] \[\d+ \d+ \d+ `+
		`\["EVAL" .* "0"\] \S+ ""\] `+
		`\[\d+ \d+ \d+ \["set" "a" "1"\] "" ""\] \[\d+ \d+ \d+ \["CONFIG" "SET" "requirepass" "\(redacted\)"\] `+
		`\S+ ""\] \[\d+ \d+ \d+ \["AUTH" "\(redacted\)"\] \S+ ""\]`, c.Do("SLOWLOG GET 6"))
}
