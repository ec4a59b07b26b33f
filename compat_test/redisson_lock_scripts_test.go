package compat

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// The lock scripts of Redisson's jars run on both servers with the same keys and arguments. After each call the
// replies, the messages of channels and all keys with their TTLs must be equal.
func TestRedissonLockScripts(t *testing.T) {
	ref, target := startReference(t), startTarget(t)
	for _, version := range []string{"3.13.6", "4.7.0"} {
		scripts, ran := methodScripts(openJar(t, version)), map[string]bool{}
		for _, scenario := range lockScenarios {
			if scenario.since > version {
				continue
			}
			t.Run(version+" "+scenario.name, func(t *testing.T) {
				pair := newScriptServers(t, ref, target)
				for i, call := range scenario.calls(redisson{version, time.Now().UnixMilli()}) {
					ran[call.script] = true
					if pair.run(i, call, scripts); t.Failed() {
						return // later calls would only differ as a consequence
					}
				}
			})
		}
		if !t.Failed() {
			requireAllRan(t, version, scripts, ran)
		}
	}
}

// lockClasses are the classes whose scripts must all be in a scenario.
var lockClasses = []string{
	"LockTask", "ReadLockTask", "FastMultilockTask", "RedissonLock", "RedissonFairLock", "RedissonReadLock",
	"RedissonWriteLock", "RedissonSpinLock", "RedissonFencedLock", "RedissonFasterMultiLock", "RedissonSemaphore",
	"RedissonPermitExpirableSemaphore", "RedissonCountDownLatch", "RedissonRateLimiter",
	"RedissonNonReentrantLock", "RedissonNonReentrantFairLock",
}

func requireAllRan(t *testing.T, version string, scripts map[string]string, ran map[string]bool) {
	t.Helper()
	for name := range scripts {
		class, _, _ := strings.Cut(name, ".")
		if slices.Contains(lockClasses, class) && !ran[name] {
			t.Errorf("redisson %s: no story runs %s", version, name)
		}
	}
}

// methodScripts returns the scripts of a jar by Class.method, with #1, #2 … for the second and further scripts of a
// method.
func methodScripts(j *jar) map[string]string {
	scripts, seen := map[string]string{}, map[string]int{}
	for _, use := range j.uses {
		name := use.class + "." + use.method
		if n := seen[name]; n > 0 {
			scripts[fmt.Sprintf("%s#%d", name, n)] = use.text
		} else {
			scripts[name] = use.text
		}
		seen[name]++
	}
	return scripts
}

// scriptServer is a server with two connections: one that calls scripts and one that is subscribed to all channels.
type scriptServer struct{ caller, subscriber *rawClient }

// scriptServers runs the same calls on both servers.
type scriptServers struct {
	t           *testing.T
	ref, target scriptServer
}

func newScriptServers(t *testing.T, ref, target string) *scriptServers {
	return &scriptServers{t, newScriptServer(t, ref), newScriptServer(t, target)}
}

func newScriptServer(t *testing.T, addr string) scriptServer {
	s := scriptServer{dial(t, addr), dial(t, addr)}
	require.Equal(t, "+OK", s.caller.do(t, "FLUSHALL").String())
	require.Equal(t, `["psubscribe", "*", :1]`, s.subscriber.do(t, "PSUBSCRIBE", "*").String())
	return s
}

func (p *scriptServers) run(i int, call lockCall, scripts map[string]string) {
	p.t.Helper()
	p.runAs(i, call, scripts, scripts)
}

// runAs runs a call by one set of scripts on the reference and by another on the target.
func (p *scriptServers) runAs(i int, call lockCall, reference, target map[string]string) {
	p.t.Helper()
	want := p.ref.caller.do(p.t, call.command(p.t, reference)...)
	got := p.target.caller.do(p.t, call.command(p.t, target)...)
	lost := reference[call.script] != target[call.script] && reportsLoss(call, want.String(), got.String())
	if !lost && !alike(withoutScript(want.String()), withoutScript(got.String())) {
		p.t.Errorf("call %d, %s: reply\n   redis: %s\n  target: %s", i, call, want, got)
	}
	if want, got := p.ref.messages(p.t), p.target.messages(p.t); want != got {
		p.t.Errorf("call %d, %s: messages\n   redis: %s\n  target: %s", i, call, want, got)
	}
	if diff := differentKeys(keyspace(p.t, p.ref.caller), keyspace(p.t, p.target.caller)); diff != "" {
		p.t.Errorf("call %d, %s: %s", i, call, diff)
	}
}

// reportsLoss is the only difference between the scripts of package lock and Redisson's: for Redisson a fair lock that
// is gone counts as unlocked; package lock reports it as lost, like all other kinds.
func reportsLoss(call lockCall, want, got string) bool {
	return call.script == "RedissonFairLock.unlockInnerAsync" && want == ":1" && got == "(nil)"
}

// withoutScript returns a reply without the SHA1 and line of the script in an error.
func withoutScript(reply string) string { return scriptInError.ReplaceAllString(reply, "") }

var scriptInError = regexp.MustCompile(`user_script:\d+: | script: [0-9a-f]{40}, on @user_script:\d+\.`)

// messages returns those since the last call: they come before the reply to PING.
func (s scriptServer) messages(t *testing.T) string {
	t.Helper()
	s.subscriber.queue("PING")
	require.NoError(t, s.subscriber.flush())
	var all []string
	for {
		v, err := s.subscriber.read()
		require.NoError(t, err)
		if len(v.elems) > 0 && v.elems[0].text == "pong" {
			return strings.Join(all, " ")
		}
		all = append(all, v.String())
	}
}

// lockCall is a call of a script, or a plain command if script is empty.
type lockCall struct {
	script string
	keys   []string
	args   []string
}

func (c lockCall) String() string { return fmt.Sprintf("%s %q %q", c.script, c.keys, c.args) }

// command returns the EVAL of a call.
func (c lockCall) command(t *testing.T, scripts map[string]string) []string {
	t.Helper()
	if c.script == "" {
		return c.args
	}
	text, ok := scripts[c.script]
	require.True(t, ok, "the jar has no %s", c.script)
	args := append([]string{"EVAL", text, strconv.Itoa(len(c.keys))}, c.keys...)
	return append(args, c.args...)
}
