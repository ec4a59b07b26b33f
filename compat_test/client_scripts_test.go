package compat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// Every script of Redisson and BullMQ runs on both servers with the same keys, arguments and data, which are derived
// from the script: see script_analysis_values_test.go. The replies and messages of each call must be equal, and all
// keys at the end. -seed selects other arguments.

func TestClientScripts_Redisson(t *testing.T) {
	const version = "4.7.0"
	var cases []scriptCase
	for _, s := range completeScripts(t, version) {
		cases = append(cases, scriptCase{s.class + "." + s.method, s.text, derivedKeys})
	}
	runScripts(t, "redisson "+version, cases, 2)
}

func TestClientScripts_BullMQ(t *testing.T) {
	runScripts(t, "bullmq "+bullMQVersion, bullMQScripts(t), 6)
}

// scriptCase is a script. keys is the number of its keys, or derivedKeys.
type scriptCase struct {
	name, text string
	keys       int
}

// derivedKeys says that the number of keys is derived from the script.
const derivedKeys = -1

// variants are the ways in which each script is called, each time with other values: the keys that exist before, and
// how many calls follow.
var variants = slices.Concat(
	slices.Repeat([]variant{{"no keys", keySetup{}, 4}}, 2),
	slices.Repeat([]variant{{"all keys", keySetup{chance: 10}, 3}}, 6),
	slices.Repeat([]variant{{"many keys, some with a TTL", keySetup{chance: 8, withTTL: true}, 3}}, 6),
	slices.Repeat([]variant{{"some keys, some with a TTL", keySetup{chance: 5, withTTL: true}, 3}}, 6),
	slices.Repeat([]variant{{"a key of a wrong type", keySetup{chance: 9, wrongType: true}, 2}}, 2),
)

type variant struct {
	name string
	keySetup
	calls int
}

// scriptRun runs scripts in all variants.
type scriptRun struct {
	servers       *scriptServers
	calls, errors int // calls, and how many of them had an error reply from redis-server
}

// runScripts runs each script in all variants, this many rounds.
func runScripts(t *testing.T, suite string, cases []scriptCase, rounds int) {
	if !testenv.Long() {
		rounds = 1
	}
	r := &scriptRun{servers: newScriptServers(t, startReference(t), startTarget(t))}
	sum, failing := counts{}, 0
	for i, c := range cases {
		plan, err := planOf(c.text)
		require.NoError(t, err, c.name)
		if r.skip(plan) {
			continue
		}
		succeeded := r.calls - r.errors
		sum.all++
		if r.report(c.name, r.script(uint64(i), c, plan, rounds)) {
			sum.good++
		}
		if r.calls-r.errors == succeeded {
			failing++
		}
	}
	t.Logf("%s: %d calls, %d of them with an error reply; %d scripts always; %d scripts not run",
		suite, r.calls, r.errors, failing, len(cases)-sum.all)
	t.Logf("%s scripts: %s equal", suite, sum)
	require.Less(t, r.errors, r.calls/2, "most calls failed")
	require.Less(t, failing, len(cases)/10, "many scripts always failed")
}

// report reports a difference, or that a known difference is gone.
func (r *scriptRun) report(name, diff string) (equal bool) {
	reason, known := unequal[name]
	switch {
	case diff != "" && known:
		r.servers.t.Logf("%s is known to differ: %s", name, reason)
	case diff != "":
		r.servers.t.Errorf("%s: %s", name, diff)
	case known && testenv.Long() && !comparesRedisWithItself():
		r.servers.t.Errorf("%s has the same results now (%s): remove it", name, reason)
	}
	return diff == ""
}

// script runs one script and returns the first difference.
func (r *scriptRun) script(number uint64, c scriptCase, plan *scriptPlan, rounds int) string {
	rnd := rand.New(rand.NewPCG(*randomSeed, number))
	for range rounds {
		for _, v := range variants {
			v.singleMember = singleMemberTypes(c.name, plan)
			s := newScriptInput(rnd, plan, c.keys)
			p := callSequence{mask: maskOf(plan), anyOrder: anyOrder(plan)}
			p.setup, p.calls = s.calls(c.text, v.keySetup, v.calls)
			if diff := r.compare(p); diff != "" {
				return v.name + diff
			}
		}
	}
	return ""
}

// callSequence is what is sent to both servers, and how the results are compared.
type callSequence struct {
	setup, calls [][]string
	mask         func(string) string
	anyOrder     bool
}

// pauses are the pauses between calls in each attempt. Only a difference in all attempts is reported: a key with a TTL
// of milliseconds may have expired on one server only, but after a pause it has on both.
var pauses = [...]time.Duration{0, 100 * time.Millisecond, time.Second}

// compare runs the calls until an attempt shows no difference, and returns the difference of the last attempt.
func (r *scriptRun) compare(p callSequence) string {
	var diff string
	for _, pause := range pauses {
		if diff = r.compareOnce(p, pause); diff == "" {
			return ""
		}
	}
	var b strings.Builder
	for _, args := range p.setup {
		b.WriteString("\n  " + quoteArgs(args))
	}
	return " after" + b.String() + diff
}

func (r *scriptRun) compareOnce(p callSequence, pause time.Duration) string {
	t, ref, target := r.servers.t, r.servers.ref, r.servers.target
	want, got := ref.send(t, p, pause), target.send(t, p, pause)
	sent := ""
	for i, call := range p.calls {
		sent += "\ncall " + quoteArgs(call[2:])
		r.calls++
		if want[i].kind == '-' {
			r.errors++
		}
		if !p.sameReply(want[i], got[i]) {
			return fmt.Sprintf("%s\n   redis: %s\n  target: %s", sent, want[i], got[i])
		}
	}
	if want, got := ref.messages(t), target.messages(t); !p.same(want, got) {
		return fmt.Sprintf("%s\nmessages\n   redis: %s\n  target: %s", sent, want, got)
	}
	if diff := p.keys(keyspace(t, ref.caller), keyspace(t, target.caller)); diff != "" {
		return sent + diff
	}
	return ""
}

// send clears the server, sends everything and returns the replies to the calls.
func (s scriptServer) send(t *testing.T, p callSequence, pause time.Duration) (replies []reply) {
	t.Helper()
	batches := [][][]string{slices.Concat([][]string{{"FLUSHALL"}}, p.setup, p.calls)}
	if pause > 0 {
		batches[0] = batches[0][:1+len(p.setup)]
		for _, call := range p.calls {
			batches = append(batches, [][]string{call})
		}
	}
	for i, batch := range batches {
		if i > 1 {
			time.Sleep(pause)
		}
		more, err := s.caller.pipeline(batch)
		require.NoError(t, err)
		replies = append(replies, more...)
	}
	for i, v := range replies[:1+len(p.setup)] {
		require.NotEqual(t, byte('-'), v.kind, "command %d of %q: %s", i, p.setup, v)
	}
	return replies[1+len(p.setup):]
}

func (p callSequence) same(want, got string) bool { return alike(p.mask(want), p.mask(got)) }

func (p callSequence) sameReply(want, got reply) bool {
	return p.same(want.String(), got.String()) || p.anyOrder && p.same(want.sorted().String(), got.sorted().String())
}

// keys compares all keys, except those that expire soon: on one server they may have.
func (p callSequence) keys(want, got map[string]keyState) string {
	for _, side := range []map[string]keyState{want, got} {
		for key, state := range side {
			if state.expiresSoon() {
				delete(want, key)
				delete(got, key)
				continue
			}
			state.content, state.pttl = p.mask(state.content), p.mask(state.pttl)
			side[key] = state
		}
	}
	return differentKeys(want, got)
}

// expiresSoon reports whether the TTL of a key is below the tolerance.
func (s keyState) expiresSoon() bool {
	var ms int
	_, err := fmt.Sscanf(s.pttl, ":%d", &ms)
	return err == nil && ms >= 0 && ms < tolerance
}

// These scripts have other results on each server, which the comparison must report.
func TestClientScripts_ReportDifferences(t *testing.T) {
	r := &scriptRun{servers: newScriptServers(t, startReference(t), startTarget(t))}
	for script, difference := range map[string]string{
		"return redis.call('info', 'server')":                                   "redis:",
		"return redis.call('set', KEYS[1], redis.call('info', 'server'))":       `key "key:{1}"`,
		"return redis.call('publish', KEYS[1], redis.call('info', 'server'))":   "messages",
		"redis.call('hset', KEYS[1], redis.call('info', 'server'), 1) return 1": `key "key:{1}"`,
		"return redis.call('get', KEYS[1])":                                     "",
	} {
		plan, err := planOf(script)
		require.NoError(t, err)
		diff := r.script(1, scriptCase{"", script, derivedKeys}, plan, 1)
		require.Contains(t, diff, difference, script)
		require.Equal(t, difference == "", diff == "", script)
	}
}
