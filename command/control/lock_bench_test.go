package control_test

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/internal/require"
)

// BenchmarkLock_Cycle takes and releases a lock, with history off and on.
func BenchmarkLock_Cycle(b *testing.B) {
	for _, history := range []bool{false, true} {
		b.Run(fmt.Sprintf("history=%v", history), func(b *testing.B) {
			env, _ := commandtest.NewEnv(b)
			c := commandtest.NewClient(b, env)
			if history {
				c.Want("LOCK.TRACK ON", "OK")
			}
			taken := [][]byte{[]byte("EVAL"), []byte(acquire), []byte("1"), []byte("k"), []byte("30000"), []byte(owner(1))}
			freed := [][]byte{[]byte("EVAL"), []byte(release), []byte("1"), []byte("k"), []byte(owner(1))}
			b.ReportAllocs()
			for b.Loop() {
				c.Session.Out = c.Session.Out[:0]
				c.Session.Serve(taken)
				c.Session.Serve(freed)
			}
		})
	}
}

// BenchmarkLock_List lists 10,000 locks, for 1,000 of which a client waits.
func BenchmarkLock_List(b *testing.B) {
	env, _ := commandtest.NewEnv(b)
	c := commandtest.NewClient(b, env)
	c.Want("LOCK.TRACK ON", "OK")
	const held, waited = 10_000, 1_000
	for i := range held {
		take(c, fmt.Sprint("k", i), i, 30_000)
	}
	for i := range waited {
		w := commandtest.NewClient(b, env)
		w.Do(fmt.Sprintf("SUBSCRIBE redisson_lock__channel:{k%d}", i))
		take(c, fmt.Sprint("k", i), held+i, 30_000)
	}
	view := env.Hooks.(*control.Hooks).Locks
	for b.Loop() {
		require.Equal(b, held, len(view.List("*")))
	}
}
