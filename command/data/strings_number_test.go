package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestIncr(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"INCR n", "1",
			"INCR n", "2",
			"INCRBY n 40", "42",
			"DECR n", "41",
			"DECRBY n 50", "-9",
			"INCRBY n -1", "-10",
			"GET n", `"-10"`,
			"EXPIRE n 100", "1",
			"INCR n", "-9",
			"TTL n", "100",
		)
	})
}

func TestIncr_Overflow(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET n 9223372036854775807", "OK",
			"INCR n", "ERR increment or decrement would overflow",
			"INCRBY n 0", "9223372036854775807",
			"DECRBY n -1", "ERR increment or decrement would overflow",
			"SET n -9223372036854775808", "OK",
			"DECR n", "ERR increment or decrement would overflow",
			"INCRBY n -1", "ERR increment or decrement would overflow",
			"INCRBY n 9223372036854775807", "-1",
			"DECRBY n -9223372036854775808", "ERR decrement would overflow",
			"INCRBY n 9223372036854775808", "ERR value is not an integer or out of range",
			"GET n", `"-1"`,
		)
	})
}

func TestIncr_NotANumber(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"INCRBY n a", "ERR value is not an integer or out of range",
			"INCRBY n 1.0", "ERR value is not an integer or out of range",
			"SET n ''", "OK",
			"INCR n", "ERR value is not an integer or out of range",
			"SET n 01", "OK",
			"INCR n", "ERR value is not an integer or out of range",
			"SET n +1", "OK",
			"INCR n", "ERR value is not an integer or out of range",
			"SET n -0", "OK",
			"INCR n", "ERR value is not an integer or out of range",
			"SET n 1.0", "OK",
			"INCR n", "ERR value is not an integer or out of range",
			"SET n 99999999999999999999", "OK",
			"INCR n", "ERR value is not an integer or out of range",
			"HSET h f v", "1",
			"INCR h", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"INCRBY h a", "ERR value is not an integer or out of range",
		)
	})
}

func TestIncrByFloat(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"INCRBYFLOAT n 0.1", `"0.1"`,
			"INCRBYFLOAT n 0.2", `"0.3"`,
			"INCRBYFLOAT n -0.3", `"0"`,
			"INCRBYFLOAT n 3.0e3", `"3000"`,
			"INCRBYFLOAT n 200", `"3200"`,
			"EXPIRE n 100", "1",
			"INCRBYFLOAT n 1", `"3201"`,
			"TTL n", "100",
			"SET n 5.0", "OK",
			"INCRBYFLOAT n 0", `"5"`,
			"INCR n", "6",
		)
	})
}

// Redis parses the value of the key before the increment.
func TestIncrByFloat_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"INCRBYFLOAT n a", "ERR value is not a valid float",
			"INCRBYFLOAT n nan", "ERR value is not a valid float",
			"INCRBYFLOAT n inf", "ERR increment would produce NaN or Infinity",
			"EXISTS n", "0",
			"SET n abc", "OK",
			"INCRBYFLOAT n 1", "ERR value is not a valid float",
			"INCRBYFLOAT n b", "ERR value is not a valid float",
			"SET n inf", "OK",
			"INCRBYFLOAT n -inf", "ERR increment would produce NaN or Infinity",
			"SET n 1e4932", "OK",
			"INCRBYFLOAT n 1e4932", "ERR increment would produce NaN or Infinity",
			"HSET h f v", "1",
			"INCRBYFLOAT h a", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}
