package control_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// await runs a command that works in the background, and returns its reply.
func await(t *testing.T, c *commandtest.BubbleClient, line string) string {
	t.Helper()
	require.Empty(t, c.Do(line), line)
	require.True(t, c.Session.Blocked(), line)
	synctest.Wait()
	return c.Delivered()
}

func TestClock_MovesTheTimeOfTheServer(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		start := c.Clock.Now().UnixMilli()
		ms := func(passed int64) string { return fmt.Sprint(start + passed) }
		c.Want("SET k v PX 30000", "OK", "CLOCK.NOW", ms(0))
		require.Equal(t, ms(29_999), await(t, c, "CLOCK.ADVANCE 29999"))
		c.Want("PTTL k", "1")
		require.Equal(t, ms(30_000), await(t, c, "CLOCK.ADVANCE 1"))
		c.Want("EXISTS k", "0")
		require.Contains(t, c.TakeEvents(), "expired k")

		require.Equal(t, ms(30_000), await(t, c, "CLOCK.FREEZE"))
		time.Sleep(time.Hour)
		c.Want("CLOCK.NOW", ms(30_000))
		require.Equal(t, ms(40_000), await(t, c, "CLOCK.ADVANCE 10000"))
		require.Equal(t, ms(40_000), await(t, c, "CLOCK.RESUME"))
		time.Sleep(time.Second)
		c.Want("CLOCK.NOW", ms(41_000))
		require.Equal(t, ms(41_000), await(t, c, "CLOCK.SPEED 10"))
		time.Sleep(time.Second)
		c.Want("CLOCK.NOW", ms(51_000))
		require.Equal(t, "0", await(t, c, "CLOCK.SET 0"))
	})
}

func TestClock_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		const notShown, speed = "ERR the clock can only show times from 1970 to 2262",
			"ERR speed must be greater than 0 and at most 10000"
		c.Want(
			"CLOCK.ADVANCE x", "ERR value is not an integer or out of range",
			"CLOCK.ADVANCE -1", "ERR CLOCK.ADVANCE only moves the clock forward; CLOCK.SET can set it back",
			"CLOCK.ADVANCE 9223372036854775807", notShown,
			"CLOCK.SET -1", notShown,
			"CLOCK.SET 9223372036855", notShown,
			"CLOCK.SPEED x", "ERR value is not a valid float",
			"CLOCK.SPEED 0", speed, "CLOCK.SPEED 10001", speed, "CLOCK.SPEED inf", speed,
			"CLOCK.NOW x", "ERR wrong number of arguments for 'clock.now' command",
			"MULTI", "OK", "CLOCK.FREEZE", "ERR Command not allowed inside a transaction", "DISCARD", "OK",
		)
	})
}

// A blocked client whose timeout passes on the way is served before the reply; CLIENT PAUSE does not stop the command.
func TestClock_Advance_EndsTimeoutsAndPauses(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		waiter := commandtest.NewClient(c.T, c.Env)
		waiter.Want("BLPOP q 30", "")
		replies := make(chan string, 1)
		go func() { // the connection of the waiter
			for !waiter.Session.CanResume() {
				time.Sleep(time.Millisecond)
			}
			replies <- waiter.Delivered()
		}()
		c.Want("CLIENT PAUSE 60000", "OK")
		require.Empty(t, c.Do("CLOCK.ADVANCE 60000"))
		require.Equal(t, "nil-array", <-replies)
		synctest.Wait()
		c.Delivered()
		c.Want("PING", "PONG")
	})
}

// The replies to the commands before one that blocks come first, however soon another goroutine has its reply.
func TestBlockedCalls_ReplyInTheOrderOfAPipeline(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for _, blocking := range [][][]byte{{[]byte("CLOCK.FREEZE")}, {[]byte("BLPOP"), []byte("q"), []byte("0")}} {
			client := commandtest.NewClient(c.T, c.Env)
			client.Session.Serve([][]byte{[]byte("PING")})
			require.Equal(t, "+PONG\r\n", string(client.Session.Out))
			client.Session.Serve(blocking)
			require.True(t, client.Session.Blocked())
			require.Equal(t, "+PONG\r\n", string(client.Sent), "it is in the outbox already")
			require.Empty(t, client.Session.Out)
			c.Want("RPUSH q x", "1")
			synctest.Wait()
			client.Delivered()
			c.Do("DEL q")
		}
	})
}

func TestClock_IsAModule(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("MODULE LIST", "[]")
		c.Want("COMMAND LIST FILTERBY MODULE clock",
			`["clock.advance" "clock.freeze" "clock.now" "clock.resume" "clock.set" "clock.speed"]`)
		require.Contains(t, c.Do("COMMAND DOCS clock.speed"), `"group" "module" "module" "clock"`)
		require.Contains(t, c.Do("COMMAND INFO clock.now"), "[module loading stale fast allow_busy]")
		require.NotContains(t, c.Do("INFO modules"), "clock")
	})
}
