package faults

import (
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
)

// moment is the time of the calls of these tests.
var moment = time.UnixMilli(2_000_000_000_000)

// aCall is a call of "set", changed by a test.
func aCall(change func(*Target)) *Target {
	c := &Target{Subject: fault.Calls, Command: "set", Now: moment,
		InCategory: func(c string) bool { return c == "write" },
		Keys:       func() [][]byte { return [][]byte{[]byte("order:1")} }, Script: func() string { return "" },
		Client: Client{ID: 7, Name: "billing", Addr: "10.0.0.1:5", Created: moment.Add(-time.Minute)}}
	if change != nil {
		change(c)
	}
	return c
}

func parsed(t *testing.T, line string) fault.Rule {
	t.Helper()
	r, err := fault.Parse(strings.Fields(line))
	require.NoError(t, err, line)
	return r
}

func TestRule_Conditions(t *testing.T) {
	scripted := func(c *Target) { c.Scripted = true }
	for _, test := range []struct {
		rule string
		call *Target
		fits bool
	}{
		{"", aCall(nil), true},
		{"COMMAND SET", aCall(nil), true},
		{"COMMAND get", aCall(nil), false},
		{"COMMAND @write", aCall(nil), true},
		{"COMMAND @read", aCall(nil), false},
		{"COMMAND config", aCall(func(c *Target) { c.Command = "config|get" }), true},
		{"COMMAND config|set", aCall(func(c *Target) { c.Command = "config|get" }), false},
		{"KEY order:*", aCall(nil), true},
		{"KEY stock:*", aCall(nil), false},
		{"CLIENT 7", aCall(nil), true},
		{"CLIENT bill*", aCall(nil), true},
		{"CLIENT 10.0.0.*", aCall(nil), true},
		{"CLIENT shipping", aCall(nil), false},
		{"AGE 60000", aCall(nil), true},
		{"AGE 60001", aCall(nil), false},
		{"", aCall(func(c *Target) { c.Client.Created = moment.Add(time.Hour) }), true}, // the clock was set back
		{"FROM 2000000000000 UNTIL 2000000000001", aCall(nil), true},
		{"FROM 2000000000001", aCall(nil), false},
		{"UNTIL 2000000000000", aCall(nil), false},
		{"SCRIPT ABC", aCall(func(c *Target) { c.Script = func() string { return "abc" } }), true},
		{"SCRIPT ABC", aCall(nil), false},
		{"SCRIPTED", aCall(scripted), true},
		{"SCRIPTED", aCall(nil), false},
		{"COMMAND set", aCall(scripted), false},
		{"COMMAND set KEY order:1 CLIENT 8", aCall(nil), false},
	} {
		r := activeRule{Rule: parsed(t, test.rule+" THEN ERROR BUSY")}
		require.Equal(t, test.fits, r.fits(test.call), test.rule)
	}
}

// A rule is about calls, messages or new connections, and fits only these.
func TestRule_Subjects(t *testing.T) {
	message := &Target{Subject: fault.Messages, Channel: "lock:1", Now: moment, Client: Client{ID: 7, Name: "billing"}}
	connection := &Target{Subject: fault.Connections, Now: moment, Client: Client{ID: 8, Addr: "10.0.0.1:5"}}
	call := aCall(nil)
	for rule, fitting := range map[string]*Target{
		"THEN CLOSE":                                 call,
		"CHANNEL lock:* THEN DROP":                   message,
		"CHANNEL lock:1 CLIENT billing THEN DELAY 1": message,
		"CONNECT CLIENT 10.0.0.* THEN REFUSE":        connection,
	} {
		r := activeRule{Rule: parsed(t, rule)}
		for _, target := range []*Target{call, message, connection} {
			require.Equal(t, target == fitting, r.fits(target), "%s: %v", rule, target.Subject)
		}
	}
	for _, rule := range []string{"CHANNEL other THEN DROP", "CHANNEL * CLIENT 8 THEN DROP",
		"CONNECT CLIENT 9 THEN REFUSE"} {
		r := activeRule{Rule: parsed(t, rule)}
		require.False(t, r.fits(message), rule)
		require.False(t, r.fits(connection), rule)
	}
}

// MOVED and ASK name the slot of a key, so a call without one is not hit.
func TestRule_RedirectsCallsWithKeys(t *testing.T) {
	r := activeRule{Rule: parsed(t, "THEN MOVED 10.0.0.2:6379")}
	require.True(t, r.fits(aCall(nil)))
	require.False(t, r.fits(aCall(func(c *Target) { c.Keys = func() [][]byte { return nil } })))
}

func newRules(t *testing.T, lines ...string) *Rules {
	t.Helper()
	rules := NewRules(func(fault.Subject) {})
	for _, line := range lines {
		rules.Add(parsed(t, line))
	}
	return rules
}

// pattern is which of n calls a rule hits.
func pattern(rules *Rules, n int) (hits string) {
	for range n {
		if _, _, ok := rules.Next(aCall(nil)); ok {
			hits += "x"
		} else {
			hits += "."
		}
	}
	return hits
}

func TestRules_Counts(t *testing.T) {
	require.Equal(t, "xxxxx", pattern(newRules(t, "THEN HANG"), 5))
	require.Equal(t, ".x...", pattern(newRules(t, "NTH 2 THEN HANG"), 5))
	require.Equal(t, "..x..x", pattern(newRules(t, "EVERY 3 THEN HANG"), 6))
	require.Equal(t, "xx...", pattern(newRules(t, "TIMES 2 THEN HANG"), 5))
	require.Equal(t, ".x.x..", pattern(newRules(t, "EVERY 2 TIMES 2 THEN HANG"), 6))
	require.Equal(t, "xxxxx.", pattern(newRules(t, "NTH 2 THEN HANG", "NTH 4 THEN HANG", "TIMES 3 THEN HANG"), 6),
		"the first rule that hits decides; the others count the call all the same")
}

func TestRules_Probability(t *testing.T) {
	const rule = "PROBABILITY 0.3 SEED 5 THEN CLOSE"
	first := pattern(newRules(t, rule), 1000)
	require.Equal(t, first, pattern(newRules(t, rule), 1000), "the same seed, the same calls")
	require.NotEqual(t, first, pattern(newRules(t, "PROBABILITY 0.3 SEED 6 THEN CLOSE"), 1000))
	other := newRules(t, rule)
	other.Clear()
	other.Add(parsed(t, rule))
	require.Equal(t, first, pattern(other, 1000), "whatever the id")
	hits := strings.Count(first, "x")
	require.Greater(t, hits, 200)
	require.Less(t, hits, 400)
}

// A call that is taken back is as if it had never been made, for all rules and their generators.
func TestRules_TakeBack(t *testing.T) {
	const rule = "PROBABILITY 0.5 SEED 1 THEN DELAY 1 TO 100"
	want := pattern(newRules(t, "NTH 3 THEN HANG", rule), 50)
	rules, got := newRules(t, "NTH 3 THEN HANG", rule), ""
	for i := range 100 {
		_, takeBack, ok := rules.Next(aCall(nil))
		switch {
		case i%2 == 0:
			takeBack()
		case ok:
			got += "x"
		default:
			got += "."
		}
	}
	require.Equal(t, want, got)
}

func TestRules_Delay(t *testing.T) {
	rules := newRules(t, "THEN DELAY 10 TO 20")
	seen := make(map[time.Duration]bool)
	for range 1000 {
		hit, _, _ := rules.Next(aCall(nil))
		require.GreaterOrEqual(t, hit.Delay, 10*time.Millisecond)
		require.LessOrEqual(t, hit.Delay, 20*time.Millisecond)
		seen[hit.Delay] = true
	}
	require.Greater(t, len(seen), 500)
}

func TestRules_Remove(t *testing.T) {
	var about []fault.Subject
	rules := NewRules(func(now fault.Subject) { about = append(about, now) })
	one, two := rules.Add(fault.Rule{Action: fault.Hang()}), rules.Add(fault.Rule{Action: fault.Close()})
	hit, _, ok := rules.Next(aCall(nil))
	require.True(t, ok)
	require.True(t, rules.Remove(one))
	<-hit.Removed
	require.False(t, rules.Remove(one))
	hit, _, _ = rules.Next(aCall(nil))
	require.Equal(t, two, hit.ID)
	hits, ok := rules.Hits(two)
	require.True(t, ok)
	require.EqualValues(t, 1, hits)
	require.Equal(t, 1, rules.Clear())
	_, ok = rules.Hits(two)
	require.False(t, ok)
	require.Empty(t, rules.List())
	require.Equal(t, []fault.Subject{fault.Calls, fault.Calls, fault.Calls, fault.Calls, 0}, about)
}
