package control_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/locks"
)

// A name may be used for one kind of lock after the other: the kind is that of the lock that is held now.
func TestLock_KindOfTheLockThatIsHeld(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		kind := func() locks.Kind {
			lock, _ := l.locks.Get("k")
			return lock.Kind
		}
		l.DoStrings("EVAL", acquire, "2", "k", "redisson_lock_queue:{k}", "30000", owner(1))
		require.Equal(t, locks.Fair, kind())
		free(l.Client, "k", 1)
		take(l.Client, "k", 1, 30_000)
		require.Equal(t, locks.Plain, kind())
		l.Want("SET k 1 NX PX 1000", "nil")
		require.Equal(t, locks.Plain, kind())
		l.Want("FLUSHALL", "OK", "HSET k mode read "+owner(1)+" 1", "2")
		require.Equal(t, locks.ReadWrite, kind())
		l.Want("DEL k", "1", "SET k 1 NX PX 1000", "OK") // a number is a token if it has been taken as one
		require.Equal(t, locks.Token, kind())
		require.Equal(t, 1, len(l.locks.Held()))
		l.Want("DEL k", "1", "SET k 5", "OK", "LOCK.INFO k", "nil")
	})
}

// A hash that claims more holds of readers than a lock can have is no lock: each would have a key of its own.
func TestLock_HoldsOfReaders(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		l.Want(fmt.Sprintf("HSET rw mode read %s 9000000000000000000", owner(1)), "2", "LOCK.LIST", "[]")
		l.Want("LOCK.INFO rw", "nil")
		l.Want(fmt.Sprintf("HSET rw %s 20000", owner(1)), "0")
		require.Equal(t, "taken 1 20000", l.events("rw"))
	})
}

// An owner that fails twice to take a lock waits if its client subscribes. One that fails to release or to renew it
// does not.
func TestLock_WhoWaits(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		take(l.Client, "k", 1, 30_000)
		l.client("s").Do("SUBSCRIBE redisson_lock__channel:{k}")
		try := func(script string, keys ...string) bool {
			args := append([]string{"EVAL", script, fmt.Sprint(len(keys))}, keys...)
			l.DoStrings(append(args, "30000", owner(2))...)
			return strings.Contains(l.Do("LOCK.WAITERS k"), owner(2))
		}
		for range 2 {
			require.False(t, try("return nil", "k"))
			require.False(t, try("return 0", "k"))
			require.False(t, try("return {0}", "k"))
			require.False(t, try("return 1", "k", "redisson_lock__channel:{k}", "redisson_unlock_latch:{k}:1"))
		}
		const fenced = "return {redis.call('pttl', KEYS[1]), -1}"
		require.False(t, try(fenced, "k")) // as TryLock of a client of which another thread waits
		require.True(t, try(fenced, "k"))
	})
}

// Two readers that both want to write wait for each other, although both hold the lock.
func TestLock_DeadlockOfReaders(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		l.Do(fmt.Sprintf("HSET rw mode read %s 1 %s 1", owner(1), owner(2)))
		for i, c := range []*commandtest.Client{l.client("a"), l.client("b")} {
			upgrade := func() { eval(l.Client, "return redis.call('pttl', KEYS[1])", "rw", "30000", owner(i+1)+":write") }
			upgrade()
			c.Do("SUBSCRIBE redisson_rwlock:{rw}")
			upgrade()
		}
		require.Equal(t, []locks.Deadlock{{{Owner: owner(1), Lock: "rw", Held: "rw"},
			{Owner: owner(2), Lock: "rw", Held: "rw"}}}, l.locks.Deadlocks())
	})
}

// The owner of a lock may release it by any connection, and within MULTI.
func TestLock_ReleasedInMulti(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		take(l.client("a"), "k", 1, 30_000)
		b := l.client("b")
		b.Do("MULTI")
		free(b, "k", 1)
		b.Do("EXEC")
		require.Equal(t, "taken 1 1, released 1 0", l.events("k"))
	})
}
