package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestHIncrBy(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HINCRBY h f 5", "5",
			"HINCRBY h f -7", "-2",
			"HINCRBY h g 1", "1",
			"HGETALL h", `["f" "-2" "g" "1"]`,
			"HSET h f 9223372036854775807", "0",
			"HINCRBY h f 1", "ERR increment or decrement would overflow",
			"HINCRBY h f 0", "9223372036854775807",
			"HSET h f -9223372036854775808", "0",
			"HINCRBY h f -1", "ERR increment or decrement would overflow",
			"EXPIRE h 100", "1",
			"HINCRBY h g 1", "2",
			"TTL h", "100",
		)
	})
}

func TestHIncrBy_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HINCRBY missing f a", "ERR value is not an integer or out of range",
			"EXISTS missing", "0",
			"HSET h f abc e ''", "2",
			"HINCRBY h f 1", "ERR hash value is not an integer",
			"HINCRBY h f a", "ERR value is not an integer or out of range",
			"HINCRBY h e 1", "ERR hash value is not an integer",
			"SET s x", "OK",
			"HINCRBY s f a", "ERR value is not an integer or out of range",
			"HINCRBY s f 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestHIncrByFloat(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HINCRBYFLOAT h f 0.1", `"0.1"`,
			"HINCRBYFLOAT h f 0.2", `"0.3"`,
			"HINCRBYFLOAT h f -1.5e2", `"-149.7"`,
			"HINCRBYFLOAT h g 0", `"0"`,
			"HGETALL h", `["f" "-149.7" "g" "0"]`,
		)
	})
}

func TestHIncrByFloat_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HINCRBYFLOAT h f a", "ERR value is not a valid float",
			"HINCRBYFLOAT h f inf", "ERR value is NaN or Infinity",
			"HINCRBYFLOAT h f nan", "ERR value is not a valid float",
			"EXISTS h", "0",
			"HSET h f abc i inf l 1e4932", "3",
			"HINCRBYFLOAT h f 1", "ERR hash value is not a float",
			"HINCRBYFLOAT h f b", "ERR value is not a valid float",
			"HINCRBYFLOAT h i 1", "ERR increment would produce NaN or Infinity",
			"HINCRBYFLOAT h l 1e4932", "ERR increment would produce NaN or Infinity",
			"SET s x", "OK",
			"HINCRBYFLOAT s f a", "ERR value is not a valid float",
			"HINCRBYFLOAT s f inf", "ERR value is NaN or Infinity",
			"HINCRBYFLOAT s f 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}
