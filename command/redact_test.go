package command_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// What redis-server 7.0.15 shows of these calls by MONITOR and SLOWLOG.
func TestRedacted_AsRedisShows(t *testing.T) {
	for line, want := range map[string]string{
		"AUTH p":                         "AUTH #",
		"AUTH default p":                 "AUTH # #",
		"HELLO":                          "HELLO",
		"HELLO 3":                        "HELLO 3",
		"HELLO 2 SETNAME n":              "HELLO 2 SETNAME n",
		"HELLO 2 AUTH default p":         "HELLO 2 AUTH # #",
		"HELLO 2 auth auth auth":         "HELLO 2 auth # #",
		"HELLO 2 AUTH default":           "HELLO 2 AUTH default",
		"HELLO AUTH default p":           "HELLO AUTH default p",
		"HELLO 2 AUTH a p AUTH b q":      "HELLO 2 AUTH # # AUTH # #",
		"ACL SETUSER u":                  "ACL SETUSER #",
		"ACL SETUSER u on >p ~*":         "ACL SETUSER # # # #",
		"ACL GETUSER u":                  "ACL GETUSER #",
		"CONFIG SET masterauth x":        "CONFIG SET masterauth #",
		"CONFIG SET nosuch masterauth":   "CONFIG SET nosuch masterauth",
		"MIGRATE h 1 k 0 10":             "MIGRATE h 1 k 0 10",
		"MIGRATE h 1 k 0 10 AUTH":        "MIGRATE h 1 k 0 10 AUTH",
		"MIGRATE h 1 k 0 10 AUTH p":      "MIGRATE h 1 k 0 10 AUTH #",
		"MIGRATE h 1 k 0 10 AUTH2 u":     "MIGRATE h 1 k 0 10 AUTH2 u",
		"MIGRATE h 1 k 0 10 auth2 u p":   "MIGRATE h 1 k 0 10 auth2 # #",
		"MIGRATE h 1 AUTH 0 10 AUTH p":   "MIGRATE h 1 AUTH 0 10 AUTH #",
		"SET AUTH x":                     "SET AUTH x",
		"HELLO 2 SETNAME auth AUTH u p":  "HELLO 2 SETNAME auth AUTH # #",
		"CONFIG SET MASTERAUTH x port y": "CONFIG SET MASTERAUTH # port y",
	} {
		got := redactedLine("", line)
		require.Equal(t, strings.ReplaceAll(want, "#", "(redacted)"), got, line)
	}
}

// The names of users are shown before Redis 7.2.
func TestRedacted_Users(t *testing.T) {
	for _, line := range []string{"ACL GETUSER u", "ACL DELUSER u"} {
		require.Equal(t, line, redactedLine("7.0", line))
		require.Equal(t, strings.ReplaceAll(line, " u", " (redacted)"), redactedLine("valkey-8.1", line))
	}
}

func redactedLine(server, line string) string {
	args := bytes.Fields([]byte(line))
	cmd, _ := catalog.Table(emulate.Named(server)).Lookup(args)
	return string(bytes.Join(cmd.Redact(args), []byte(" ")))
}

// notRun are the commands that end or stop the server of a test, that wait for replicas, and those with replies that
// are no RESP.
var notRun = []string{"shutdown", "debug", "client|pause", "script|debug", "wait", "waitaof", "sync", "psync"}

// Every command of the table runs with words missing, enough and too many, while MONITOR runs and the slow log takes
// every call: no reply may be an internal error.
func TestRedacted_EveryCommandIsLogged(t *testing.T) {
	catalog.Table(emulate.Named("")).Each(func(cmd *command.Command) {
		if slices.Contains(notRun, cmd.FullName()) || strings.HasPrefix(cmd.FullName(), "debug|") {
			return
		}
		for _, line := range linesOf(cmd) {
			env, _ := commandtest.NewEnv(t)
			monitor, c := commandtest.NewClient(t, env), commandtest.NewClient(t, env)
			monitor.Want("MONITOR", "OK", "CONFIG SET slowlog-log-slower-than 0", "OK")
			require.NotContains(t, c.Do(line), "internal error", line)
		}
	})
}

// linesOf is calls of a command with the words of its usage: from none to all of them, and some more. In more lines
// numbers stand for the first words, since many commands look at their options only after they have read a number.
func linesOf(cmd *command.Command) (lines []string) {
	name := strings.ReplaceAll(cmd.FullName(), "|", " ")
	signs := strings.NewReplacer("[", " ", "]", " ", "|", " ", "<", " ", ">", " ", "...", " ")
	usage := strings.Fields(signs.Replace(cmd.Usage))
	words := append(usage, "auth", "auth", "1")
	for n := range len(words) + 1 {
		lines = append(lines, name+" "+strings.Join(words[:n], " "))
		for numbers := 1; numbers <= min(3, n); numbers++ {
			lines = append(lines, name+strings.Repeat(" 2", numbers)+" "+strings.Join(words[numbers:n], " "))
		}
	}
	return lines
}
