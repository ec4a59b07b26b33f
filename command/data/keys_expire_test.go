package data_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestExpire(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"EXPIRE missing 10", "0",
			"TTL missing", "-2",
			"PTTL missing", "-2",
			"EXPIRETIME missing", "-2",
			"PEXPIRETIME missing", "-2",
			"SET k v", "OK",
			"TTL k", "-1",
			"PTTL k", "-1",
			"EXPIRETIME k", "-1",
			"PEXPIRETIME k", "-1",
			"EXPIRE k 100", "1",
			"TTL k", "100",
			"PEXPIRE k 200000", "1",
			"TTL k", "200",
			"EXPIREAT k 4000000000", "1",
			"PEXPIRETIME k", "4000000000000",
			"PEXPIREAT k 4000000000499", "1",
			"EXPIRETIME k", "4000000000",
			"PEXPIREAT k 4000000000500", "1",
			"EXPIRETIME k", "4000000001",
			"PERSIST k", "1",
			"PERSIST k", "0",
			"PERSIST missing", "0",
			"TTL k", "-1",
		)
	})
}

// A key without an expiry counts as one with an infinite expiry.
func TestExpire_Conditions(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k v", "OK",
			"EXPIRE k 10 XX", "0",
			"EXPIRE k 10 GT", "0",
			"EXPIRE k 10 LT", "1",
			"EXPIRE k 10 NX", "0",
			"EXPIREAT k 4000000000 XX", "1",
			"EXPIREAT k 4000000000 GT", "0",
			"EXPIREAT k 4000000000 LT", "0",
			"EXPIREAT k 4000000001 GT XX", "1",
			"EXPIREAT k 3999999999 LT XX", "1",
			"EXPIREAT k 4000000001 LT XX", "0",
			"EXPIRETIME k", "3999999999",
			"PERSIST k", "1",
			"EXPIRE k 10 XX LT", "0",
			"EXPIRE k 10 NX NX", "1",
			"EXPIRE missing 10 NX", "0",
		)
		// the condition applies to a time in the past, too
		c.Want(
			"EXPIRE k -1 GT", "0",
			"EXPIRE k -1 NX", "0",
			"EXISTS k", "1",
			"EXPIRE k -1 LT", "1",
			"EXISTS k", "0",
		)
	})
}

func TestExpire_InThePast(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a 1 b 2 c 3 d 4", "OK",
			"EXPIRE a 0", "1",
			"PEXPIRE b -1", "1",
			"EXPIREAT c 1", "1",
			"PEXPIREAT d 0", "1",
			"EXISTS a b c d", "0",
		)
	})
}

// Redis parses the options, then the number, then looks the key up.
func TestExpire_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"EXPIRE missing a", "ERR value is not an integer or out of range",
			"EXPIRE missing 10 FOO", "ERR Unsupported option FOO",
			"EXPIRE missing a NX XX", "ERR NX and XX, GT or LT options at the same time are not compatible",
			"EXPIRE missing 10 NX GT", "ERR NX and XX, GT or LT options at the same time are not compatible",
			"EXPIRE missing 10 NX LT", "ERR NX and XX, GT or LT options at the same time are not compatible",
			"EXPIRE missing 10 GT LT", "ERR GT and LT options at the same time are not compatible",
			"EXPIRE missing 10 NX GT LT", "ERR NX and XX, GT or LT options at the same time are not compatible",
			"EXPIRE missing 9223372036854775807", "ERR invalid expire time in 'expire' command",
			"EXPIRE missing 9223372036854775", "ERR invalid expire time in 'expire' command",
			"EXPIRE missing -9223372036854776", "ERR invalid expire time in 'expire' command",
			"PEXPIRE missing 9223372036854775807", "ERR invalid expire time in 'pexpire' command",
			"EXPIREAT missing 9223372036854776", "ERR invalid expire time in 'expireat' command",
			"SET k v", "OK",
			"EXPIREAT k 9223372036854775", "1",
			"EXPIRETIME k", "9223372036854775",
			"PEXPIREAT k 9223372036854775807", "1",
			"PEXPIRETIME k", "9223372036854775807",
			"EXPIRETIME k", "9223372036854776",
		)
	})
}

func TestExpire_KeyIsGoneInTheMillisecondOfItsExpiry(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("SET k v PX 30000", "OK")
		c.Clock.Advance(29999 * time.Millisecond)
		c.Want("PTTL k", "1", "TTL k", "0", "GET k", `"v"`)
		c.Clock.Advance(time.Millisecond)
		c.Want("GET k", "nil", "PTTL k", "-2", "DBSIZE", "0", "SETNX k v", "1", "TTL k", "-1")
		require.Equal(t, []string{"set k", "expire k", "expired k", "set k"}, c.TakeEvents())
	})
}

func TestTTL_RoundsToTheNearestSecond(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("PEXPIRE k 1", "0", "SET k v PX 1500", "OK", "TTL k", "2", "PEXPIRE k 1499", "1", "TTL k", "1")
	})
}

// steppingClock advances by a second each time it is read. Only the goroutine of the test reads it.
type steppingClock struct{ commandtest.FixedClock }

func (c *steppingClock) Now() time.Time {
	c.At = c.At.Add(time.Second)
	return c.At
}

// Within a transaction time stands still, for TIME, too, and nothing expires. (In Redis 7.0 TIME tells the time of its
// call, and relative times count from that: a story has that.)
func TestExpire_CountsFromTheStart(t *testing.T) {
	for _, set := range []string{"SET k v PX 3500", "PSETEX k 3500 v", "PEXPIRE k 3500"} {
		env, _ := commandtest.NewEnvAt(t, &steppingClock{commandtest.FixedClock{At: time.Unix(1_800_000_000, 0)}})
		c := commandtest.NewClient(t, env)
		c.Do("SET k v")
		for _, line := range []string{"MULTI", "SET short v PX 5", "TIME", set, "TIME", "PEXPIRETIME k", "PTTL k",
			"EXISTS short", "PTTL short"} {
			c.Do(line)
		}
		var ok, done string
		var first, second, micros, expires, left, exists, short int64
		_, err := fmt.Sscanf(strings.NewReplacer(`[`, ` `, `]`, ` `, `"`, ` `).Replace(c.Do("EXEC")),
			"%s %d %d %s %d %d %d %d %d %d",
			&ok, &first, &micros, &done, &second, &micros, &expires, &left, &exists, &short)
		require.NoError(t, err)
		require.Equal(t, first, second)
		require.Equal(t, first*1000, expires-3500, set)
		require.EqualValues(t, 3500, left, set)
		require.EqualValues(t, 1, exists)
		require.EqualValues(t, 5, short)
	}
}
