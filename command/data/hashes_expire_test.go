package data_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

const ms = time.Millisecond

// pass advances the clock and expires what is due.
func pass(c *commandtest.BubbleClient, d time.Duration) {
	c.Clock.Advance(d)
	c.Env.Store.ExpireDue()
}

func TestHExpire(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2 c 3", "3",
			"HEXPIRE h 100 FIELDS 2 a missing", "[1 -2]",
			"HPEXPIRE h 1500 fields 1 b", "[1]",
			"HTTL h FIELDS 4 a b c missing", "[100 2 -1 -2]",
			"HPTTL h FIELDS 2 a b", "[100000 1500]",
			"HEXPIRE missing 100 FIELDS 2 a b", "[-2 -2]",
			"HTTL missing FIELDS 2 a b", "[-2 -2]",
			"HPERSIST missing FIELDS 1 a", "[-2]",
			"HEXPIREAT h 9000000000 FIELDS 1 a", "[1]",
			"HEXPIRETIME h FIELDS 2 a c", "[9000000000 -1]",
			"HPEXPIREAT h 9000000000001 FIELDS 1 a", "[1]",
			"HPEXPIRETIME h FIELDS 1 a", "[9000000000001]",
			"HEXPIRETIME h FIELDS 1 a", "[9000000001]",
			"HPERSIST h FIELDS 3 a c missing", "[1 -1 -2]",
			"HTTL h FIELDS 1 a", "[-1]",
			"TTL h", "-1",
		)
	})
}

func TestHExpire_Conditions(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2 c 3", "3",
			"HEXPIRE h 100 XX FIELDS 1 a", "[0]",
			"HEXPIRE h 100 GT FIELDS 1 a", "[0]",
			"HEXPIRE h 100 NX FIELDS 2 a a", "[1 0]",
			"HEXPIRE h 200 LT FIELDS 3 a b missing", "[0 1 -2]",
			"HEXPIRE h 200 gt FIELDS 2 a b", "[1 0]",
			"HEXPIRE h 50 xx FIELDS 3 a b c", "[1 1 0]",
			"HPTTL h FIELDS 3 a b c", "[50000 50000 -1]",
			"HPEXPIREAT h 1 NX FIELDS 2 a c", "[0 2]",
			"HGETALL h", `["b" "2" "a" "1"]`,
		)
	})
}

func TestHExpire_InThePastDeletes(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("HSET h a 1 b 2", "2", "HEXPIRE h 0 FIELDS 1 a", "[2]", "HKEYS h", `["b"]`)
		c.WantEvents("HPEXPIREAT h 5 FIELDS 2 b b", "hdel h", "del h")
		c.Want("EXISTS h", "0")
	})
}

func TestHExpire_Errors(t *testing.T) {
	const badTime = "ERR invalid expire time in 'hexpire' command"
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET s x", "OK",
			"HEXPIRE s x FIELDS 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HTTL s FIELD 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HPERSIST s FIELD 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HEXPIRE h x FIELDS 1 a", "ERR value is not an integer or out of range",
			"HEXPIRE h -1 FIELDS 1 a", "ERR invalid expire time, must be >= 0",
			"HEXPIRE h -9223372036854775808 FIELDS 1 a", "ERR invalid expire time, must be >= 0",
			"HEXPIRE h 9223372036854775807 FIELDS 1 a", badTime,
			"HEXPIRE h 70368744177 FIELDS 1 a", badTime,
			"HEXPIREAT h 70368744177 FIELDS 1 a", "[-2]",
			"HEXPIREAT h 70368744178 FIELDS 1 a", "ERR invalid expire time in 'hexpireat' command",
			"HPEXPIREAT h 70368744177663 FIELDS 1 a", "[-2]",
			"HPEXPIREAT h 70368744177664 FIELDS 1 a", "ERR invalid expire time in 'hpexpireat' command",
			"HEXPIRE h 1 FIELDS 1", "ERR wrong number of arguments for 'hexpire' command",
			"HEXPIRE h 1 NX FIELDS 1", "ERR The `numfields` parameter must match the number of arguments",
			"HEXPIRE h 1 a b FIELDS", "ERR Mandatory argument FIELDS is missing or not at the right position",
			"HEXPIRE h 1 NX XX FIELDS 1 a", "ERR Mandatory argument FIELDS is missing or not at the right position",
			"HEXPIRE h 1 FIELDS 0 a", "ERR Parameter `numFields` should be greater than 0",
			"HEXPIRE h 1 FIELDS x a", "ERR Parameter `numFields` should be greater than 0",
			"HEXPIRE h 1 FIELDS 2 a", "ERR The `numfields` parameter must match the number of arguments",
			"HEXPIRE h 1 FIELDS 1 a b", "ERR The `numfields` parameter must match the number of arguments",
			"HTTL h FIELDS 0 a", "ERR Number of fields must be a positive integer",
			"HPERSIST h FIELDS -1 a", "ERR Number of fields must be a positive integer",
			"HPTTL h FIELDS 2 a", "ERR The `numfields` parameter must match the number of arguments",
			"HEXPIRETIME h 1 a b", "ERR Mandatory argument FIELDS is missing or not at the right position",
		)
	})
}

// No command sees an expired field, whether or not the timer has run.
func TestHExpire_NoCommandSeesAnExpiredField(t *testing.T) {
	lines := []string{
		"HGET h a", "nil",
		"HMGET h a b", `[nil "2"]`,
		"HEXISTS h a", "0",
		"HSTRLEN h a", "0",
		"HLEN h", "1",
		"HKEYS h", `["b"]`,
		"HVALS h", `["2"]`,
		"HGETALL h", `["b" "2"]`,
		"HRANDFIELD h 5", `["b"]`,
		"HRANDFIELD h 5 WITHVALUES", `["b" "2"]`,
		"HRANDFIELD h", `"b"`,
		"HSCAN h 0", `["0" ["b" "2"]]`,
		"HDEL h a", "0",
		"HSETNX h a 5", "1",
		"HSET h a 5", "1",
		"HINCRBY h a 1", "1",
		"HINCRBYFLOAT h a 1", `"1"`,
		"HTTL h FIELDS 1 a", "[-2]",
		"HPERSIST h FIELDS 1 a", "[-2]",
		"HEXPIRE h 5 FIELDS 1 a", "[-2]",
		"HGETDEL h FIELDS 2 a b", `[nil "2"]`,
		"HGETEX h PERSIST FIELDS 1 a", "[nil]",
		"HSETEX h FNX FIELDS 1 a 5", "1",
		"HSETEX h FXX FIELDS 1 a 5", "0",
		"SORT l BY nosort GET h*->a", "[nil]",
		"COPY h copy", "1",
	}
	for i := 0; i < len(lines); i += 2 {
		commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
			c.Env.Store.Close() // no timer
			c.Do("RPUSH l ''")
			c.Want("HSET h a 1 b 2", "2", "HPEXPIRE h 10 FIELDS 1 a", "[1]")
			c.Clock.Advance(10 * ms)
			c.TakeEvents()
			c.Want(lines[i], lines[i+1])
			require.Equal(t, "hexpired h", c.TakeEvents()[0], lines[i])
		})
	}
}

func TestHExpire_LastFieldDeletesTheKey(t *testing.T) {
	for _, line := range []string{"HGET h a", "EXISTS h", "TYPE h", "HLEN h", "TTL h", "RANDOMKEY", "DEL h",
		"HSETEX h FXX FIELDS 1 a 1"} {
		commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
			c.Env.Store.Close() // no timer
			c.Want("HSET h a 1 b 2", "2", "HPEXPIRE h 10 FIELDS 1 a", "[1]", "HPEXPIRE h 20 FIELDS 1 b", "[1]")
			c.Clock.Advance(20 * ms)
			c.WantEvents(line, "hexpired h", "hexpired h", "del h")
			c.Want("DBSIZE", "0")
		})
	}
}

func TestHExpire_CommandsThatKeepOrRemoveTheExpiry(t *testing.T) {
	for line, left := range map[string]string{
		"HSET h a 5":                    "[-1]",
		"HMSET h a 5":                   "[-1]",
		"HSETEX h FIELDS 1 a 5":         "[-1]",
		"HGETEX h PERSIST FIELDS 1 a":   "[-1]",
		"HINCRBY h a 1":                 "[100]",
		"HINCRBYFLOAT h a 1":            "[100]",
		"HSETEX h KEEPTTL FIELDS 1 a 5": "[100]",
		"HSETNX h a 5":                  "[100]",
		"HGETEX h FIELDS 1 a":           "[100]",
		"HDEL h a":                      "[-2]",
		"HGETDEL h FIELDS 1 a":          "[-2]",
		"PERSIST h":                     "[100]",
		"EXPIRE h 5":                    "[100]",
	} {
		commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
			c.Want("HSET h a 1 b 2", "2", "HEXPIRE h 100 FIELDS 1 a", "[1]")
			c.Do(line)
			c.Want("HTTL h FIELDS 1 a", left)
		})
	}
}

func TestHExpire_RenameCopyAndMoveKeepTheExpiry(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("HSET h a 1 b 2", "2", "HEXPIRE h 100 FIELDS 1 a", "[1]",
			"COPY h copy", "1", "RENAME h named", "OK", "COPY h far DB 1", "0", "COPY named far DB 1", "1",
			"MOVE named 1", "1",
			"HTTL copy FIELDS 2 a b", "[100 -1]", "SELECT 1", "OK",
			"HTTL named FIELDS 2 a b", "[100 -1]", "HTTL far FIELDS 2 a b", "[100 -1]")
		pass(c, 100*time.Second)
		c.Want("HGETALL named", `["b" "2"]`, "HGETALL far", `["b" "2"]`, "SELECT 0", "OK", "HGETALL copy", `["b" "2"]`)
	})
}

func TestHExpire_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("HSET h a 1 b 2 c 3")
		c.WantEvents("HEXPIRE h 100 FIELDS 3 a b missing", "hexpire h")
		c.WantEvents("HEXPIRE h 100 NX FIELDS 2 a missing")
		c.WantEvents("HPERSIST h FIELDS 2 b c", "hpersist h")
		c.WantEvents("HPERSIST h FIELDS 2 b c")
		c.WantEvents("HTTL h FIELDS 1 a")
		c.WantEvents("HEXPIRE h 0 FIELDS 1 c", "hdel h")
		c.WantEvents("HINCRBY h a 1", "hincrby h")
		c.Want("PEXPIRE h 100000", "1")
		c.TakeEvents()
		pass(c, 100*time.Second)
		require.Equal(t, []string{"expired h"}, c.TakeEvents())
	})
}

// The clock advances in one step, but each event comes at its own time.
func TestHExpire_EventsOfFieldsAndKeysAreInOrder(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 20 {
			c.Do(fmt.Sprintf("HSET {t}h%d a 1 b 2", i))
			c.Do(fmt.Sprintf("HPEXPIRE {t}h%d %d FIELDS 1 a", i, 100+i))
			c.Do(fmt.Sprintf("HPEXPIRE {t}h%d %d FIELDS 1 b", i, 300-i))
			c.Do(fmt.Sprintf("SET {t}k%d x PX %d", i, 100+10*i))
		}
		var want []string
		for at := range 301 {
			if at >= 100 && at%10 == 0 && at < 300 {
				want = append(want, fmt.Sprintf("expired {t}k%d", (at-100)/10))
			}
			if at >= 100 && at < 120 {
				want = append(want, fmt.Sprintf("hexpired {t}h%d", at-100))
			}
			if at > 280 {
				want = append(want, fmt.Sprintf("hexpired {t}h%d", 300-at), fmt.Sprintf("del {t}h%d", 300-at))
			}
		}
		c.TakeEvents()
		pass(c, time.Second)
		require.Equal(t, want, c.TakeEvents())
	})
}

// A script that uses an undeclared key is rolled back, with the expiry of fields, and restarts.
func TestHExpire_RestartUndoesIt(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("HSET h a 1 b 2", "2", "HEXPIRE h 100 FIELDS 1 a", "[1]")
		const script = `redis.call('HPERSIST', KEYS[1], 'FIELDS', 1, 'a')
			redis.call('HEXPIRE', KEYS[1], 50, 'NX', 'FIELDS', 1, 'b')
			for i = 1, 20 do redis.call('EXISTS', 'k' .. i) end
			return redis.call('HTTL', KEYS[1], 'FIELDS', 2, 'a', 'b')`
		c.TakeEvents()
		require.Equal(t, "[-1 50]", c.DoArgs([]byte("EVAL"), []byte(script), []byte("1"), []byte("h")))
		pass(c, 50*time.Second)
		c.Want("HGETALL h", `["a" "1"]`)
	})
}

func TestHExpire_ModifiesWatchedKey(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("HSET h a 1 b 2", "2", "HPEXPIRE h 10 FIELDS 1 a", "[1]", "WATCH h", "OK")
		c.Clock.Advance(10 * ms)
		c.Want("MULTI", "OK", "HGETALL h", "QUEUED", "EXEC", "nil-array")
	})
}

func TestHExpire_DoesNotExpireTheKey(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("HSET h a 1 b 2", "2", "HPEXPIRE h 10 FIELDS 1 a", "[1]", "TTL h", "-1")
		require.Contains(t, c.Do("INFO keyspace"), "keys=1,expires=0,avg_ttl=0")
	})
}
