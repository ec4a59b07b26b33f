package data_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestHGetDel(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2 c 3", "3",
			"HGETDEL h FIELDS 3 a missing a", `["1" nil nil]`,
			"HGETALL h", `["b" "2" "c" "3"]`,
			"HGETDEL missing FIELDS 2 a b", "[nil nil]",
			"HGETDEL h FIELD 1 a", "ERR Mandatory argument FIELDS is missing or not at the right position",
			"HGETDEL h FIELDS 0 a", "ERR Number of fields must be a positive integer",
			"HGETDEL h FIELDS 2 a", "ERR The `numfields` parameter must match the number of arguments",
			"SET s x", "OK",
			"HGETDEL s FIELD 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.WantEvents("HGETDEL h FIELDS 1 a")
		c.WantEvents("HGETDEL h FIELDS 2 b c", "hdel h", "del h")
	})
}

func TestHGetEx(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2 c 3", "3",
			"HGETEX h FIELDS 2 a missing", `["1" nil]`,
			"HGETEX missing EX 10 FIELDS 2 a b", "[nil nil]",
			"HGETEX h EX 10 FIELDS 2 a missing", `["1" nil]`,
			"HGETEX h PX 1500 FIELDS 1 b", `["2"]`,
			"HPTTL h FIELDS 3 a b c", "[10000 1500 -1]",
			"HGETEX h EXAT 9000000000 FIELDS 1 a", `["1"]`,
			"HGETEX h PXAT 9000000000001 FIELDS 1 b", `["2"]`,
			"HPEXPIRETIME h FIELDS 2 a b", "[9000000000000 9000000000001]",
			"HGETEX h PERSIST FIELDS 2 a c", `["1" "3"]`,
			"HTTL h FIELDS 1 a", "[-1]",
			"HGETEX h PX 0 FIELDS 2 a a", `["1" nil]`,
			"HGETALL h", `["b" "2" "c" "3"]`,
		)
		c.WantEvents("HGETEX h FIELDS 1 b")
		c.WantEvents("HGETEX h EX 10 FIELDS 2 b c", "hexpire h")
		c.WantEvents("HGETEX h EX 10 FIELDS 1 missing")
		c.WantEvents("HGETEX h PERSIST FIELDS 2 b c", "hpersist h")
		c.WantEvents("HGETEX h PERSIST FIELDS 2 b c")
		c.WantEvents("HGETEX h PXAT 1 FIELDS 2 b c", "hdel h", "del h")
	})
}

func TestHGetEx_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET s x", "OK",
			"HGETEX s EX x FIELDS 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HGETEX h FIELDS 1", "ERR wrong number of arguments for 'hgetex' command",
			"HGETEX h EX 10 FIELDS", "ERR wrong number of arguments for 'hgetex' command",
			"HGETEX h FOO 1 a", "ERR Mandatory argument FIELDS is missing or not at the right position",
			"HGETEX h PXAT 1 1", "ERR wrong number of arguments for 'hgetex' command",
			"HGETEX h PERSIST 1 FIELDS 1 a", "ERR Mandatory argument FIELDS is missing or not at the right position",
			"HGETEX h EX 100 PERSIST FIELDS 1 a",
			"ERR Mandatory argument FIELDS is missing or not at the right position",
			"HGETEX h FIELDS 2 a", "ERR The `numfields` parameter must match the number of arguments",
			"HGETEX h FIELDS -1 a", "ERR Number of fields must be a positive integer",
			"HGETEX h EX x FIELDS 1 a", "ERR value is not an integer or out of range",
			"HGETEX h PX -1 FIELDS 1 a", "ERR invalid expire time, must be >= 0",
			"HGETEX h EXAT 70368744178 FIELDS 1 a", "ERR invalid expire time in 'hgetex' command",
		)
	})
}

func TestHSetEx(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSETEX h FXX FIELDS 1 a 1", "0",
			"EXISTS h", "0",
			"HSETEX h FNX EX 100 FIELDS 2 a 1 b 2", "1",
			"HTTL h FIELDS 2 a b", "[100 100]",
			"HSETEX h FNX FIELDS 2 a 5 c 3", "0",
			"HSETEX h FXX FIELDS 2 a 5 c 3", "0",
			"HSETEX h PX 1500 FXX FIELDS 2 a 5 b 6", "1",
			"HSETEX h KEEPTTL FIELDS 2 a 7 c 8", "1",
			"HPTTL h FIELDS 3 a b c", "[1500 1500 -1]",
			"HSETEX h fields 1 a 9", "1",
			"HGETALL h", `["b" "6" "c" "8" "a" "9"]`,
			"HTTL h FIELDS 1 a", "[-1]",
			"HSETEX h EXAT 9000000000 FIELDS 1 a 1", "1",
			"HSETEX h PXAT 9000000000001 FIELDS 1 b 1", "1",
			"HPEXPIRETIME h FIELDS 2 a b", "[9000000000000 9000000000001]",
		)
		c.WantEvents("HSETEX h FIELDS 1 a 1", "hset h")
		c.WantEvents("HSETEX h FNX FIELDS 1 a 1")
		c.WantEvents("HSETEX h EX 10 FIELDS 2 a 1 b 2", "hset h", "hexpire h")
		c.WantEvents("HSETEX h PX 0 FIELDS 1 c 1", "hset h", "hdel h")
		c.WantEvents("HSETEX new PXAT 5 FIELDS 2 a 1 b 2", "hset new", "hdel new", "del new")
		c.Want("EXISTS new", "0")
		pass(c, 10*time.Second)
		c.Want("EXISTS h", "0")
	})
}

func TestHSetEx_Errors(t *testing.T) {
	const arity = "ERR wrong number of arguments for 'hsetex' command"
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("SET s x", "OK",
			"HSETEX s FIELDS 1 a b", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HSETEX s FIELDS 0 a b", "ERR invalid number of fields",
			"HSETEX h nx FIELDS 1 a b", "ERR unknown argument: nx",
			"HSETEX h 1 FIELDS 1 a b", "ERR unknown argument: 1",
			"HSETEX h EX FIELDS 1 a b", "ERR value is not an integer or out of range",
			"HSETEX h EX 1 FXX EX", "ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified",
			"HSETEX h EXAT -1 1 a b", "ERR invalid expire time, must be >= 0",
			"HSETEX h PXAT 70368744177664 1 a b", "ERR invalid expire time in 'hsetex' command",
		)
		for _, fields := range []string{"x", "0", "-1", "9223372036854775807", "9223372036854775808"} {
			c.Want("HSETEX h FIELDS "+fields+" a b", "ERR invalid number of fields")
		}
		for _, fields := range []string{"1", "2 a b", "2 a b c", "2 a b c d e", "3 a b c d", "1 a b unknown"} {
			c.Want("HSETEX h FIELDS "+fields, arity)
		}
		for _, both := range []string{"FXX FXX", "FXX FNX", "FNX EX 5 FXX"} {
			c.Want("HSETEX h "+both+" FIELDS 1 a b", "ERR Only one of FXX or FNX arguments can be specified")
		}
		for _, both := range strings.Split("EX 1 PX 1|PX 1 PXAT x|KEEPTTL KEEPTTL|EX 1 KEEPTTL|KEEPTTL EXAT 1", "|") {
			c.Want("HSETEX h "+both+" FIELDS 1 a b",
				"ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified")
		}
		c.Want("EXISTS h", "0")
	})
}

// In Valkey, fields that HSETEX sets with an expiry that has passed are no changes, unless they were there.
func TestHSetEx_PastExpiry_Changes(t *testing.T) {
	for server, want := range map[string]int{"8.2": 4, "valkey-9.1": 2} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			changes := func() (n int) {
				_, after, _ := strings.Cut(c.Do("INFO persistence"), "rdb_changes_since_last_save:")
				_, err := fmt.Sscan(after, &n)
				require.NoError(t, err)
				return n
			}
			c.Do("HSET h f v")
			before := changes()
			c.Want("HSETEX h PXAT 1 FIELDS 2 f 1 g 1", "1", "EXISTS h", "0", "HSETEX h PXAT 1 FIELDS 1 f 1", "1",
				"HSETEX h FIELDS 1 f 1", "1")
			require.Equal(t, want, changes()-before, server)
		})
	}
}
