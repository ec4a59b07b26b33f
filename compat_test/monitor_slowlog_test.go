package compat

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// loggedCommands are calls that MONITOR and the slow log show in part: with secrets, with many arguments, by scripts
// and transactions, and rejected ones.
var loggedCommands = strings.TrimSpace(`
AUTH p
auth u p
AUTH u p x
AUTH
HELLO
HELLO 2
HELLO 3
hello 2 auth u p
HELLO 3 AUTH u p SETNAME n
HELLO 2 SETNAME n AUTH u p
HELLO 2 AUTH u
HELLO 2 AUTH
HELLO 2 SETNAME
HELLO 2 NOSUCH AUTH u p
HELLO 2 AUTH u p AUTH u p
HELLO 9 AUTH u p
AUTH default x
ACL SETUSER u on >p ~* &* +@all
acl setuser u
ACL SETUSER
ACL GETUSER u
ACL DELUSER u2
ACL DRYRUN u AUTH secret
ACL LIST x
CONFIG SET masterauth secret
CONFIG SET masteruser secret
CONFIG SET tls-key-file-pass secret
CONFIG SET tls-client-key-file-pass secret
config set MASTERAUTH secret maxmemory 0
CONFIG SET maxmemory 0 masterauth secret timeout 0
CONFIG SET masterauth
CONFIG SET maxmemory 0 masterauth
CONFIG SET nosuch x masterauth secret
CONFIG SET masterauth ""
CONFIG GET masterauth
CONFIG SET requirepass ""
CONFIG RESETSTAT
MIGRATE 127.0.0.1 1 nosuch 0 1 AUTH secret
MIGRATE 127.0.0.1 1 nosuch 0 1 COPY AUTH2 u secret
migrate 127.0.0.1 1 nosuch 0 1 auth secret
MIGRATE 127.0.0.1 1 "" 0 1 AUTH secret KEYS nosuch
MIGRATE 127.0.0.1 1 nosuch 0 1 AUTH
MIGRATE 127.0.0.1 1 nosuch 0 1 AUTH2 u
MIGRATE 127.0.0.1 1 nosuch 0 1 AUTH a AUTH2 u b REPLACE
SENTINEL SET m auth-pass secret
NOSUCH secret
GET
GET a b
SET k v NX XX
SET "two words" "line\nend \"quoted\" \x00\xff\\ it's"
MSET a 1 b 2 c 3
EVAL "return redis.call('GET', KEYS[1])" 1 k
EVAL "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('GET', KEYS[1])" 1 k v
EVAL "return redis.pcall('NOSUCH', 'x')" 0
EVAL "return redis.call('GET')" 0
EVAL "return redis.pcall('AUTH', 'secret')" 0
EVAL "return redis.pcall('CONFIG', 'SET', 'masterauth', 'secret')" 0
EVAL "return redis.call('SELECT', 3)" 0
EVAL "redis.call('SELECT', 3) redis.call('SET', 'k', 'in 3') return redis.call('PING')" 0
EVAL "return redis.call('PUBLISH', 'c', 'm')" 0
EVAL "no code" 0
EVAL "error('mine')" 0
EVAL_RO "return redis.call('GET', 'k')" 0
EVAL_RO "return redis.call('SET', 'k', 1)" 0
EVALSHA ffffffffffffffffffffffffffffffffffffffff 0
SCRIPT LOAD "return 1"
EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0
FUNCTION LOAD "#!lua name=l\nredis.register_function('f', function(k, a) return redis.call('SET', k[1], a[1]) end)"
FCALL f 1 k v
FCALL nosuch 0
FCALL_RO f 1 k v
FUNCTION DELETE l
MULTI
SET k 1
GET k
AUTH u p
EVAL "return redis.call('INCR', KEYS[1])" 1 k
SELECT 1
SET k 2
SELECT 0
EXEC
MULTI
NOSUCH
GET k
EXEC
MULTI
GET k
DISCARD
EXEC
WATCH k
UNWATCH
SELECT 1
GET k
SELECT 0
SUBSCRIBE c
GET k
UNSUBSCRIBE c
PING x
PUBLISH c m
CLIENT SETNAME me
GET k
CLIENT KILL ID 999999
CLIENT LIST ID 999999
CLIENT ID
CLIENT REPLY ON
CLIENT TRACKING OFF
COMMAND COUNT
OBJECT HELP
OBJECT ENCODING k
SLOWLOG LEN
LATENCY RESET
MEMORY PURGE
DEBUG SLEEP 0
LPOP nolist
BLPOP nolist 0.001
LPUSH list 1
BLPOP list 0
XADD x 1-1 f v
XREAD BLOCK 0 STREAMS x 0
SORT list BY nosort
SWAPDB 0 1
SWAPDB 0 1
FLUSHALL
RESET
PING
`)

// longCommands returns calls with many or long arguments, around the limits of the slow log.
func longCommands() (commands [][]string) {
	for _, n := range []int{30, 31, 32, 33, 100} {
		args := []string{"DEL"}
		for i := range n {
			args = append(args, fmt.Sprint("k", i))
		}
		commands = append(commands, args)
	}
	for _, n := range []int{127, 128, 129, 1000} {
		commands = append(commands, []string{"ECHO", strings.Repeat("e", n)}, []string{"SET", "k", strings.Repeat("é", n)},
			[]string{strings.Repeat("NO", n), "x"}, []string{"AUTH", strings.Repeat("p", n)},
			[]string{"EVAL", "return redis.call('SET', KEYS[1], ARGV[1])" + strings.Repeat(" ", n),
				"1", "k", strings.Repeat("x", n)})
	}
	return commands
}

// logCommands returns all commands whose logs are compared.
func logCommands(t *testing.T) (commands [][]string) {
	for line := range strings.SplitSeq(loggedCommands, "\n") {
		args, _, err := splitArgs(line)
		require.NoError(t, err, line)
		commands = append(commands, args)
	}
	commands = append(commands, longCommands()...)
	others := append(allTemplateCommands(1), splitAdminCommands()...)
	return append(commands, slices.DeleteFunc(others, func(args []string) bool {
		switch name := strings.ToUpper(args[0]); name {
		case "MULTI", "EXEC", "DISCARD", "RESET", "AUTH", "HELLO", "SELECT", "SHUTDOWN", "SLOWLOG", "CONFIG",
			"RANDOMKEY", "SCAN":
			return true
		default:
			return unfit(args) || strings.Contains(name, "SUBSCRIBE") || strings.Contains(strings.Join(args, " "), " do redis.")
		}
	})...)
}

// mark returns a command that follows command i, to separate the logs.
func mark(i int) []string { return []string{"ECHO", fmt.Sprint("mark ", i)} }

// logs are what MONITOR and the slow log reported for each command.
type logs struct{ monitor, slow []string }

// watchLogs sends the commands one by one and returns their logs.
func watchLogs(t *testing.T, address string, commands [][]string) (seen logs) {
	t.Helper()
	c, monitor, operator := dial(t, address), dial(t, address), dial(t, address)
	for _, set := range []string{
		"ACL SETUSER u on >p ~* &* +@all", "CONFIG SET slowlog-log-slower-than 0 slowlog-max-len 100000",
	} {
		require.Equal(t, "+OK", operator.do(t, strings.Fields(set)...).String())
	}
	require.Equal(t, "+OK", monitor.do(t, "MONITOR").String())
	require.Equal(t, "+OK", operator.do(t, "SLOWLOG", "RESET").String())
	for i, args := range commands {
		c.do(t, args...)
		operator.do(t, mark(i)...)
		seen.monitor = append(seen.monitor, untilMark(t, monitor, i))
		slow := operator.do(t, "SLOWLOG", "GET", "-1")
		require.Equal(t, "+OK", operator.do(t, "SLOWLOG", "RESET").String())
		seen.slow = append(seen.slow, slowLines(slow))
	}
	return seen
}

// untilMark returns the lines of MONITOR up to the mark.
func untilMark(t *testing.T, monitor *rawClient, i int) string {
	t.Helper()
	var lines []string
	for {
		v, err := monitor.read()
		require.NoError(t, err, lines)
		line := maskPerRun("+" + v.text)
		if strings.HasSuffix(line, fmt.Sprintf(`"ECHO" "mark %d"`, i)) {
			return strings.Join(lines, "\n")
		}
		lines = append(lines, line)
	}
}

// slowLines returns the arguments and client name of each entry, oldest first.
func slowLines(v reply) string {
	var lines []string
	for _, entry := range slices.Backward(v.elems) {
		lines = append(lines, entry.elems[3].String()+" "+entry.elems[5].String())
	}
	return strings.Join(lines, "\n")
}

// MONITOR and the slow log show the same commands in the same order, with the same arguments cut or hidden.
func TestMonitorAndSlowLog(t *testing.T) {
	commands := logCommands(t)
	want, got := watchLogs(t, startReference(t), commands), watchLogs(t, startTarget(t), commands)
	d := newDifferences(t, "logs")
	defer d.end()
	for i, args := range commands {
		name := fmt.Sprintf("of %.200s", quoteArgs(args))
		d.compare("MONITOR "+name, want.monitor[i], got.monitor[i])
		d.compare("SLOWLOG "+name, want.slow[i], got.slow[i])
	}
}
