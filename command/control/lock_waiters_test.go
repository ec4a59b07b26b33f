package control_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/locks"
)

// try is one attempt to take a lock.
func (l *lockTest) try(lock, owner string) { eval(l.Client, acquire, lock, "30000", owner) }

// wait makes an owner wait for a lock that is held: it tries, its client subscribes, and it tries again.
func (l *lockTest) wait(s *commandtest.Client, lock, owner string) {
	l.try(lock, owner)
	s.Do("SUBSCRIBE redisson_lock__channel:" + braced(lock))
	l.try(lock, owner)
}

func braced(lock string) string {
	if lock[0] == '{' {
		return lock
	}
	return "{" + lock + "}"
}

// waiters are the owners that wait for a lock, with the names of their connections.
func (l *lockTest) waiters(lock string) (list []string) {
	found, _ := l.locks.Get(lock)
	for _, w := range found.Waiters {
		list = append(list, w.Owner+" "+w.Client.Name)
	}
	return list
}

// Which subscription is that of which client: one that waits alone tells it for sure, and so for later locks.
func TestLock_SubscriptionsOfClients(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		l.try("k", ownerOf(9, 1))
		l.try("k", ownerOf(1, 1))
		l.try("k", ownerOf(2, 1))
		a, b := l.client("a"), l.client("b")
		a.Do("SUBSCRIBE redisson_lock__channel:{k}")
		l.try("k", ownerOf(7, 1)) // as TryLock does: it does not wait
		b.Do("SUBSCRIBE redisson_lock__channel:{k}")
		l.try("k", ownerOf(2, 1))
		l.try("k", ownerOf(1, 1))
		require.Equal(t, []string{ownerOf(2, 1) + " a", ownerOf(1, 1) + " b"}, l.waiters("k"))

		l.try("other", ownerOf(9, 1))
		l.wait(b, "other", ownerOf(2, 1)) // so b is certainly the second client's
		a.Do("UNSUBSCRIBE")
		b.Do("UNSUBSCRIBE")
		l.try("k", ownerOf(1, 1))
		l.try("k", ownerOf(2, 1))
		b.Do("SUBSCRIBE redisson_lock__channel:{k}")
		a.Do("SUBSCRIBE redisson_lock__channel:{k}")
		l.try("k", ownerOf(1, 1))
		l.try("k", ownerOf(2, 1))
		require.Equal(t, []string{ownerOf(2, 1) + " b", ownerOf(1, 1) + " a"}, l.waiters("k"))
	})
}

// A client that polls, and seems to have the subscription of another one, does not hide that for long.
func TestLock_PollingClient(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		s := l.client("s")
		for i := range 3 {
			lock := fmt.Sprint("k", i)
			l.try(lock, ownerOf(9, 1))
			if i == 0 {
				l.try(lock, ownerOf(7, 1)) // polls
			}
			l.try(lock, ownerOf(1, 1))
			s.Do("SUBSCRIBE redisson_lock__channel:" + braced(lock))
			if i == 0 {
				l.try(lock, ownerOf(7, 1))
			}
			l.try(lock, ownerOf(1, 1))
		}
		require.Equal(t, []string{ownerOf(1, 1) + " s"}, l.waiters("k1"))
		require.Equal(t, []string{ownerOf(1, 1) + " s"}, l.waiters("k2"))
	})
}

// An owner whose client has unsubscribed does not wait any more, also if the client subscribes again for another one.
func TestLock_WaitsOnceMore(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		l.try("k", ownerOf(2, 1))
		one, two := l.client("one"), l.client("two")
		l.wait(one, "k", ownerOf(1, 1))
		one.Do("UNSUBSCRIBE")
		l.try("other", ownerOf(1, 1))
		l.wait(two, "other", ownerOf(2, 1))
		time.Sleep(time.Second)
		l.wait(one, "k", ownerOf(1, 3))
		require.Equal(t, []string{ownerOf(1, 3) + " one"}, l.waiters("k"))
		require.Empty(t, l.locks.Deadlocks())

		now := time.Now()
		l.wait(one, "k", ownerOf(1, 1))
		lock, _ := l.locks.Get("k")
		require.Equal(t, 2, len(lock.Waiters))
		require.True(t, now.Equal(lock.Waiters[0].Since) && now.Equal(lock.Waiters[1].Since))
		require.Equal(t, 1, len(l.locks.Deadlocks()))
	})
}

// Since when an owner waits in the queue of a fair lock is the last time that it has entered it.
func TestLock_FairWaitsOnceMore(t *testing.T) {
	const enter = `if redis.call('exists', KEYS[1]) == 0 then
			redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 999999999) return nil
		end
		redis.call('rpush', KEYS[2], ARGV[1])
		return redis.call('pttl', KEYS[1])`
	inLockTest(t, func(l *lockTest) {
		try := func(n int) {
			l.DoStrings("EVAL", enter, "2", "k", "redisson_lock_queue:{k}", owner(n))
		}
		try(1)
		try(2)
		time.Sleep(time.Second)
		l.Want("LREM redisson_lock_queue:{k} 0 "+owner(2), "1")
		time.Sleep(time.Second)
		now := time.Now()
		try(2)
		lock, _ := l.locks.Get("k")
		require.Equal(t, 1, len(lock.Waiters))
		require.True(t, now.Equal(lock.Waiters[0].Since))
	})
}

// The name of a lock may itself be in braces: then its companions have the names of those of the lock without them.
func TestLock_NameInBraces(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		l.try("{k}", owner(1))
		l.wait(l.client("s"), "{k}", owner(2))
		require.Equal(t, []string{owner(2) + " s"}, l.waiters("{k}"))
		for _, name := range []string{"p", "{p}", "{x}:p"} {
			timeout := name + ":timeout"
			if name == "p" {
				timeout = "{p}:timeout"
			}
			l.Want("DEL "+timeout, "0", "SET "+name+" 5", "OK", "ZADD "+timeout+" 2000000000000 0123456789abcdef", "1",
				"ZADD "+timeout+" 2000000030000 0123456789abcdef", "0", "DEL "+timeout, "1", "DEL "+name, "1")
			var events []locks.EventType
			for _, e := range l.locks.History(name) {
				events = append(events, e.Type)
			}
			require.Equal(t, []locks.EventType{locks.Taken, locks.Renewed, locks.Released}, events, name)
		}
	})
}

// A reader whose own lease has ended is there until the lock is gone, and has not renewed it.
func TestLock_ReaderLapses(t *testing.T) {
	const read = `redis.call('hset', KEYS[1], 'mode', 'read') redis.call('hincrby', KEYS[1], ARGV[2], 1)
		redis.call('set', KEYS[2] .. ':1', 1, 'px', ARGV[1])
		redis.call('pexpire', KEYS[1], math.max(redis.call('pttl', KEYS[1]), ARGV[1]))`
	inLockTest(t, func(l *lockTest) {
		for i, lease := range []string{"1000", "30000"} {
			o := owner(i + 1)
			l.DoStrings("EVAL", read, "2", "rw", "{rw}:"+o+":rwlock_timeout", lease, o)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, "taken 1 1, taken 2 1, lapsed 1 0 lost, lapsed 2 0 lost", l.events("rw"))
	})
}

// Each value of a faster multi lock has a lease of its own.
func TestLock_FasterMultiLapses(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		at := time.Now().Add(time.Second).UnixMilli()
		fields := func(n int) string { return fmt.Sprintf("type %s type:%s:expire_time %d", owner(n), owner(n), at) }
		l.Do("HSET g " + fields(1))
		l.Do("PEXPIRE g 30000")
		time.Sleep(2 * time.Second)
		l.Do("HSET g " + fields(2))
		require.Equal(t, "taken 1 1, lapsed 1 0 lost, taken 2 1", l.events("g"))
	})
}

// A number that SET has stored with NX and an expiry is a token until it counts.
func TestLock_CountersAreNoTokens(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		l.Want("SET hits 0 NX EX 60", "OK", "SET config v0 NX EX 60", "OK")
		require.Equal(t, 2, len(l.locks.Held()))
		l.Want("INCR hits", "1", "INCR hits", "2", "SET config v1", "OK")
		require.Empty(t, l.locks.Held())
		l.Want("LOCK.HISTORY ''", "[]")
	})
}

// However many wait for each other, each of them is in one cycle or a few; one alone may wait for itself.
func TestLock_DeadlocksOfMany(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		const n = 100
		upgrade := func(lock string, thread int) {
			eval(l.Client, "return redis.call('pttl', KEYS[1])", lock, "30000", ownerOf(1, thread)+":write")
		}
		s := l.client("s")
		s.Do("SUBSCRIBE redisson_rwlock:{many} redisson_rwlock:{one}")
		l.Do("HSET one mode read " + ownerOf(1, n) + " 1")
		for thread := range n {
			l.Do("HSET many mode read " + ownerOf(1, thread) + " 1")
		}
		for thread := range n {
			upgrade("many", thread)
			upgrade("many", thread)
		}
		members := make(map[string]bool)
		list := l.locks.Deadlocks()
		for _, cycle := range list {
			require.Equal(t, 2, len(cycle))
			members[cycle[0].Owner], members[cycle[1].Owner] = true, true
		}
		require.Equal(t, n, len(members))
		require.LessOrEqual(t, len(list), n)

		upgrade("one", n)
		upgrade("one", n)
		require.Contains(t, l.locks.Deadlocks(), locks.Deadlock{{Owner: ownerOf(1, n), Lock: "one", Held: "one"}})
	})
}
