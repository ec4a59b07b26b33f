package fault

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func parsed(t *testing.T, line string) Rule {
	t.Helper()
	r, err := Parse(strings.Fields(line))
	require.NoError(t, err, line)
	return r
}

func TestParse_WordsGiveItBack(t *testing.T) {
	for _, line := range []string{
		"THEN CLOSE",
		"COMMAND evalsha KEY order:* SCRIPT abc CLIENT 7 AGE 5 FROM 1 UNTIL 2 NTH 3 TIMES 4 THEN LOSEREPLY",
		"COMMAND @write EVERY 2 THEN CUTREPLY 10",
		"SCRIPTED PROBABILITY 0.25 SEED 18446744073709551615 THEN ERROR custom",
		"THEN DELAY 5", "THEN DELAY 5 TO 10 REALTIME", "THEN HANG", "THEN TWICE",
		"THEN MOVED 127.0.0.1:7001", "SCRIPTED THEN ASK [::1]:7001", "THEN STOPREADING", "THEN THROTTLE 1",
		"CHANNEL redisson_lock__channel:* CLIENT 7 AGE 5 NTH 2 THEN DROP", "CHANNEL a THEN DELAY 5 REALTIME",
		"CONNECT CLIENT 10.0.0.* EVERY 2 THEN REFUSE", "CONNECT THEN SILENT", "CONNECT THEN STOPREADING",
		"CONNECT THEN THROTTLE 2147483647",
	} {
		r := parsed(t, line)
		require.Equal(t, line, strings.Join(r.Words(), " "))
		require.Equal(t, r, parsed(t, strings.ToLower(line)), "keywords in any case")
	}
}

func TestParse_UsualErrors(t *testing.T) {
	require.Equal(t, "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
		parsed(t, "THEN ERROR busy").Action.Text)
	r, err := Parse([]string{"THEN", "ERROR", "MOVED 5 10.0.0.1:6379"})
	require.NoError(t, err)
	require.Equal(t, Error("MOVED 5 10.0.0.1:6379"), r.Action)
}

func TestParse_Errors(t *testing.T) {
	for line, want := range map[string]string{
		"":                       "ERR THEN and what is to happen are missing",
		"COMMAND get":            "ERR THEN and what is to happen are missing",
		"THEN":                   "ERR THEN and what is to happen are missing",
		"COMMAND":                "ERR COMMAND needs a value",
		"COLOR red THEN CLOSE":   "ERR unknown condition 'COLOR'",
		"COMMAND get CLOSE":      "ERR THEN is missing before 'CLOSE'",
		"COMMAND get ERROR text": "ERR THEN is missing before 'ERROR'",
		"THEN EXPLODE": "ERR unknown fault 'EXPLODE'; the faults are ASK, CLOSE, CUTREPLY, DELAY, " +
			"DROP, ERROR, HANG, LOSEREPLY, MOVED, REFUSE, SILENT, STOPREADING, THROTTLE, TWICE",
		"THEN CLOSE now": "ERR unexpected 'now' after the fault; conditions come before THEN, and a text " +
			"is quoted",
		"THEN ERROR":                     "ERR ERROR needs a value",
		"THEN DELAY":                     "ERR DELAY needs a value",
		"THEN DELAY x":                   "ERR DELAY needs an integer of at least 0",
		"THEN DELAY 5 TO 4":              "ERR a delay must not be negative, nor the longest one shorter than the shortest",
		"SEED 0 THEN CLOSE":              "ERR SEED needs an integer greater than 0",
		"NTH 0 THEN CLOSE":               "ERR NTH needs an integer of at least 1",
		"PROBABILITY 1.5 THEN CLOSE":     "ERR PROBABILITY needs a number greater than 0 and at most 1",
		"PROBABILITY NaN THEN CLOSE":     "ERR PROBABILITY needs a number greater than 0 and at most 1",
		"NTH 1 EVERY 2 THEN CLOSE":       "ERR NTH, EVERY and PROBABILITY exclude each other",
		"SCRIPTED COMMAND set THEN HANG": "ERR only ERROR, MOVED and ASK can happen to a command that a script calls",
		"THEN MOVED":                     "ERR MOVED needs a value",
		"FROM 5 UNTIL 5 THEN CLOSE":      "ERR UNTIL must be after FROM",
		"THEN MOVED a:65536":             "ERR MOVED and ASK need an address of the form host:port",
		"SEED 1 THEN DELAY 5":            "ERR SEED needs PROBABILITY, or DELAY with TO",
		"THEN MOVED localhost":           "ERR MOVED and ASK need an address of the form host:port",
		"THEN ASK localhost:":            "ERR MOVED and ASK need an address of the form host:port",
		"THEN THROTTLE 0":                "ERR THROTTLE needs an integer of at least 1",
		"THEN DROP":                      "ERR DROP cannot happen to a call",
		"THEN REFUSE":                    "ERR REFUSE cannot happen to a call",
		"CHANNEL":                        "ERR CHANNEL needs a value",
		"CHANNEL a THEN HANG":            "ERR HANG cannot happen to a message",
		"CONNECT THEN DELAY 5":           "ERR DELAY cannot happen to a new connection",
		"CONNECT CHANNEL a THEN DROP":    "ERR CONNECT excludes CHANNEL and AGE",
		"CONNECT AGE 5 THEN REFUSE":      "ERR CONNECT excludes CHANNEL and AGE",
		"CHANNEL a COMMAND get THEN DROP": "ERR COMMAND, KEY, SCRIPT and SCRIPTED are conditions on calls: CHANNEL and " +
			"CONNECT exclude them",
		"CONNECT SCRIPTED THEN REFUSE": "ERR COMMAND, KEY, SCRIPT and SCRIPTED are conditions on calls: CHANNEL and " +
			"CONNECT exclude them",
	} {
		_, err := Parse(strings.Fields(line))
		require.EqualError(t, err, want, line)
	}
	_, err := Parse([]string{"THEN", "ERROR", "two\r\nlines"})
	require.EqualError(t, err, "ERR an error needs a text, of one line")
	for _, keyword := range []string{"COMMAND", "KEY", "SCRIPT", "CLIENT"} {
		_, err := Parse([]string{keyword, "", "THEN", "CLOSE"}) // such as a variable of a shell that is not set
		require.EqualError(t, err, "ERR "+keyword+" needs a value")
	}
}

// A duration that does not fit is the longest one.
func TestParse_LongDelay(t *testing.T) {
	require.Equal(t, maxMillis*int64(time.Millisecond), int64(parsed(t, "THEN DELAY 9223372036854775807").Action.Min))
}

// A rule in Go may be wrong in more ways than one over a connection.
func TestRule_Check(t *testing.T) {
	for _, r := range []Rule{
		{}, {Action: Action{Kind: KindThrottle + 1}}, {Nth: -1, Action: Hang()}, {Every: -1, Action: Hang()},
		{Times: -1, Action: Hang()}, {Age: -1, Action: Hang()}, {Probability: 2, Action: Hang()},
		{Probability: math.NaN(), Action: Hang()}, {Action: CutReply(-1)}, {Action: Delay(-time.Second)},
		{Action: DelayBetween(2*time.Millisecond, time.Millisecond)}, {Action: DelayBetween(0, math.MaxInt64)},
		{Action: Error(" ")}, {Action: Error("two\nlines")}, {Scripted: true, Action: Close()},
		{Action: Throttle(0)}, {Action: Moved("a b:1")}, {Action: Drop()}, {Channel: "a", Action: Silent()},
	} {
		require.Error(t, r.Check(), r)
	}
	require.Equal(t, time.Millisecond, Delay(time.Microsecond).Min)
}
