package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
		"ACL GETUSER u":                  "ACL GETUSER u",
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
		got := redactedLine(line)
		require.Equal(t, strings.ReplaceAll(want, "#", "(redacted)"), got, line)
	}
}

func redactedLine(line string) string {
	args := bytes.Fields([]byte(line))
	cmd, _ := Commands().Lookup(args)
	c := Call{Cmd: cmd, Args: args}
	return string(bytes.Join(c.redacted(), []byte(" ")))
}

// Every command that the table has, with words missing, enough and too many, while MONITOR runs and the slow log takes
// every call: the logging of a call must not fail whatever its words are.
func TestRedacted_EveryCommandIsLogged(t *testing.T) {
	for _, cmd := range Commands().All() {
		name := bytes.Fields([]byte(strings.ReplaceAll(cmd.FullName(), "|", " ")))
		usage := bytes.Fields([]byte(strings.NewReplacer("[", " ", "]", " ", "|", " ", "<", " ", ">", " ").Replace(cmd.Usage)))
		for n := range len(usage) + 1 {
			c := Call{Cmd: cmd, Args: append(name[:len(name):len(name)], usage[:n]...)}
			require.Len(t, c.redacted(), len(c.Args), cmd.FullName())
		}
	}
}
