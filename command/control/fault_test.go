package control_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestFault_RulesAreListedAndCounted(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"FAULT.LIST", "[]",
			"FAULT.ADD COMMAND set KEY o* NTH 2 THEN ERROR READONLY", "1",
			"FAULT.ADD COMMAND get THEN ERROR busy", "2",
			"SET o 1", "OK", "SET p 1", "OK",
			"SET o 2", "READONLY You can't write against a read only replica.",
			"SET o 3", "OK",
			"GET o", "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
			"FAULT.HITS 1", "1", "FAULT.HITS 3", "ERR no rule with that id",
			"FAULT.LIST", `[["id" 1 "rule" "COMMAND set KEY o* NTH 2 THEN ERROR \"READONLY You can't write against a read `+
				`only replica.\"" "matches" 3 "hits" 1] ["id" 2 "rule" "COMMAND get THEN ERROR \"BUSY Redis is busy running `+
				`a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\"" "matches" 1 "hits" 1]]`,
			"FAULT.REMOVE 2", "1", "FAULT.REMOVE 2", "0", "GET o", `"3"`,
			"FAULT.CLEAR", "1", "FAULT.CLEAR", "0",
		)
	})
}

// An error within MULTI discards the transaction, as every error at that time does.
func TestFault_ErrorWithinMulti(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND set THEN ERROR OOM", "1", "MULTI", "OK",
			"SET k v", "OOM command not allowed when used memory > 'maxmemory'.",
			"EXEC", "EXECABORT Transaction discarded because of previous errors.", "EXISTS k", "0")
	})
}

// A command that a script calls fails, whichever keys the script declares: what is undone when it restarts counts once.
func TestFault_WithinAScript(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		eval := func(script string) string { return c.DoArgs([]byte("EVAL"), []byte(script), []byte("0")) }
		c.Want("FAULT.ADD SCRIPTED COMMAND pexpire NTH 2 THEN ERROR TRYAGAIN", "1")
		require.Equal(t, "1", eval("redis.call('SET', 'a', 1) redis.call('SET', 'b', 1) redis.call('PEXPIRE', 'a', 9) "+
			"redis.call('SET', 'c', 1) return 1"))
		require.Contains(t, eval("redis.call('PEXPIRE', 'a', 9) return 1"),
			"TRYAGAIN Multiple keys request during rehashing of slot script: ")
		c.Want("FAULT.HITS 1", "1", "PEXPIRE a 5", "1")
	})
}

func TestFault_OfAScript(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD SCRIPT e0e1f9fabfc9d4800c877a703b823ac0578ff8db THEN ERROR LOADING", "1")
		eval := func(script string) string { return c.DoArgs([]byte("EVAL"), []byte(script), []byte("0")) }
		require.Equal(t, "2", eval("return 2"))
		require.Equal(t, "LOADING Redis is loading the dataset in memory", eval("return 1"))
	})
}

// The calls of an exempt connection fit no rule, and neither do those of its scripts; a pause does not stop it.
func TestFault_Exempt(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("CONFIG SET requirepass secret")
		other := commandtest.NewClient(c.T, c.Env)
		require.Equal(t, "OK", other.Do("FAULT.EXEMPT")) // before AUTH
		c.Want("CLIENT PAUSE 1000", "OK", "FAULT.ADD THEN HANG", "1", "FAULT.ADD SCRIPTED THEN ERROR OOM", "2")
		other.Want("GET k", "NOAUTH Authentication required.", "AUTH secret", "OK", "SET k v", "OK")
		require.Equal(t, `"v"`, other.DoArgs([]byte("EVAL"), []byte("return redis.call('GET', 'k')"), []byte("0")))
		c.Want("FAULT.HITS 1", "0", "FAULT.HITS 2", "0", "FAULT.EXEMPT x",
			"ERR wrong number of arguments for 'fault.exempt' command")
	})
}

// A delay is on the server's clock, unless real time is asked for; a held call is asked about once.
func TestFault_Delay(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		other := commandtest.NewClient(c.T, c.Env)
		c.Want("FAULT.ADD COMMAND incr TIMES 2 THEN DELAY 30000", "1", "INCR n", "")
		require.True(t, c.Session.Blocked())
		go other.Do("CLOCK.ADVANCE 29999")
		synctest.Wait()
		require.False(t, c.Session.CanResume())
		other.Delivered()
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.True(t, c.Session.CanResume())
		c.Session.Resume(func() {})
		require.Equal(t, ":1\r\n", string(c.Session.Out))
		other.Want("FAULT.HITS 1", "1")
	})
}

func TestFault_Hang(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		other := commandtest.NewClient(c.T, c.Env)
		c.Want("FAULT.ADD THEN HANG", "1", "INCR n", "")
		time.Sleep(time.Hour)
		require.False(t, c.Session.CanResume())
		other.Want("FAULT.REMOVE 1", "1")
		synctest.Wait()
		c.Session.Resume(func() {})
		require.Equal(t, ":1\r\n", string(c.Session.Out))

		c.Session.Out = c.Session.Out[:0]
		c.Want("FAULT.ADD THEN HANG", "2", "INCR n", "") // the client leaves while it hangs
	})
}

func TestFault_CloseAndLoseReply(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND incr THEN CLOSE", "1", "FAULT.ADD COMMAND get THEN LOSEREPLY", "2",
			"FAULT.ADD COMMAND append THEN CUTREPLY 2", "3", "FAULT.ADD COMMAND decr THEN TWICE", "4",
			"FAULT.ADD COMMAND blpop THEN LOSEREPLY", "5")
		for _, test := range []struct{ line, out string }{{"INCR n", ""}, {"GET k", ""}, {"APPEND k v", ":1"}} {
			victim := commandtest.NewClient(c.T, c.Env)
			victim.Do(test.line)
			require.Equal(t, test.out, string(victim.Session.Out), test.line)
			require.True(t, victim.Session.Closing, test.line)
		}
		c.Want("FAULT.CLEAR", "5", "EXISTS n", "0", "GET k", `"v"`)
	})
}

// Nothing is sent after what is left of a reply: not the confirmation that a subscription pushes, no invalidation.
func TestFault_LoseReply_AmongPushes(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND subscribe THEN LOSEREPLY", "1", "FAULT.ADD COMMAND monitor THEN LOSEREPLY", "2",
			"FAULT.ADD COMMAND set THEN CUTREPLY 2", "3")
		for _, test := range []struct {
			line, sent string
			before     []string
		}{{"SUBSCRIBE a b", "", nil}, {"MONITOR", "", nil},
			{"SET k v", "+O", []string{"HELLO 3", "CLIENT TRACKING ON BCAST"}}, {"SET k v", "+O", []string{"SUBSCRIBE x"}}} {
			victim := commandtest.NewClient(c.T, c.Env)
			if test.before != nil && test.before[0] == "SUBSCRIBE x" {
				c.Want("FAULT.REMOVE 1", "1")
				victim.Do("HELLO 3")
			}
			for _, line := range test.before {
				victim.Do(line)
			}
			victim.Pushes()
			victim.Do(test.line)
			c.Do("PUBLISH x hello")
			victim.Session.FlushAllPushes()
			require.Equal(t, test.sent, string(victim.Sent)+string(victim.Session.Out), test.line)
			require.Empty(t, victim.Pushes(), test.line)
			require.True(t, victim.Session.Closing, test.line)
		}
	})
}

func TestFault_LoseReply_OfABlockedCall(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND blpop TIMES 1 THEN LOSEREPLY", "1", "FAULT.ADD COMMAND blpop THEN CUTREPLY 4", "2")
		for _, sent := range []string{"", "*2\r\n"} {
			victim := commandtest.NewClient(c.T, c.Env)
			victim.Want("BLPOP q 0", "")
			require.False(t, victim.Session.Closing)
			c.Want("RPUSH q x", "1", "LLEN q", "0")
			require.Equal(t, sent, victim.DeliveredBytes())
			require.True(t, victim.Session.Closing)
		}
	})
}

func TestFault_Twice(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND incr TIMES 1 THEN TWICE", "1", "INCR n", "2", "INCR n", "3")
	})
}

func TestFault_Twice_OfABlockedCall(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND blpop THEN TWICE", "1")
		other := commandtest.NewClient(c.T, c.Env)
		other.Want("BLPOP q 0", "")
		c.Want("RPUSH q 1 2 3", "3")
		require.Empty(t, other.DeliveredBytes())
		require.Equal(t, "*2\r\n$1\r\nq\r\n$1\r\n2\r\n", string(other.Session.Out))
		c.Want("LRANGE q 0 -1", `["3"]`, "FAULT.HITS 1", "1")
	})
}

func TestFault_UnknownNames(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND gett THEN CLOSE", "ERR unknown command 'gett'",
			"FAULT.ADD COMMAND clock.now THEN CLOSE", "ERR no fault happens to 'clock.now'",
			"FAULT.ADD COMMAND config|gett THEN CLOSE", "ERR unknown command 'config|gett'",
			"FAULT.ADD COMMAND @reed THEN CLOSE", "ERR Unknown category 'reed'",
			"FAULT.ADD COMMAND @all THEN ERROR busy", "1", "FAULT.ADD COMMAND CONFIG|GET THEN CLOSE", "2")
	})
}

// CLIENT CACHING holds for the next command, also if that is held.
func TestFault_Delay_KeepsCaching(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		other := commandtest.NewClient(c.T, c.Env)
		c.Do("HELLO 3")
		c.Want("CLIENT TRACKING ON OPTIN", "OK", "CLIENT CACHING YES", "OK")
		other.Want("FAULT.ADD COMMAND get THEN DELAY 100", "1")
		c.Want("GET k", "")
		time.Sleep(time.Second)
		synctest.Wait()
		c.Session.Resume(func() {})
		other.Want("SET k v", "OK")
		c.Session.FlushAllPushes()
		require.Equal(t, []string{`["invalidate" ["k"]]`}, c.Pushes())
	})
}
