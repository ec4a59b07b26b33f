package data_test

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestHRandField(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h f v", "1",
			"HRANDFIELD h", `"f"`,
			"HSET empty '' v", "1",
			"HRANDFIELD empty", `""`,
			"HRANDFIELD h 1", `["f"]`,
			"HRANDFIELD h 5", `["f"]`,
			"HRANDFIELD h -3", `["f" "f" "f"]`,
			"HRANDFIELD h 0", "[]",
			"HRANDFIELD h 5 WITHVALUES", `["f" "v"]`,
			"HRANDFIELD h -2 withvalues", `["f" "v" "f" "v"]`,
			"HRANDFIELD h 9223372036854775807", `["f"]`,
			"HRANDFIELD missing", "nil",
			"HRANDFIELD missing 5", "[]",
			"HRANDFIELD missing -5 WITHVALUES", "[]",
		)
		c.Do("HELLO 3")
		c.Want(
			"HRANDFIELD h 5 WITHVALUES", `[["f" "v"]]`,
			"HRANDFIELD h -2 WITHVALUES", `[["f" "v"] ["f" "v"]]`,
			"HRANDFIELD missing", "nil",
			"HRANDFIELD missing 5 WITHVALUES", "[]",
		)
	})
}

func TestHRandField_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HRANDFIELD missing a", "ERR value is not an integer or out of range",
			"HRANDFIELD missing 1 FOO", "ERR syntax error",
			"HRANDFIELD missing 1 WITHVALUES FOO", "ERR syntax error",
			"HRANDFIELD missing -9223372036854775808",
			"ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807",
			"HRANDFIELD missing 9223372036854775807 WITHVALUES", "ERR value is out of range",
			"HRANDFIELD missing -9223372036854775807 WITHVALUES", "ERR value is out of range",
			"SET s x", "OK",
			"HRANDFIELD s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HRANDFIELD s a", "ERR value is not an integer or out of range",
			"HRANDFIELD s 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestHScan(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2 ab 3", "3",
			"HSCAN h 0", `["0" ["a" "1" "b" "2" "ab" "3"]]`,
			"HSCAN h 0 MATCH a*", `["0" ["a" "1" "ab" "3"]]`,
			"HSCAN h 0 MATCH a* COUNT 1", `["0" ["a" "1" "ab" "3"]]`,
			"HSCAN h 0 NOVALUES", `["0" ["a" "b" "ab"]]`,
			"HSCAN h 0 MATCH a* novalues COUNT 1", `["0" ["a" "ab"]]`,
			"HSCAN h 0 NOVALUES MATCH", "ERR syntax error",
			"SCAN 0 NOVALUES", "ERR NOVALUES option can only be used in HSCAN",
			"HSCAN h 0 MATCH x", `["0" []]`,
			"HSCAN h 0 MATCH ''", `["0" []]`,
			"HSCAN missing 0", `["0" []]`,
		)
	})
}

// Redis parses the cursor, then looks up the key, then parses the options.
func TestHScan_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSCAN missing a", "ERR invalid cursor",
			"HSCAN missing 0 FOO", `["0" []]`,
			"HSET h f v", "1",
			"HSCAN h 0 FOO", "ERR syntax error",
			"HSCAN h 0 MATCH", "ERR syntax error",
			"HSCAN h 0 COUNT", "ERR syntax error",
			"HSCAN h 0 COUNT 0", "ERR syntax error",
			"HSCAN h 0 COUNT a", "ERR value is not an integer or out of range",
			"HSCAN h 0 TYPE string", "ERR syntax error",
			"SET s x", "OK",
			"HSCAN s a", "ERR invalid cursor",
			"HSCAN s 0 FOO", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestHRandField_IsDistinctUnlessNegative(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 1000 { // more than a listpack holds
			c.Do(fmt.Sprintf("HSET h f%d %d", i, i))
		}
		for _, count := range []int{1, 100, 600, 1000} {
			seen := map[string]bool{}
			for _, field := range elements(c.Do(fmt.Sprint("HRANDFIELD h ", count))) {
				seen[field] = true
			}
			require.Len(t, seen, count)
		}
		require.Len(t, elements(c.Do("HRANDFIELD h -5000")), 5000)
		pairs := elements(c.Do("HRANDFIELD h 50 WITHVALUES"))
		require.Len(t, pairs, 100)
		for i := 0; i < len(pairs); i += 2 {
			require.Equal(t, pairs[i], "f"+pairs[i+1])
		}
	})
}

func TestHScan_ReturnsFieldsThatStay(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 600 {
			c.Do(fmt.Sprintf("HSET h f%d v%d", i, i))
		}
		step := 0
		seen := scanAll(c, "HSCAN h %s MATCH f* COUNT 5", func() {
			c.Do(fmt.Sprintf("HSET h extra%d v", step))
			step++
		})
		require.Greater(t, step, 10)
		require.Len(t, seen, 1200)
	})
}
