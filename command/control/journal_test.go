package control_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/journal"
)

// journalLines returns the journal as lines: the database if it is not 0, what was sent, and its error. Calls of
// scripts are indented.
func journalLines(c *commandtest.BubbleClient) (lines []string) {
	for _, e := range c.Env.Hooks.(*control.Hooks).Journal.Entries() {
		line := e.Line()
		if e.Script {
			line = "  " + line
		}
		if e.DB != 0 {
			line = fmt.Sprintf("%d: %s", e.DB, line)
		}
		if e.Err != "" {
			line += " -> " + e.Err
		}
		lines = append(lines, line)
	}
	return lines
}

func TestJournal_Entries(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("SET before 1", "OK", "TEST.JOURNAL ON", "OK", "SELECT 3", "OK", "CLIENT SETNAME me", "OK")
		time.Sleep(time.Second)
		c.Do("SET k v")
		require.Equal(t, []string{"SELECT 3", "3: CLIENT SETNAME me", "3: SET k v"}, journalLines(c))
		e, ok := c.Env.Hooks.(*control.Hooks).Journal.Last("set")
		require.True(t, ok)
		require.Equal(t, journal.Entry{ID: 3, Time: c.Env.Clock.Now(), Client: c.Session.ID, Name: "me", Addr: c.Session.Addr,
			DB: 3, Command: "set", Args: []string{"SET", "k", "v"}}, e)
		c.Want("CLOCK.NOW", fmt.Sprint(e.Time.UnixMilli()), "FAULT.LIST", "[]", "TEST.JOURNAL COUNT x",
			"ERR value is not an integer or out of range")
		require.Len(t, journalLines(c), 3, "commands that control the server are left out")
		c.Want("TEST.JOURNAL OFF", "OK", "GET k", `"v"`)
		require.Len(t, journalLines(c), 3)
		c.Want("TEST.JOURNAL CLEAR", "OK", "TEST.JOURNAL", "[]", "TEST.JOURNAL ON COUNT 2", "OK",
			"GET a", "nil", "GET b", "nil", "GET c", "nil")
		require.Equal(t, []string{"3: GET b", "3: GET c"}, journalLines(c))
	})
}

// Calls that fail are noted with their errors, also those that are rejected before they run, and passwords are not.
func TestJournal_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("TEST.JOURNAL ON")
		c.Do("RPUSH list x")
		for _, line := range []string{"NOSUCH a", "GET", "INCR list", "AUTH secret", "CONFIG SET nosuch 1",
			"FAULT.ADD COMMAND ping TIMES 1 THEN ERROR no", "PING"} {
			c.Do(line)
		}
		other := commandtest.NewClient(c.T, c.Env)
		other.Want("BLPOP q 0", "")
		require.True(t, other.Session.Unblock(true))
		other.Delivered()
		const unknown = "ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'"
		require.Equal(t, []string{
			"RPUSH list x",
			"NOSUCH a -> ERR unknown command 'NOSUCH', with args beginning with: 'a' ",
			"GET -> ERR wrong number of arguments for 'get' command",
			"INCR list -> WRONGTYPE Operation against a key holding the wrong kind of value",
			"AUTH (redacted) -> ERR AUTH <password> called without any password configured for the default user. " +
				"Are you sure your configuration is correct?",
			"CONFIG SET nosuch 1 -> " + unknown,
			"PING -> no",
			"BLPOP q 0 -> UNBLOCKED client unblocked via CLIENT UNBLOCK",
		}, journalLines(c))
	})
}

// What MULTI queues is noted once, and so is what a script calls, even if the script runs twice.
func TestJournal_MultiAndScripts(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("TEST.JOURNAL ON")
		c.Do("MULTI")
		c.Do("INCR n")
		c.Do("EXEC")
		eval := func(script string) { c.DoArgs([]byte("EVAL"), []byte(script), []byte("0")) }
		eval("for i = 1, 20 do redis.call('set', 'k' .. i, i) end redis.pcall('nosuch') return redis.pcall('incr', 'k')")
		lines := journalLines(c)
		require.Equal(t, []string{"MULTI", "INCR n", "EXEC"}, lines[:3])
		require.Contains(t, lines[3], "EVAL ")
		require.Equal(t, "  set k1 1", lines[4])
		require.Len(t, lines, 4+20+2)
		require.Equal(t, []string{"  nosuch -> ERR Unknown Redis command called from script", "  incr k"}, lines[24:])
		eval("redis.call('set', 'k', 'x') redis.pcall('incr', 'k') return 1")
		require.Equal(t, "  incr k -> ERR value is not an integer or out of range", journalLines(c)[28])
		eval("redis.call('incr', 'k')")
		last := journalLines(c)[29:]
		require.Regexp(t, regexp.MustCompile("^EVAL .* -> ERR value is not an integer or out of range script:"), last[0])
		require.Equal(t, "  incr k -> ERR value is not an integer or out of range", last[1])
	})
}

// A call that a fault holds is noted when it is received.
func TestJournal_HeldCallsOnce(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		other := commandtest.NewClient(c.T, c.Env)
		c.Want("FAULT.ADD COMMAND get THEN HANG", "1", "TEST.JOURNAL ON", "OK")
		other.Want("GET k", "")
		require.Equal(t, []string{"GET k"}, journalLines(c))
		c.Want("FAULT.CLEAR", "1")
		require.Eventually(t, other.Session.CanResume, time.Minute, time.Millisecond)
		other.Session.Resume(func() {})
		require.Equal(t, []string{"GET k"}, journalLines(c))
	})
}

func TestJournal_Options(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		other := commandtest.NewClient(c.T, c.Env)
		c.Do("TEST.JOURNAL ON COUNT 100")
		c.Want("SET lock:a 1 PX 5", "OK", "GET lock:a", `"1"`, "SET b 1", "OK")
		other.Want("GET lock:b", "nil")
		commands := func(options string) (lines []string) {
			for _, match := range regexp.MustCompile(`"command" "([^"]*)"`).FindAllStringSubmatch(
				c.Do(strings.TrimSpace("TEST.JOURNAL "+options)), -1) {
				lines = append(lines, match[1])
			}
			return lines
		}
		require.Equal(t, []string{"SET lock:a 1 PX 5", "GET lock:a", "SET b 1", "GET lock:b"}, commands(""))
		require.Equal(t, []string{"SET b 1", "GET lock:b"}, commands("COUNT 2"))
		require.Equal(t, []string{"SET lock:a 1 PX 5", "GET lock:a", "GET lock:b"}, commands("MATCH *lock:*"))
		require.Equal(t, []string{"GET lock:b"}, commands("COUNT 1 MATCH *lock:*"))
		require.Equal(t, 4, len(commands("CLIENT 1")))
		require.Empty(t, commands("CLIENT 99"))
		require.Contains(t, c.Do("TEST.JOURNAL COUNT 1"), `["id" 4 "time" `)
		const count = "ERR COUNT must be between 1 and 1000000"
		c.Want("TEST.JOURNAL ON COUNT x", "ERR value is not an integer or out of range", "TEST.JOURNAL ON COUNT 0", count,
			"TEST.JOURNAL ON COUNT 1000001", count, "TEST.JOURNAL COUNT 0", count, "TEST.JOURNAL COUNT", "ERR syntax error",
			"TEST.JOURNAL what 1", "ERR syntax error", "TEST.JOURNAL OFF 1", "ERR syntax error",
			"TEST.JOURNAL CLIENT x", "ERR value is not an integer or out of range")
	})
}

// A call of a silent connection runs once, when the fault is removed, and is there once.
func TestJournal_SilentConnection(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("TEST.JOURNAL ON", "OK", "FAULT.ADD CONNECT THEN SILENT", "1")
		silent := commandtest.NewClientID(t, c.Env, 2)
		require.True(t, silent.Session.Admit())
		silent.Do("INCR k")
		require.Empty(t, journalLines(c))
		c.Want("FAULT.CLEAR", "1")
		synctest.Wait()
		require.True(t, silent.Session.CanResume())
		silent.Session.Resume(func() {})
		require.Equal(t, 1, len(journalLines(c)))
		silent.Session.Close()
	})
}
