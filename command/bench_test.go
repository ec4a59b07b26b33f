package command_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/emulate"
)

// A reentrant lock with the data layout that Redisson uses: a hash with a count for each holder.
const (
	acquireScript = `if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
		redis.call('hincrby', KEYS[1], ARGV[2], 1)
		redis.call('pexpire', KEYS[1], ARGV[1])
		return nil
	end
	return redis.call('pttl', KEYS[1])`
	releaseScript = `if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end
	if redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 then
		redis.call('pexpire', KEYS[1], ARGV[1])
		return 0
	end
	redis.call('del', KEYS[1])
	redis.call('publish', KEYS[2], '0')
	return 1`
)

// benchEnv is a server without connections.
func benchEnv(b *testing.B) *command.Env {
	env := command.NewEnv(command.Options{Table: catalog.Table(emulate.Named("")), Clock: clock.NewOffset(clock.Real{})})
	b.Cleanup(env.Close)
	return env
}

// locker is a session that takes and gives back one lock.
type locker struct {
	session          *command.Session
	acquire, release [][]byte
}

// lockers numbers their sessions.
var lockers atomic.Int64

func newLocker(env *command.Env, name string) *locker {
	words := func(ws ...string) (out [][]byte) {
		for _, w := range ws {
			out = append(out, []byte(w))
		}
		return out
	}
	load := func(source string) string {
		script, err := env.Scripts.Load([]byte(source))
		if err != nil {
			panic(err)
		}
		return script.SHA
	}
	return &locker{
		session: command.NewSession(env, lockers.Add(1), "", "", new(commandtest.Client)),
		acquire: words("EVALSHA", load(acquireScript), "1", name, "30000", "285475da-9152-4c83-822a-67ee2f116a79:52"),
		release: words("EVALSHA", load(releaseScript), "2", name, "redisson_lock__channel:{"+name+"}", "30000",
			"285475da-9152-4c83-822a-67ee2f116a79:52"),
	}
}

func (l *locker) run() {
	l.session.Out = l.session.Out[:0]
	l.session.Serve(l.acquire)
	l.session.Serve(l.release)
}

// BenchmarkScripts is acquire and release together, by EVALSHA: an operation is two scripts.
func BenchmarkScripts(b *testing.B) {
	env := benchEnv(b)
	l := newLocker(env, "myLock")
	b.ReportAllocs()
	for b.Loop() {
		l.run()
	}
	if got := string(l.session.Out); got != "$-1\r\n:1\r\n" {
		b.Fatalf("replies: %q", got)
	}
}

// BenchmarkScripts_Parallel runs them on a lock a goroutine: see it with -cpu 1,2.
func BenchmarkScripts_Parallel(b *testing.B) {
	env := benchEnv(b)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		l := newLocker(env, fmt.Sprintf("lock-%p", pb))
		for pb.Next() {
			l.run()
		}
	})
}

func BenchmarkCommands(b *testing.B) {
	for _, line := range [][]string{{"PING"}, {"SET", "k", "v"}, {"GET", "k"}, {"HINCRBY", "h", "f", "1"},
		{"PEXPIRE", "h", "30000"}, {"PUBLISH", "ch", "hello"}} {
		b.Run(line[0], func(b *testing.B) {
			s := command.NewSession(benchEnv(b), 1, "", "", new(commandtest.Client))
			var args [][]byte
			for _, w := range line {
				args = append(args, []byte(w))
			}
			b.ReportAllocs()
			for b.Loop() {
				s.Out = s.Out[:0]
				s.Serve(args)
			}
		})
	}
}
