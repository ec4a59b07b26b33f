package data_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// elements returns the elements of a reply such as ["a" "b"].
func elements(reply string) []string {
	elems := strings.Fields(strings.Trim(reply, "[]"))
	for i := range elems {
		elems[i] = strings.Trim(elems[i], `"`)
	}
	return elems
}

// scanAll runs a scan to its end and counts how often it returns each element. The cursor replaces %s in line.
func scanAll(c *commandtest.BubbleClient, line string, between func()) map[string]int {
	seen, cursor := map[string]int{}, "0"
	for {
		reply := c.Do(fmt.Sprintf(line, cursor))
		head, rest, _ := strings.Cut(strings.TrimPrefix(reply, "["), " ")
		for _, elem := range elements(rest) {
			seen[elem]++
		}
		if cursor = strings.Trim(head, `"`); cursor == "0" {
			return seen
		}
		between()
	}
}

func TestKeys_Pattern(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("KEYS *", "[]", "MSET one 1 two 2 three 3 t* 4", "OK", `KEYS t\*`, `["t*"]`, "KEYS x*", "[]", "KEYS ''",
			"[]")
		require.ElementsMatch(t, []string{"one", "two", "three", "t*"}, elements(c.Do("KEYS *")))
		require.ElementsMatch(t, []string{"two", "three", "t*"}, elements(c.Do("KEYS t*")))
		require.ElementsMatch(t, []string{"one", "two"}, elements(c.Do("KEYS [ot][nw][eo]")))
		c.Want("SELECT 1", "OK", "KEYS *", "[]")
	})
}

func TestScan_ReturnsEachKeyOnce(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 500 {
			c.Do(fmt.Sprintf("SET key:%d v", i))
		}
		seen := scanAll(c, "SCAN %s COUNT 20", func() {})
		require.Len(t, seen, 500)
		for key, times := range seen {
			require.Equal(t, 1, times, key)
		}
		require.Len(t, scanAll(c, "SCAN %s MATCH key:1? COUNT 1000", func() {}), 10)
	})
}

func TestScan_ReturnsKeysThatStay(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 200 {
			c.Do(fmt.Sprintf("SET stays:%d v", i))
		}
		step := 0
		seen := scanAll(c, "SCAN %s MATCH stays:*", func() {
			c.Do(fmt.Sprintf("SET comes:%d v", step))
			c.Do(fmt.Sprintf("DEL comes:%d", step-30))
			step++
		})
		require.Len(t, seen, 200)
	})
}

func TestScan_Type(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("SET s v", "OK", "HSET h f v", "1")
		for line, want := range map[string]map[string]int{
			"SCAN %s TYPE string":         {"s": 1},
			"SCAN %s TYPE HASH":           {"h": 1},
			"SCAN %s TYPE nosuch":         {},
			"SCAN %s TYPE hash MATCH s":   {},
			"SCAN %s type hash count 100": {"h": 1},
		} {
			require.Equal(t, want, scanAll(c, line, func() {}), line)
		}
	})
}

func TestRandomKey(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("RANDOMKEY", "nil", "MSET a 1 b 2 c 3", "OK")
		seen := map[string]bool{}
		for len(seen) < 3 {
			seen[c.Do("RANDOMKEY")] = true
		}
		require.NotContains(t, seen, "nil")
	})
}

// Without active expiry, SCAN removes the expired keys that it meets.
func TestScan_RemovesExpiredKeys(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("DEBUG SET-ACTIVE-EXPIRE 0", "OK", "SET a 1 PX 10", "OK", "SET b 1", "OK")
		pass(c, 10*ms)
		c.Want("DBSIZE", "2", "SCAN 0 COUNT 100", `["0" ["b"]]`, "DBSIZE", "1")
	})
}

// While CLIENT PAUSE holds expiry, RANDOMKEY gives up to find a key that has not expired only if all may expire.
func TestRandomKey_WhileExpiryIsHeld(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("SET a 1 PX 10", "OK", "SET b 1 PX 10", "OK", "CLIENT PAUSE 1000 WRITE", "OK")
		pass(c, 10*ms)
		require.Contains(t, `"a" "b"`, c.Do("RANDOMKEY"))
		c.Want("CLIENT UNPAUSE", "OK", "RANDOMKEY", "nil")
	})
}

// SWAPDB does not change keys that have expired, so that a transaction which watches one runs.
func TestSwapDB_ExpiredKeysAreNoChange(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("DEBUG SET-ACTIVE-EXPIRE 0", "OK", "SET x 1 PX 10", "OK", "SELECT 1", "OK", "SET x 1 PX 10", "OK")
		pass(c, 10*ms)
		c.Want("WATCH x", "OK", "SWAPDB 0 1", "OK", "MULTI", "OK", "PING", "QUEUED", "EXEC", "[PONG]")
	})
}
