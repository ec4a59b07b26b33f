package control_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// subscriber is a client in RESP3 that is subscribed.
func subscriber(c *commandtest.BubbleClient, line string) *commandtest.Client {
	s := commandtest.NewClient(c.T, c.Env)
	s.Do("HELLO 3")
	s.Do(line)
	return s
}

// A message that is dropped reaches nobody, and its publisher is not told; others are delivered.
func TestFault_Drop(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		s, shards := subscriber(c, "SUBSCRIBE lock other"), subscriber(c, "SSUBSCRIBE lock")
		c.Want("FAULT.ADD CHANNEL l* NTH 2 THEN DROP", "1", "PUBLISH lock 1", "1", "SPUBLISH lock 2", "1",
			"PUBLISH other 3", "1", "PUBLISH lock 4", "1", "FAULT.HITS 1", "1")
		require.Equal(t, []string{`["message" "lock" "1"]`, `["message" "other" "3"]`, `["message" "lock" "4"]`}, s.Pushes())
		require.Empty(t, shards.Pushes())
		require.Contains(t, c.Do("FAULT.LIST"), `"rule" "CHANNEL l* NTH 2 THEN DROP" "matches" 3 "hits" 1`)
		c.Want("FAULT.CLEAR", "1", "SPUBLISH lock 5", "1")
		require.Equal(t, []string{`["smessage" "lock" "5"]`}, shards.Pushes())
	})
}

// A message counts even if nobody is subscribed: which one is the n-th does not depend on who listens.
func TestFault_Drop_CountsWithoutSubscribers(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("FAULT.ADD CHANNEL lock NTH 2 THEN DROP", "1", "PUBLISH lock 1", "0", "PUBLISH lock 2", "0",
			"FAULT.HITS 1", "1")
	})
}

// The messages of a script and of EXEC count once each, when they are sent, whichever keys the script declares.
func TestFault_Drop_OfScripts(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		s := subscriber(c, "SUBSCRIBE lock")
		c.Want("FAULT.ADD CHANNEL lock EVERY 2 THEN DROP", "1")
		require.Equal(t, "1", c.DoArgs([]byte("EVAL"), []byte("redis.call('PUBLISH', 'lock', 'a') redis.call('SET', 'x', 1) "+
			"redis.call('SET', 'y', 1) redis.call('PUBLISH', 'lock', 'b') return 1"), []byte("0")))
		c.Want("MULTI", "OK", "PUBLISH lock c", "QUEUED", "PUBLISH lock d", "QUEUED", "EXEC", "[1 1]")
		require.Equal(t, []string{`["message" "lock" "a"]`, `["message" "lock" "c"]`}, s.Pushes())
		c.Want("FAULT.HITS 1", "2")
	})
}

// CLIENT is the publisher.
func TestFault_Drop_OfAPublisher(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		s, other := subscriber(c, "SUBSCRIBE lock"), commandtest.NewClient(t, c.Env)
		other.Want("CLIENT SETNAME billing", "OK")
		c.Want("FAULT.ADD CHANNEL * CLIENT billing THEN DROP", "1", "PUBLISH lock 1", "1")
		other.Want("PUBLISH lock 2", "1")
		require.Equal(t, []string{`["message" "lock" "1"]`}, s.Pushes())
	})
}

// Messages are delivered in the order of their times, to those who are subscribed then.
func TestFault_DelayedMessages(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		s := subscriber(c, "SUBSCRIBE a b")
		c.Want("FAULT.ADD CHANNEL a THEN DELAY 2000", "1", "FAULT.ADD CHANNEL b THEN DELAY 1000", "2",
			"FAULT.ADD CHANNEL r THEN DELAY 1000 REALTIME", "3",
			"PUBLISH a 1", "1", "PUBLISH b 2", "1", "PUBLISH b 3", "1", "PUBLISH r 4", "0")
		late := subscriber(c, "PSUBSCRIBE *")
		require.Empty(t, s.Pushes())
		await(t, c, "CLOCK.ADVANCE 1000")
		require.Equal(t, []string{`["message" "b" "2"]`, `["message" "b" "3"]`}, s.Pushes())
		c.Want("FAULT.CLEAR", "3")
		await(t, c, "CLOCK.ADVANCE 1000")
		require.Equal(t, []string{`["message" "a" "1"]`}, s.Pushes(), "removing the rule does not end the delay")
		late.Pushes()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []string{`["pmessage" "*" "r" "4"]`}, late.Pushes())
	})
}

// Messages that are due at the same time come in the order in which they were published, and a shorter delay overtakes.
func TestFault_DelayedMessages_Order(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		s := subscriber(c, "SUBSCRIBE ch")
		c.Want("FAULT.ADD CHANNEL ch TIMES 3 THEN DELAY 1000", "1", "FAULT.ADD CHANNEL ch TIMES 1 THEN DELAY 500", "2")
		for _, line := range []string{"PUBLISH ch 1", "PUBLISH ch 2", "PUBLISH ch 3", "PUBLISH ch 4"} {
			c.Want(line, "1")
		}
		await(t, c, "CLOCK.ADVANCE 5000")
		require.Equal(t, []string{`["message" "ch" "4"]`, `["message" "ch" "1"]`, `["message" "ch" "2"]`,
			`["message" "ch" "3"]`}, s.Pushes())
	})
}

// Keyspace events are messages, too.
func TestFault_Drop_OfKeyspaceEvents(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c, s := commandtest.NewClient(t, env), commandtest.NewClient(t, env)
	s.Do("SUBSCRIBE __keyevent@0__:expired __keyevent@0__:set")
	c.Want("CONFIG SET notify-keyspace-events KEA", "OK", "FAULT.ADD CHANNEL __keyevent@0__:expired THEN DROP", "1",
		"SET k v PX 1000", "OK")
	clock.Advance(time.Second)
	require.Equal(t, []string{`["message" "__keyevent@0__:set" "k"]`}, s.Pushes())
	c.Want("FAULT.HITS 1", "1")
}

// A test that begins with TEST.RESET gets no messages of the one before it.
func TestFault_DelayedMessages_AfterReset(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		s := subscriber(c, "SUBSCRIBE ch")
		c.Want("FAULT.ADD CHANNEL ch THEN DELAY 1000", "1", "PUBLISH ch 1", "1")
		await(t, c, "TEST.RESET")
		await(t, c, "CLOCK.ADVANCE 1000")
		require.Empty(t, s.Pushes())
	})
}

// What is delayed when the server ends leaves no timer; commandtest checks that.
func TestFault_DelayedMessages_AtTheEnd(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want("FAULT.ADD CHANNEL ch THEN DELAY 60000", "1", "PUBLISH ch 1", "0")
}
