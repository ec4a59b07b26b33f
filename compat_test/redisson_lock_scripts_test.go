package compat

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Redisson's own lock scripts, out of its jars, run here and in redis-server with the same
// keys and arguments. After every call the replies, the messages published and all keys with
// their times to live must be the same.
func TestLockScripts_DoTheSameInRedis(t *testing.T) {
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
						return // what follows would only be its consequence
					}
				}
			})
		}
		if !t.Failed() {
			requireAllRan(t, version, scripts, ran)
		}
	}
}

// lockClasses are the classes of which every script must be in some scenario.
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

// methodScripts names the scripts of a jar: Class.method, with #1, #2 … for the second and
// further ones of a method.
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

// scriptServer is one of the two servers: a connection that calls, and one that listens.
type scriptServer struct{ caller, eventRecorder *rawClient }

// scriptServers runs the calls of a scenario on both servers.
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
	require.Equal(t, `["psubscribe", "*", :1]`, s.eventRecorder.do(t, "PSUBSCRIBE", "*").String())
	return s
}

func (p *scriptServers) run(i int, call lockCall, scripts map[string]string) {
	p.t.Helper()
	p.runAs(i, call, scripts, scripts)
}

// runAs runs a call by other scripts on the second server than on the first.
func (p *scriptServers) runAs(i int, call lockCall, theirs, target map[string]string) {
	p.t.Helper()
	want := p.ref.caller.do(p.t, call.command(p.t, theirs)...)
	got := p.target.caller.do(p.t, call.command(p.t, target)...)
	answers := theirs[call.script] != target[call.script] && tellsOfLoss(call, want.String(), got.String())
	if !answers && !alike(anyScript(want.String()), anyScript(got.String())) {
		p.t.Errorf("call %d, %s: reply\n   redis: %s\n  target: %s", i, call, want, got)
	}
	if want, got := p.ref.messages(p.t), p.target.messages(p.t); want != got {
		p.t.Errorf("call %d, %s: messages\n   redis: %s\n  target: %s", i, call, want, got)
	}
	if diff := differentKeys(keyspace(p.t, p.ref.caller), keyspace(p.t, p.target.caller)); diff != "" {
		p.t.Errorf("call %d, %s: %s", i, call, diff)
	}
}

// tellsOfLoss is the one difference between the Go client's scripts and Redisson's: a fair lock that is gone counts as unlocked to Redisson,
// and as lost to the Go client, as all other kinds do to both.
func tellsOfLoss(call lockCall, want, got string) bool {
	return call.script == "RedissonFairLock.unlockInnerAsync" && want == ":1" && got == "(nil)"
}

// anyScript is a reply without what an error tells of the script that it happened in.
func anyScript(reply string) string { return inScript.ReplaceAllString(reply, "") }

var inScript = regexp.MustCompile(`user_script:\d+: | script: [0-9a-f]{40}, on @user_script:\d+\.`)

// messages are those that came since the last call: the PONG stands behind them.
func (s scriptServer) messages(t *testing.T) string {
	t.Helper()
	s.eventRecorder.queue("PING")
	require.NoError(t, s.eventRecorder.flush())
	var all []string
	for {
		v, err := s.eventRecorder.read()
		require.NoError(t, err)
		if len(v.elems) > 0 && v.elems[0].text == "pong" {
			return strings.Join(all, " ")
		}
		all = append(all, v.String())
	}
}

// lockCall is one call of a script, or a plain command if there is no script.
type lockCall struct {
	script string
	keys   []string
	args   []string
}

func (c lockCall) String() string { return fmt.Sprintf("%s %q %q", c.script, c.keys, c.args) }

// command is the EVAL for a call.
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
