package control_test

import (
	"testing"
	"testing/synctest"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// A redirection has the slot of the first key; calls without a key are not redirected.
func TestFault_MovedAndAsk(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND set THEN MOVED 127.0.0.1:7001", "1", "FAULT.ADD COMMAND @read THEN ASK [::1]:7002", "2",
			"SET foo v", "MOVED 12182 127.0.0.1:7001", "GET {user1000}.following", "ASK 3443 [::1]:7002",
			"MGET 123456789 foo", "ASK 12739 [::1]:7002", "DBSIZE", "0", "FAULT.HITS 2", "2", "FAULT.CLEAR", "2",
			"FAULT.ADD SCRIPTED COMMAND set THEN MOVED 127.0.0.1:7001", "3")
		require.Contains(t, c.DoArgs([]byte("EVAL"), []byte("return redis.call('SET', KEYS[1], 1)"), []byte("1"),
			[]byte("foo")), "MOVED 12182 127.0.0.1:7001 script: ")
	})
}

func TestFault_Refuse(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD CONNECT CLIENT 127.0.0.1:* NTH 2 THEN REFUSE", "1")
		for i, admitted := range []bool{true, false, true} {
			require.Equal(t, admitted, commandtest.NewClient(t, c.Env).Session.Admit(), i)
		}
		c.Want("FAULT.HITS 1", "1", "FAULT.CLEAR", "1")
		require.True(t, commandtest.NewClient(t, c.Env).Session.Admit())
	})
}

// A silent connection gets no answer until the rule is removed, except from the commands that control the server. Its
// calls are compared with other rules only then.
func TestFault_Silent(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD CONNECT TIMES 1 THEN SILENT", "1", "FAULT.ADD COMMAND incr THEN ERROR BUSYKEY", "2")
		silent, other := commandtest.NewClient(t, c.Env), commandtest.NewClient(t, c.Env)
		require.True(t, silent.Session.Admit())
		require.True(t, other.Session.Admit())
		silent.Want("FAULT.HITS 1", "1", "INCR n", "")
		require.True(t, silent.Session.Blocked())
		other.Want("INCR n", "BUSYKEY", "FAULT.HITS 2", "1", "FAULT.REMOVE 1", "1")
		synctest.Wait()
		require.Empty(t, silent.DeliveredBytes())
		require.Equal(t, "-BUSYKEY\r\n", string(silent.Session.Out))
		other.Want("FAULT.HITS 2", "2")
		silent.Want("GET n", "nil")
	})
}

// The call runs, and its connection is restricted: how the server does that is tested there.
func TestFault_Restrictions(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD COMMAND set THEN THROTTLE 100", "1", "FAULT.ADD COMMAND get THEN STOPREADING", "2",
			"FAULT.ADD CONNECT THEN THROTTLE 5", "3", "SET k v", "OK")
		require.Equal(t, 100, c.Restriction.Rate)
		require.False(t, c.Restriction.NoReading)
		c.Want("GET k", `"v"`)
		require.Zero(t, c.Restriction.Rate)
		require.True(t, c.Restriction.NoReading)
		victim := commandtest.NewClient(t, c.Env)
		require.True(t, victim.Session.Admit())
		require.Equal(t, 5, victim.Restriction.Rate)
		c.Want("FAULT.CLEAR", "3")
		<-c.Restriction.Until
		<-victim.Restriction.Until
	})
}

// A partition holds calls and lets the commands through that control the server. It is idempotent.
func TestPartition(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		clients := commandtest.Connect(t, c.Env, 2)
		fake := c.Env.Clients.(*commandtest.FakeClients)
		victim := clients[1]
		c.Want("FAULT.PARTITION", "OK", "FAULT.PARTITION", "OK")
		require.True(t, fake.Partitioned)
		victim.Want("INCR n", "")
		c.Want("FAULT.ADD COMMAND incr THEN ERROR BUSYKEY", "1")
		require.True(t, victim.Session.Blocked())
		c.Want("FAULT.HEAL", "OK", "FAULT.HEAL", "OK")
		require.False(t, fake.Partitioned)
		synctest.Wait()
		require.Empty(t, victim.DeliveredBytes())
		require.Equal(t, "-BUSYKEY\r\n", string(victim.Session.Out), "rules are asked when the call runs")
		victim.Want("GET n", "nil")
	})
}
