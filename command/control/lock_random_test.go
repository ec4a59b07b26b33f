package control_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/locks"
)

// Whatever clients do to the keys of locks, who holds them by the history is who holds them by the keys, and each lock
// is the same in a list and by itself. (SWAPDB and a restore have no events for locks that are held then.)
func TestLock_HistoryAgreesWithKeys(t *testing.T) {
	for seed := range uint64(30) {
		inLockTest(t, func(l *lockTest) {
			r := randomLocks{lockTest: l, Rand: rand.New(rand.NewPCG(seed, 0))}
			for range 4 {
				r.clients = append(r.clients, commandtest.NewClient(l.T, l.env))
			}
			for range 120 {
				r.step()
				synctest.Wait()
				list := l.locks.List("*")
				require.Equal(l.T, byKeys(list), r.byHistory(), "seed %d", seed)
				for i := range list {
					if lock, ok := l.locks.Get(list[i].Name); list[i].DB == 0 {
						require.True(l.T, ok)
						require.Equal(l.T, list[i], lock, "seed %d", seed)
					}
				}
			}
		})
	}
}

// randomLocks are clients that use the same locks.
type randomLocks struct {
	*lockTest
	*rand.Rand
	clients []*commandtest.Client
}

// name returns the name of a lock: also with braces of any kind, and as if it belonged to another lock.
func (r *randomLocks) name() string {
	names := []string{"k", "x", "a{b}", "{b}x", "a:b:c", "with space", "{x}:timeout", "redisson_lock_queue:{x}",
		"", "{}", "{}x", "a{b", "a}b", "{a}b}", "x}:value", "{u}:x:timeout", "{{u}}", "redisson_lock_queue:x",
		"redisson_lock_timeout:{}x", "redisson_lock_queue:{a}b}", "{x}:" + owner(1) + ":rwlock_timeout:1",
		"x:" + owner(1) + ":rwlock_timeout:{x}"}
	return names[r.IntN(len(names))]
}

// undeclared moves a hold from one lock to another. The script reaches keys that it does not declare, so it restarts.
const undeclared = `redis.call('hincrby', ARGV[2], ARGV[1], 1) redis.call('hdel', KEYS[1], ARGV[1])
	redis.call('set', ARGV[3], 1) redis.call('del', ARGV[3])`

// step is what one client does.
func (r *randomLocks) step() {
	c, lock, other, n := r.clients[r.IntN(len(r.clients))], r.name(), r.name(), r.IntN(4)
	do := c.DoStrings
	switch r.IntN(18) {
	case 0, 1, 2:
		take(c, lock, n, 30+r.IntN(3000))
	case 3, 4:
		free(c, lock, n)
	case 5:
		do("MULTI")
		take(c, lock, n, 500)
		free(c, other, n)
		do("EXEC")
	case 6:
		do("EVAL", undeclared, "1", lock, owner(n), other, "elsewhere")
	case 7:
		do("RENAME", lock, other)
	case 8:
		do("COPY", lock, other, "DB", "5", "REPLACE")
	case 9:
		do("MOVE", lock, "5")
	case 10:
		do("DEL", lock)
	case 11:
		do("SELECT", fmt.Sprint(5*r.IntN(2)))
	case 12:
		time.Sleep(time.Duration(r.IntN(800)) * time.Millisecond)
	case 13:
		do([]string{"FLUSHDB", "FLUSHALL", "PING", "PING"}[r.IntN(4)])
	case 14:
		do("HSET", lock, "mode", "read", owner(n), "1")
	case 15:
		do("RPUSH", "redisson_lock_queue:"+other, owner(n))
	case 16:
		do("SET", lock, fmt.Sprint(n), "NX", "PX", "700")
	case 17:
		do("INCR", lock)
	}
}

// held is how many holds an owner has of a lock of a database.
type held map[string]int64

func (h held) set(db int, lock, owner string, holds int64) {
	id := fmt.Sprintf("%d %s %s", db, lock, owner)
	if h[id] = holds; holds == 0 {
		delete(h, id)
	}
}

func (r *randomLocks) byHistory() held {
	h := make(held)
	for _, e := range r.locks.History("") {
		h.set(e.DB, e.Lock, e.Owner, e.Holds)
	}
	return h
}

func byKeys(list []locks.Lock) held {
	h := make(held)
	for _, l := range list {
		for _, holder := range l.Holders {
			h.set(l.DB, l.Name, holder.Owner, holder.Holds)
		}
	}
	return h
}
