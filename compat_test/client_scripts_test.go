package compat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// Every script of Redisson, and every one of BullMQ, runs here and in redis-server with the same keys, arguments and data.
// What these are is derived from the script itself: see scriptnode_test.go. After each call the replies and the messages
// must be the same, and in the end all keys. -seed makes other runs.

func TestAllScripts_OfRedissonDoTheSameInRedis(t *testing.T) {
	const version = "4.7.0"
	var cases []scriptCase
	for _, s := range completeScripts(t, version) {
		cases = append(cases, scriptCase{s.class + "." + s.method, s.text, derived})
	}
	runScripts(t, "redisson "+version, cases, 2)
}

func TestAllScripts_OfBullMQDoTheSameInRedis(t *testing.T) {
	runScripts(t, "bullmq "+bullMQVersion, bullMQScripts(t), 6)
}

// scriptCase is one script; keys is how many it takes.
type scriptCase struct {
	name, text string
	keys       int
}

// derived stands for a number of keys that only the script tells.
const derived = -1

// variants are the ways in which each script is called, and how often, each time with other values.
var variants = slices.Concat(
	slices.Repeat([]variant{{"on nothing", keySetup{}, 4}}, 2),
	slices.Repeat([]variant{{"on all that it wants", keySetup{chance: 10}, 3}}, 6),
	slices.Repeat([]variant{{"on much that will expire", keySetup{chance: 8, withTTL: true}, 3}}, 6),
	slices.Repeat([]variant{{"on something", keySetup{chance: 5, withTTL: true}, 3}}, 6),
	slices.Repeat([]variant{{"on a wrong type", keySetup{chance: 9, wrongType: true}, 2}}, 2),
)

type variant struct {
	name string
	keySetup
	calls int
}

// scriptRun is what becomes of scripts in all their variants.
type scriptRun struct {
	pair          *scriptServers
	calls, errors int // calls, and how many of them redis-server answered with an error
}

// runScripts runs each script in all variants, some rounds of them.
func runScripts(t *testing.T, suite string, cases []scriptCase, rounds int) {
	if !testenv.Long() {
		rounds = 1
	}
	r := &scriptRun{pair: newScriptServers(t, startReference(t), startTarget(t))}
	sum, barren := counts{}, 0
	for i, c := range cases {
		plan, err := planOf(c.text)
		require.NoError(t, err, c.name)
		if r.excused(plan) {
			continue
		}
		well := r.calls - r.errors
		sum.all++
		if r.judge(c.name, r.script(uint64(i), c, plan, rounds)) {
			sum.good++
		}
		if r.calls-r.errors == well {
			barren++
		}
	}
	t.Logf("%s: %d calls, %d of them answered with an error; %d scripts always were; %d scripts not run",
		suite, r.calls, r.errors, barren, len(cases)-sum.all)
	t.Logf("%s scripts: %s equal", suite, sum)
	require.Less(t, r.errors, r.calls/2, "most calls did nothing")
	require.Less(t, barren, len(cases)/10, "many scripts did nothing")
}

// judge tells whether a script did the same on both servers, and whether that is as it should be.
func (r *scriptRun) judge(name, diff string) (equal bool) {
	reason, known := unequal[name]
	switch {
	case diff != "" && known:
		r.pair.t.Logf("%s is known to differ: %s", name, reason)
	case diff != "":
		r.pair.t.Errorf("%s: %s", name, diff)
	case known && testenv.Long() && !comparesRedisWithItself():
		r.pair.t.Errorf("%s does the same now (%s): take it off the list", name, reason)
	}
	return diff == ""
}

// script runs one script and tells the first difference.
func (r *scriptRun) script(number uint64, c scriptCase, plan *scriptPlan, rounds int) string {
	rnd := rand.New(rand.NewPCG(*randomSeed, number))
	for range rounds {
		for _, v := range variants {
			v.singleMember = singleMemberTypes(c.name, plan)
			s := newScriptInput(rnd, plan, c.keys)
			p := callSequence{mask: maskOf(plan), anyOrder: anyOrder(plan)}
			p.setup, p.calls = s.play(c.text, v.keySetup, v.calls)
			if diff := r.settle(p); diff != "" {
				return v.name + diff
			}
		}
	}
	return ""
}

// callSequence is what is sent to both servers, and how the outcome is compared.
type callSequence struct {
	setup, calls [][]string
	mask         func(string) string
	anyOrder     bool
}

// pauses are between the calls of each try; a difference must show in all. A key that lives for milliseconds may expire
// on one server while the other still has it: after a pause it has on both.
var pauses = [...]time.Duration{0, 100 * time.Millisecond, time.Second}

func (r *scriptRun) settle(p callSequence) string {
	var diff string
	for _, pause := range pauses {
		if diff = r.play(p, pause); diff == "" {
			return ""
		}
	}
	var b strings.Builder
	for _, args := range p.setup {
		b.WriteString("\n  " + quoteArgs(args))
	}
	return " after" + b.String() + diff
}

func (r *scriptRun) play(p callSequence, pause time.Duration) string {
	t, ref, target := r.pair.t, r.pair.ref, r.pair.target
	want, got := ref.send(t, p, pause), target.send(t, p, pause)
	written := ""
	for i, call := range p.calls {
		written += "\ncall " + quoteArgs(call[2:])
		r.calls++
		if want[i].kind == '-' {
			r.errors++
		}
		if !p.sameReply(want[i], got[i]) {
			return fmt.Sprintf("%s\n   redis: %s\n  target: %s", written, want[i], got[i])
		}
	}
	if want, got := ref.messages(t), target.messages(t); !p.same(want, got) {
		return fmt.Sprintf("%s\nmessages\n   redis: %s\n  target: %s", written, want, got)
	}
	if diff := p.keys(keyspace(t, ref.caller), keyspace(t, target.caller)); diff != "" {
		return written + diff
	}
	return ""
}

// send empties the server, sends all there is and gives the replies to the calls.
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

// keys compares all keys, but for those that are about to expire: on one server they may have done so.
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

// expiresSoon tells whether a key has less than the tolerance to live.
func (s keyState) expiresSoon() bool {
	var ms int
	_, err := fmt.Sscanf(s.pttl, ":%d", &ms)
	return err == nil && ms >= 0 && ms < tolerance
}

// A test of the test: these scripts do not do the same twice.
func TestAllScripts_ADifferenceIsTold(t *testing.T) {
	r := &scriptRun{pair: newScriptServers(t, startReference(t), startTarget(t))}
	for script, answers := range map[string]string{
		"return redis.call('info', 'server')":                                   "redis:",
		"return redis.call('set', KEYS[1], redis.call('info', 'server'))":       `key "key:{1}"`,
		"return redis.call('publish', KEYS[1], redis.call('info', 'server'))":   "messages",
		"redis.call('hset', KEYS[1], redis.call('info', 'server'), 1) return 1": `key "key:{1}"`,
		"return redis.call('get', KEYS[1])":                                     "",
	} {
		plan, err := planOf(script)
		require.NoError(t, err)
		diff := r.script(1, scriptCase{"", script, derived}, plan, 1)
		require.Contains(t, diff, answers, script)
		require.Equal(t, answers == "", diff == "", script)
	}
}
