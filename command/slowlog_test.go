package command

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSlowlog_QuickCallsAreNotLogged(t *testing.T) {
	env, _ := newEnv(t)
	newClient(t, env).want("PING", "PONG", "SLOWLOG LEN", "0", "SLOWLOG GET", "[]")
}

func TestSlowlog_Entries(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("CONFIG SET slowlog-log-slower-than 0", "OK", "CLIENT SETNAME joe", "OK", "ECHO hello", `"hello"`, "ECHO", "ERR wrong number of arguments for 'echo' command")
	require.Regexp(t, `^\[\[2 \d+ \d+ \["ECHO" "hello"\] "127.0.0.1:1" "joe"\] \[1 \d+ \d+ \["CLIENT" "SETNAME" "joe"\] "127.0.0.1:1" "joe"\]\]$`,
		c.do("SLOWLOG GET 2"))
	c.want("SLOWLOG LEN", "4", "CONFIG SET slowlog-max-len 1", "OK", "SLOWLOG LEN", "1", "SLOWLOG RESET", "OK", "SLOWLOG LEN", "1")
	require.Contains(t, c.do("SLOWLOG GET -1"), `["SLOWLOG" "LEN"]`)
	c.want(
		"CONFIG SET slowlog-log-slower-than -1", "OK",
		"SLOWLOG RESET", "OK",
		"SLOWLOG GET", "[]",
		"SLOWLOG GET -2", "ERR count should be greater than or equal to -1",
		"SLOWLOG GET x", "ERR count should be greater than or equal to -1",
		"SLOWLOG GET 1 2", "ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.",
	)
}

func TestSlowlog_Threshold(t *testing.T) {
	env, clock := newEnv(t)
	c := newClient(t, env)
	c.want("CONFIG SET slowlog-log-slower-than 1000000", "OK")
	slept := make(chan string)
	go func() { slept <- c.do("DEBUG SLEEP 20") }()
	for reply := ""; reply == ""; {
		select {
		case reply = <-slept:
			require.Equal(t, "OK", reply)
		default:
			clock.Advance(time.Second)
		}
	}
	require.Regexp(t, `^\[\[0 \d+ \d{8,} \["DEBUG" "SLEEP" "20"\] `, c.do("SLOWLOG GET"))
	c.want("SLOWLOG LEN", "1")
}

func TestSlowlog_ACallThatWaited(t *testing.T) {
	env, _ := newEnv(t)
	clients := connect(t, env, 2)
	waiter, pusher := clients[0], clients[1]
	pusher.want("CONFIG SET slowlog-log-slower-than 0", "OK", "SLOWLOG RESET", "OK")
	waiter.want("BLPOP l 0", "")
	pusher.want("RPUSH l a", "1", "SLOWLOG LEN", "3")
	require.Regexp(t, `^\[.*\["SLOWLOG" "LEN"\].*\["BLPOP" "l" "0"\].*\["RPUSH" "l" "a"\].*\["SLOWLOG" "RESET"\].*\]$`, pusher.do("SLOWLOG GET"))
}
