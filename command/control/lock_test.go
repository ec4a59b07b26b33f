package control_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/locks"
)

// acquire and release are a lock in the layout of Redisson: the field is the owner, the value the number of holds.
const (
	acquire = `if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
			redis.call('hincrby', KEYS[1], ARGV[2], 1)
			redis.call('pexpire', KEYS[1], ARGV[1])
			return nil
		end
		return redis.call('pttl', KEYS[1])`
	release = `if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then return 0 end
		redis.call('del', KEYS[1])
		redis.call('publish', 'redisson_lock__channel:{' .. KEYS[1] .. '}', '0')
		return 1`
)

// owner returns the name of an owner.
func owner(n int) string { return ownerOf(n, n) }

// ownerOf returns the name of a thread of a client.
func ownerOf(client, thread int) string {
	return fmt.Sprintf("01234567-89ab-cdef-0123-%012x:%d", client, thread)
}

// lockTest is a server with lock history, and its locks.
type lockTest struct {
	*commandtest.Client
	env   *command.Env
	locks *control.Locks

	lastID int64
}

func inLockTest(t *testing.T, f func(*lockTest)) {
	synctest.Test(t, func(t *testing.T) {
		env, _ := commandtest.NewEnv(t)
		c := commandtest.NewClient(t, env)
		c.Want("LOCK.TRACK ON", "OK")
		f(&lockTest{c, env, env.Hooks.(*control.Hooks).Locks, 1})
	})
}

func (l *lockTest) client(name string) *commandtest.Client {
	l.lastID++
	c := commandtest.NewClientID(l.T, l.env, l.lastID)
	c.Want("CLIENT SETNAME "+name, "OK")
	return c
}

// eval runs a script with one key and arguments.
func eval(c *commandtest.Client, script, key string, args ...string) string {
	return c.DoStrings(append([]string{"EVAL", script, "1", key}, args...)...)
}

func take(c *commandtest.Client, lock string, n, lease int) string {
	return eval(c, acquire, lock, fmt.Sprint(lease), owner(n))
}

func free(c *commandtest.Client, lock string, n int) string { return eval(c, release, lock, owner(n)) }

// events returns what has happened to a lock: the type, the owner's number and how many holds are left.
func (l *lockTest) events(lock string) string {
	var list []string
	for _, e := range l.locks.History(lock) {
		_, n, _ := strings.Cut(e.Owner, ":")
		text := fmt.Sprintf("%s %s %d", e.Type, n, e.Holds)
		if e.Lost {
			text += " lost"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func TestLock_History(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		a := l.client("a")
		require.Equal(t, "nil", take(a, "k", 1, 30_000))
		require.Equal(t, "nil", take(a, "k", 1, 30_000))
		require.Equal(t, "0", free(a, "k", 1))
		a.Want("PEXPIRE k 40000", "1")
		require.Equal(t, "1", free(a, "k", 1))
		require.Equal(t, "taken 1 1, re-entered 1 2, released 1 1, renewed 1 1, released 1 0", l.events("k"))

		require.Equal(t, "nil", take(a, "k", 2, 30_000))
		l.Want("DEL k", "1")
		require.Equal(t, "nil", take(a, "k", 3, 30_000))
		l.Want("FLUSHALL", "OK")
		require.Equal(t, "nil", take(a, "k", 4, 100))
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, "nil", take(a, "k", 5, 100))
		a.Session.Close()
		time.Sleep(time.Second)
		synctest.Wait()
		list := l.locks.History("k")
		require.Equal(t, "taken 2 1, forced 2 0, taken 3 1, forced 3 0, taken 4 1, lapsed 4 0 lost, taken 5 1, lapsed 5 0",
			strings.TrimPrefix(l.events("k"), "taken 1 1, re-entered 1 2, released 1 1, renewed 1 1, released 1 0, "))
		require.Equal(t, "a", list[0].Client.Name)
		require.Equal(t, 30*time.Second, list[0].Lease)
		require.Equal(t, 40*time.Second, list[3].Lease)
	})
}

// A transaction that leaves a lock as it was has no event, whatever a script does in between.
func TestLock_HistoryHasWhatIsCommitted(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		a := l.client("a")
		require.Equal(t, "nil", take(a, "k", 1, 30_000))
		undone := `redis.call('del', KEYS[1]) redis.call('set', 'elsewhere', 1) redis.call('hset', KEYS[1], ARGV[1], 1)
			redis.call('pexpire', KEYS[1], 30000)`
		a.DoArgs([]byte("EVAL"), []byte(undone), []byte("1"), []byte("k"), []byte(owner(1)))
		a.Want("MULTI", "OK", "DEL k", "QUEUED", "DISCARD", "OK", "SET other 1", "OK", "HSET h f v", "1")
		require.Equal(t, "taken 1 1", l.events("k"))
		require.Equal(t, 1, len(l.locks.History("")))
	})
}

func TestLock_WaitersAndDeadlocks(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		const n = 3
		var clients, subscribers [n]*commandtest.Client
		for i := range n {
			clients[i], subscribers[i] = l.client(fmt.Sprint("c", i)), l.client(fmt.Sprint("s", i))
			require.Equal(t, "nil", take(clients[i], fmt.Sprint("k", i), i, 30_000))
		}
		l.Want("LOCK.DEADLOCKS", "[]")
		for i := range n {
			next := fmt.Sprint("k", (i+1)%n)
			require.Equal(t, "30000", take(clients[i], next, i, 30_000))
			require.Empty(t, l.locks.Deadlocks())
			subscribers[i].Do(fmt.Sprintf("SUBSCRIBE redisson_lock__channel:{%s}", next))
			require.Equal(t, "30000", take(clients[i], next, i, 30_000))
		}
		want := fmt.Sprintf(`[["owner" %q "holds" "k0" "waits-for" "k1" "db" 0] ["owner" %q "holds" "k1" "waits-for" "k2" `+
			`"db" 0] ["owner" %q "holds" "k2" "waits-for" "k0" "db" 0]]`, owner(0), owner(1), owner(2))
		l.Want("LOCK.DEADLOCKS", "["+want+"]")
		lock, ok := l.locks.Get("k1")
		require.True(t, ok)
		require.Equal(t, owner(1), lock.Holders[0].Owner)
		require.Equal(t, "c1", lock.Holders[0].Client.Name)
		require.Equal(t, 1, len(lock.Waiters))
		require.Equal(t, owner(0), lock.Waiters[0].Owner)
		require.Equal(t, "s0", lock.Waiters[0].Client.Name)

		subscribers[0].Do("UNSUBSCRIBE")
		l.Want("LOCK.DEADLOCKS", "[]", "LOCK.WAITERS k1", "[]")
	})
}

func TestLock_Commands(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		const off = "ERR lock history is off; LOCK.TRACK ON turns it on"
		c.Want("LOCK.HISTORY k", off, "LOCK.WATCH", off, "LOCK.LIST", "[]", "LOCK.HELD", "[]", "LOCK.INFO k", "nil",
			"LOCK.WAITERS k", "[]", "LOCK.LIST a b", "ERR syntax error", "LOCK.TRACK", "ERR wrong number of arguments for "+
				"'lock.track' command", "LOCK.TRACK ON COUNT 0", "ERR COUNT must be between 1 and 10000000",
			"LOCK.TRACK maybe", "ERR syntax error", "LOCK.TRACK ON COUNT 2", "OK", "LOCK.HISTORY k COUNT x",
			"ERR value is not an integer or out of range", "LOCK.HISTORY k", "[]", "LOCK.TRACK OFF", "OK", "LOCK.HISTORY k", off)
		c.Do("HSET order:1 " + owner(7) + " 2")
		c.Do("PEXPIRE order:1 1500")
		held := fmt.Sprintf(`["name" "order:1" "kind" "lock" "lease" 1500 "holders" [["owner" %q "holds" 2 "lease" 1500]] `+
			`"waiters" []]`, owner(7))
		c.Want("LOCK.INFO order:1", held, "LOCK.LIST order:*", "["+held+"]", "LOCK.HELD", "["+held+"]", "LOCK.LIST x*", "[]",
			"SET lease 9f8e7d6c-89ab-cdef-0123-456789abcdef", "OK", "LOCK.INFO lease", "nil",
			"SET lease 9f8e7d6c-89ab-cdef-0123-456789abcdef PX 50", "OK",
			"LOCK.INFO lease", `["name" "lease" "kind" "token" "lease" 50 "holders" [["owner" `+
				`"9f8e7d6c-89ab-cdef-0123-456789abcdef" "holds" 1 "lease" 50]] "waiters" []]`)
	})
}

// A session or a cached value may look like the token of a lock. The history knows that no lock was taken.
func TestLock_StoredValuesAreNoTokens(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		const id = "9f8e7d6c-89ab-cdef-0123-456789abcdef"
		c := l.client("c")
		for _, stored := range []string{"SET a " + id + " EX 60", "SETEX a 60 " + id, "PSETEX a 60000 " + id} {
			require.Equal(t, "OK", c.Do(stored))
			c.Want("LOCK.LIST", "[]", "LOCK.INFO a", "nil", "DEL a", "1")
		}
		taken := func() bool { return strings.Contains(c.Do("LOCK.HELD"), `"name" "a" "kind" "token"`) }
		require.Equal(t, "OK", c.Do("SET a "+id+" NX EX 60"))
		require.True(t, taken())
		require.Equal(t, "OK", c.Do("SET a "+id+" XX EX 90"))
		require.True(t, taken(), "an extended lease")
		require.Equal(t, "OK", c.Do("SET a "+id+" EX 60"))
		require.False(t, taken())
		require.Equal(t, "1", c.Do("DEL a"))
		const script = "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 60000)"
		require.Equal(t, "OK", c.DoArgs([]byte("EVAL"), []byte(script), []byte("1"), []byte("a"), []byte(id)))
		require.True(t, taken(), "by a script")
		l.locks.Track(0)
		c.Do("SET a " + id + " EX 60")
		require.True(t, taken(), "without history it looks like one")
	})
}

func TestLock_AllDatabases(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		lock := func(name string, more string) string {
			return fmt.Sprintf(`["name" %q "kind" "lock" "lease" 1500 "holders" [["owner" %q "holds" 1 "lease" 1500]] `+
				`"waiters" []%s]`, name, owner(7), more)
		}
		for _, db := range []string{"0", "3"} {
			c.Do("SELECT " + db)
			c.Do("HSET order:" + db + " " + owner(7) + " 1")
			c.Do("PEXPIRE order:" + db + " 1500")
		}
		c.Want("LOCK.HELD", "["+lock("order:3", "")+"]",
			"LOCK.HELD * ALLDBS", "["+lock("order:0", ` "db" 0`)+" "+lock("order:3", ` "db" 3`)+"]",
			"LOCK.LIST *:0 alldbs", "["+lock("order:0", ` "db" 0`)+"]",
			"LOCK.LIST * all", "ERR syntax error", "LOCK.LIST * ALLDBS *", "ERR syntax error")
	})
}

func TestLock_Watch(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		watcher := l.client("w")
		watcher.Want("LOCK.WATCH order:*", `["psubscribe" "__lock@*__:order:*" 1]`)
		var seen []locks.EventType
		stop := l.locks.Watch(func(e locks.Event) { seen = append(seen, e.Type) })
		a := l.client("a")
		take(a, "order:1", 1, 30_000)
		take(a, "other", 1, 30_000)
		free(a, "order:1", 1)
		synctest.Wait()
		stop()
		require.Equal(t, []locks.EventType{locks.Taken, locks.Taken, locks.Released}, seen)
		require.Equal(t, 2, len(watcher.Pushes()))
		take(a, "order:1", 1, 30_000)
		require.Contains(t, watcher.Pushes()[0], `\"event\":\"taken\"`)
	})
}

// Rules for keys and channels hold for locks and their events.
func TestLock_ACL(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		const noKey = "NOPERM No permissions to access a key"
		const noChannel = "NOPERM No permissions to access a channel"
		l.Want("ACL SETUSER u on nopass ~order:* &__lock@*__:order:* +@all", "OK")
		u := l.client("u")
		u.Want("AUTH u x", "OK", "LOCK.HISTORY order:1", "[]", "LOCK.HISTORY k", noKey, "LOCK.INFO order:1", "nil",
			"LOCK.INFO k", noKey, "LOCK.WATCH", noChannel, "LOCK.WATCH order:* x", noChannel,
			"LOCK.WATCH order:*", `["psubscribe" "__lock@*__:order:*" 1]`)
		require.Contains(t, l.Do("ACL LOG 1"), `"channel" "context" "toplevel" "object" "__lock@*__:x"`)
	})
}

// The history keeps its last events; what was held when it began is known, without events.
func TestLock_Track(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		a := l.client("a")
		take(a, "k", 1, 30_000)
		l.Want("LOCK.TRACK ON COUNT 2", "OK", "LOCK.HISTORY k", "[]")
		free(a, "k", 1)
		require.Equal(t, "released 1 0", l.events("k"))
		take(a, "k", 2, 30_000)
		free(a, "k", 2)
		require.Equal(t, "taken 2 1, released 2 0", l.events("k"))
		require.Contains(t, l.Do("LOCK.HISTORY k COUNT 1"), `"event" "released"`)
	})
}
