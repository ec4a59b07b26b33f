package control_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// wantAwaited asserts the replies of commands that work in the background; lines and replies come in turn.
func wantAwaited(t *testing.T, c *commandtest.BubbleClient, linesAndReplies ...string) {
	t.Helper()
	for i := 0; i+1 < len(linesAndReplies); i += 2 {
		require.Equal(t, linesAndReplies[i+1], await(t, c, linesAndReplies[i]), linesAndReplies[i])
	}
}

// resumed runs the call of a client that was stopped before it ran, and returns the reply.
func resumed(c *commandtest.Client) string {
	c.T.Helper()
	synctest.Wait()
	require.True(c.T, c.Session.CanResume())
	c.Session.Resume(func() {})
	reply, _ := commandtest.Readable(string(c.Session.Out))
	return reply
}

// dumpOf returns what TEST.DUMP replies, without the quotes of Do.
func dumpOf(t *testing.T, c *commandtest.BubbleClient) string {
	t.Helper()
	text := strings.Trim(await(t, c, "TEST.DUMP"), `"`)
	return strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(text)
}

func TestState_Restore(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		start := c.Clock.Now()
		c.Want("SET lock me PX 30000", "OK", "HSET h f v", "1", "SELECT 3", "OK", "RPUSH list a b", "2")
		wantAwaited(t, c, "TEST.SNAPSHOT base", "OK")
		before := dumpOf(t, c)
		await(t, c, "CLOCK.ADVANCE 29999")
		c.Want("DEL list", "1", "SELECT 0", "OK", "PTTL lock", "1", "SET other 1", "OK", "HSET h f w g x", "1")
		for range 2 {
			c.TakeEvents()
			wantAwaited(t, c, "TEST.RESTORE base", "OK")
			require.Empty(t, c.TakeEvents())
			require.Equal(t, start, c.Clock.Now(), "the clock shows the time of the snapshot")
			require.Equal(t, before, dumpOf(t, c))
			c.Want("PTTL lock", "30000", "EXISTS other", "0")
			await(t, c, "CLOCK.ADVANCE 30000")
			require.Equal(t, []string{"expired lock"}, c.TakeEvents())
		}
		c.Want("TEST.RESTORE nosuch", "ERR no snapshot 'nosuch'", "TEST.RESET all",
			"ERR TEST.RESET only supports the CLIENTS option")
		wantAwaited(t, c, "TEST.CHECK", "OK")
	})
}

func TestState_Restore_TheClock(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		await(t, c, "CLOCK.SPEED 2")
		await(t, c, "CLOCK.FREEZE")
		frozen := c.Clock.Now()
		wantAwaited(t, c, "TEST.SNAPSHOT frozen", "OK", "TEST.RESET", "OK")
		time.Sleep(time.Second)
		require.Equal(t, time.Now().UnixNano(), c.Clock.Now().UnixNano(), "real time, at the speed of it")
		wantAwaited(t, c, "TEST.RESTORE frozen", "OK")
		time.Sleep(time.Second)
		require.Equal(t, frozen, c.Clock.Now())
		await(t, c, "CLOCK.RESUME")
		time.Sleep(time.Second)
		require.Equal(t, frozen.Add(2*time.Second), c.Clock.Now())
	})
}

func TestState_RestoreAndReset_EachPart(t *testing.T) {
	const library = "#!lua name=lib\nredis.register_function('f', function() return 1 end)"
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		missing := []string{
			"CONFIG GET maxmemory", `["maxmemory" "0"]`,
			"ACL USERS", `["default"]`,
			"SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "[0]",
			"FUNCTION LIST", "[]",
			"FAULT.LIST", "[]",
			"GET k", "nil",
		}
		c.Want(missing...)
		c.Want("CONFIG SET maxmemory 100mb maxmemory-policy allkeys-lru", "OK", "ACL SETUSER bob on >secret +get ~*", "OK",
			"FAULT.ADD COMMAND get KEY never* THEN CLOSE", "1", "SET k v", "OK")
		require.Equal(t, `"e0e1f9fabfc9d4800c877a703b823ac0578ff8db"`, c.DoArgs([]byte("SCRIPT"), []byte("LOAD"),
			[]byte("return 1")))
		require.Equal(t, `"lib"`, c.DoArgs([]byte("FUNCTION"), []byte("LOAD"),
			[]byte(library)))
		there := make([]string, 0, len(missing))
		for i := 0; i < len(missing); i += 2 {
			reply := c.Do(missing[i])
			require.NotEqual(t, missing[i+1], reply, missing[i])
			there = append(there, missing[i], reply)
		}
		wantAwaited(t, c, "TEST.SNAPSHOT full", "OK", "TEST.RESET", "OK")
		c.Want(missing...)
		wantAwaited(t, c, "TEST.SNAPSHOT empty", "OK", "TEST.RESTORE full", "OK")
		c.Want(there...)
		c.Want("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0", "1", "FCALL f 0", "1", "AUTH bob secret", "OK",
			"AUTH default ''", "OK")
		wantAwaited(t, c, "TEST.RESTORE empty", "OK")
		c.Want(missing...)
	})
}

func TestState_Restore_FaultsWithTheirCounters(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND get NTH 2 THEN ERROR second", "1", "GET k", "nil")
		wantAwaited(t, c, "TEST.SNAPSHOT s", "OK")
		for range 2 {
			c.Want("FAULT.HITS 1", "0", "GET k", "second",
				"GET k", "nil", "FAULT.HITS 1", "1", "FAULT.ADD COMMAND set THEN ERROR set", "2", "SET k v", "set")
			wantAwaited(t, c, "TEST.RESTORE s", "OK")
		}
		c.Want("SET k v", "OK")
	})
}

// A call that a rule lets hang goes on hanging if the rule was saved, and runs if it was not.
func TestState_Restore_CallsThatHang(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		hangs := func(rule, line string) *commandtest.Client {
			c.Do(rule)
			other := commandtest.NewClient(c.T, c.Env)
			other.Want(line, "")
			return other
		}
		saved := hangs("FAULT.ADD COMMAND get THEN HANG", "GET k")
		wantAwaited(t, c, "TEST.SNAPSHOT s", "OK")
		later := hangs("FAULT.ADD COMMAND llen THEN HANG", "LLEN k")
		wantAwaited(t, c, "TEST.RESTORE s", "OK")
		require.True(t, saved.Session.Blocked())
		require.Equal(t, "0", resumed(later))
		wantAwaited(t, c, "TEST.RESET", "OK")
		require.Equal(t, "nil", resumed(saved))
	})
}

func TestState_Restore_Clients(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("RPUSH full x", "1")
		wantAwaited(t, c, "TEST.SNAPSHOT s", "OK", "TEST.RESET", "OK")

		blocked, watching, caching := commandtest.NewClient(c.T, c.Env), commandtest.NewClient(c.T, c.Env),
			commandtest.NewClient(c.T, c.Env)
		blocked.Want("CLIENT SETNAME worker", "OK", "SELECT 0", "OK", "BLPOP empty full 10", "")
		watching.Want("WATCH full", "OK", "MULTI", "OK", "PING", "QUEUED")
		caching.Do("HELLO 3")
		caching.Want("CLIENT TRACKING ON", "OK", "GET other", "nil")
		commandtest.NewClient(c.T, c.Env).Do("SUBSCRIBE ch")
		wantAwaited(t, c, "TEST.RESET", "OK")
		require.True(t, blocked.Session.Blocked(), "there is nothing for it")
		caching.Session.FlushAllPushes()
		require.Equal(t, []string{`["invalidate" nil]`}, caching.Pushes())

		wantAwaited(t, c, "TEST.RESTORE s", "OK")
		require.Equal(t, `["full" "x"]`, blocked.Delivered())
		blocked.Want("CLIENT GETNAME", `"worker"`)
		watching.Want("EXEC", "nil-array")
		c.Want("PUBLISH ch hello", "1", "EXISTS full", "0")
	})
}

// The timeout of a blocked call is a time on the server's clock, as after CLOCK.SET.
func TestState_Restore_BlockingTimeouts(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		wantAwaited(t, c, "TEST.SNAPSHOT s", "OK")
		await(t, c, "CLOCK.ADVANCE 5000")
		other := commandtest.NewClient(c.T, c.Env)
		other.Want("BLPOP q 10", "")
		wantAwaited(t, c, "TEST.RESTORE s", "OK")
		await(t, c, "CLOCK.ADVANCE 14999")
		require.True(t, other.Session.Blocked())
		c.Want("CLOCK.ADVANCE 1", "")
		synctest.Wait()
		require.Equal(t, "nil-array", other.Delivered())
		synctest.Wait()
		c.Delivered()
	})
}

func TestState_Reset_EndsAPause(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("CLIENT PAUSE 100000", "OK")
		other := commandtest.NewClient(c.T, c.Env)
		other.Want("SET k v", "")
		wantAwaited(t, c, "TEST.RESET", "OK")
		require.Equal(t, "OK", resumed(other))
		c.Want("GET k", `"v"`)
	})
}

func TestState_Reset_Clients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env, _ := commandtest.NewEnv(t)
		clients := commandtest.Connect(t, env, 3)
		clients[1].Want("TEST.RESET CLIENTS", "")
		synctest.Wait()
		require.Equal(t, "OK", clients[1].Delivered())
		for i, c := range clients {
			require.Equal(t, i != 1, c.Session.Killed())
		}
	})
}

func TestState_Dump(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		require.Empty(t, dumpOf(t, c))
		await(t, c, "CLOCK.FREEZE")
		await(t, c, "CLOCK.SET 1800000000000")
		c.Want("SET text hello PX 30000", "OK", "RPUSH list b a", "2", "SADD set b a", "2", "ZADD z 2 a 1.5 b", "2",
			"HSET h f2 v f1 v", "2", "HPEXPIRE h 500 FIELDS 1 f2", "[1]", "SELECT 2", "OK", "XADD s 1-1 a b c d", `"1-1"`,
			"XGROUP CREATE s g 0", "OK", "XREADGROUP GROUP g c STREAMS s >", `[["s" [["1-1" ["a" "b" "c" "d"]]]]]`)
		c.DoArgs([]byte("SET"), []byte("bin\x00\xff"), []byte("line\n\"quoted\"\x01"))
		require.Equal(t, `# database 0

"h" hash
  "f1" "v"
  "f2" "v" expires 1800000000500

"list" list
  "b"
  "a"

"set" set
  "a"
  "b"

"text" string expires 1800000030000
  "hello"

"z" zset
  1.5 "b"
  2 "a"

# database 2

"bin\x00\xff" string
  "line\n\"quoted\"\x01"

"s" stream last 1-1 added 1 deleted 0-0
  1-1 "a" "b" "c" "d"
  group "g" last 1-1 read 1
    consumer "c" seen 1800000000000
      pending 1-1 delivered 1800000000000 count 1
`, dumpOf(t, c))
	})
}

// A client that is just leaving is no violation; one that never leaves is.
func TestState_Check(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		other := commandtest.NewClient(c.T, c.Env)
		other.Want("BLPOP q 0", "")
		c.Want("SET k v PX 10000", "OK", "HSET h f v", "1", "HPEXPIRE h 5000 FIELDS 1 f", "[1]")
		wantAwaited(t, c, "TEST.CHECK", "OK")

		gone := &store.Waiter{Kind: (*store.List)(nil), Done: func() bool { return true }}
		tx := c.Env.Store.NewTx()
		tx.Do(store.All, false, func() { tx.Await(gone, [][]byte{[]byte("q")}) }, func() {})
		c.Want("TEST.CHECK", "")
		time.Sleep(10 * time.Second)
		require.Contains(t, c.Delivered(), "ERR minilockd is at fault: store: shard ")
		c.Env.Store.StopCounting(gone)

		c.Want("TEST.CHECK", "")
		time.Sleep(100 * time.Millisecond)
		require.False(t, c.Session.CanResume())
		c.Env.Store.Leave(gone)
		time.Sleep(time.Second)
		require.Equal(t, "OK", c.Delivered())
	})
}

func TestState_NotWithinScriptsOrMulti(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("MULTI", "OK", "TEST.RESET", "ERR Command not allowed inside a transaction", "DISCARD", "OK")
		require.Contains(t, c.DoArgs([]byte("EVAL"), []byte("return redis.call('TEST.RESET')"), []byte("0")),
			"not allowed from script")
	})
}

// The history of locks goes back with the locks, and a lease that was saved lapses again.
func TestState_Restore_HistoryOfLocks(t *testing.T) {
	inLockTest(t, func(l *lockTest) {
		c := &commandtest.BubbleClient{Client: l.Client, Env: l.env}
		l.Want("LOCK.TRACK OFF", "OK")
		wantAwaited(t, c, "TEST.SNAPSHOT off", "OK")
		l.Want("LOCK.TRACK ON", "OK")
		take(c.Client, "k", 1, 30_000)
		wantAwaited(t, c, "TEST.SNAPSHOT held", "OK")
		for range 2 {
			await(t, c, "CLOCK.ADVANCE 30000")
			require.Equal(t, "taken 1 1, lapsed 1 0 lost", l.events("k"))
			wantAwaited(t, c, "TEST.RESTORE held", "OK")
			require.Equal(t, "taken 1 1", l.events("k"))
		}
		wantAwaited(t, c, "TEST.RESET", "OK")
		require.Empty(t, l.events(""))
		take(c.Client, "k", 2, 30_000)
		require.Equal(t, "taken 2 1", l.events("k"))
		wantAwaited(t, c, "TEST.RESTORE off", "OK")
		require.False(t, l.locks.Tracked())
	})
}
