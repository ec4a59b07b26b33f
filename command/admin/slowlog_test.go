package admin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestSlowlog_QuickCallsAreNotLogged(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want("PING", "PONG", "SLOWLOG LEN", "0", "SLOWLOG GET", "[]")
}

func TestSlowlog_Entries(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("CONFIG SET slowlog-log-slower-than 0", "OK", "CLIENT SETNAME joe", "OK", "ECHO hello", `"hello"`, "ECHO",
		"ERR wrong number of arguments for 'echo' command")
	require.Regexp(t, `^\[\[2 \d+ \d+ \["ECHO" "hello"\] "127.0.0.1:1" "joe"\] \[1 \d+ \d+ \["CLIENT" "SETNAME" `+
		`"joe"\] "127.0.0.1:1" "joe"\]\]$`,
		c.Do("SLOWLOG GET 2"))
	c.Want("SLOWLOG LEN", "4", "CONFIG SET slowlog-max-len 1", "OK", "SLOWLOG LEN", "1", "SLOWLOG RESET", "OK",
		"SLOWLOG LEN", "1")
	require.Contains(t, c.Do("SLOWLOG GET -1"), `["SLOWLOG" "LEN"]`)
	c.Want(
		"CONFIG SET slowlog-log-slower-than -1", "OK",
		"SLOWLOG RESET", "OK",
		"SLOWLOG GET", "[]",
		"SLOWLOG GET -2", "ERR count should be greater than or equal to -1",
		"SLOWLOG GET x", "ERR count should be greater than or equal to -1",
		"SLOWLOG GET 1 2", "ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.",
	)
}

func TestSlowlog_Threshold(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("CONFIG SET slowlog-log-slower-than 1000000", "OK")
	done := make(chan string)
	go func() { done <- c.Do("DEBUG SLEEP 20") }()
	for reply := ""; reply == ""; {
		select {
		case reply = <-done:
			require.Equal(t, "OK", reply)
		default:
			clock.Advance(time.Second)
		}
	}
	require.Regexp(t, `^\[\[0 \d+ \d{8,} \["DEBUG" "SLEEP" "20"\] `, c.Do("SLOWLOG GET"))
	c.Want("SLOWLOG LEN", "1")
}

func TestSlowlog_BlockedCall(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 2)
	waiter, other := clients[0], clients[1]
	other.Want("CONFIG SET slowlog-log-slower-than 0", "OK", "SLOWLOG RESET", "OK")
	waiter.Want("BLPOP l 0", "")
	other.Want("RPUSH l a", "1", "SLOWLOG LEN", "3")
	require.Regexp(t, `^\[.*\["SLOWLOG" "LEN"\].*\["BLPOP" "l" "0"\].*\["RPUSH" "l" "a"\].*\["SLOWLOG" "RESET"\].*\]$`,
		other.Do("SLOWLOG GET"))
}

// A call that blocks until it is unblocked is in the slow log since Redis 7.2.
func TestSlowLog_UnblockedCalls(t *testing.T) {
	for server, want := range map[string]bool{"7.0": false, "7.2": true, "valkey-9.1": true} {
		env := commandtest.NewEnvOf(t, server)
		c, waiter := commandtest.NewClient(t, env), commandtest.NewClientID(t, env, 2)
		c.Want("CONFIG SET slowlog-log-slower-than 0", "OK", "SLOWLOG RESET", "OK")
		waiter.Want("BLPOP l 0", "")
		require.False(t, strings.Contains(c.Do("SLOWLOG GET -1"), "BLPOP"), server)
		require.True(t, waiter.Session.Unblock(false), server)
		require.Equal(t, "nil-array", waiter.Delivered())
		require.Equal(t, want, strings.Contains(c.Do("SLOWLOG GET -1"), "BLPOP"), server)
	}
}

func TestSlowLog_CallsThatTimeOut(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c, waiter := commandtest.NewClient(t, env), commandtest.NewClientID(t, env, 2)
	c.Want("CONFIG SET slowlog-log-slower-than 0", "OK", "SLOWLOG RESET", "OK")
	waiter.Want("BLPOP l 1", "")
	clock.Advance(time.Second)
	require.Equal(t, "nil-array", waiter.Delivered())
	require.Contains(t, c.Do("SLOWLOG GET -1"), "BLPOP")
}
