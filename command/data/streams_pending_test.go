package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestStreams_Ack(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Do("SET text x")
		c.Want(
			"XACK s g 1-1 x", invalidStreamID,
			"XACK s g 1-1 1-1 1-3 7-7", "2",
			"XACK s g 1-1", "0",
			"XACK s nosuch x", "0",
			"XACK missing g x", "0",
			"XACK text g 1-1", wrongType,
			"XPENDING s g", `[1 "1-2" "1-2" [["c" "1"]]]`,
		)
	})
}

func TestStreams_Pending(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Want("XPENDING s g", "[0 nil nil nil-array]", "XPENDING s g - + 10", "[]")
		c.Do("XREADGROUP GROUP g c COUNT 2 STREAMS s >")
		c.Do("XREADGROUP GROUP g d STREAMS s >")
		c.Do("XGROUP CREATECONSUMER s g e")
		c.Want(
			"XPENDING s g", `[3 "1-1" "1-3" [["c" "2"] ["d" "1"]]]`,
			"XPENDING s g - + 2", `[["1-1" "c" 0 1] ["1-2" "c" 0 1]]`,
			"XPENDING s g - + 0", "[]",
			"XPENDING s g - + -1", "[]",
			"XPENDING s g (1-1 (1-3 10", `[["1-2" "c" 0 1]]`,
			"XPENDING s g 1-2 1-2 10 d", "[]",
			"XPENDING s g - + 10 d", `[["1-3" "d" 0 1]]`,
			"XPENDING s g - + 10 d overlooked", `[["1-3" "d" 0 1]]`,
			"XPENDING s g - + 10 e", "[]",
			"XPENDING s g - + 10 nobody", "[]",
			"XPENDING s g IDLE 0 - + 10 d", `[["1-3" "d" 0 1]]`,
			"XPENDING s g IDLE 1 - + 10", "[]",
		)
	})
}

func TestStreams_Pending_Errors(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("SET text x")
		c.Want(
			"XPENDING s g - +", "ERR syntax error",
			"XPENDING s g IDLE 1 - +", "ERR syntax error",
			"XPENDING s g IDLE x - +", "ERR value is not an integer or out of range",
			"XPENDING s g IDLE 0 - + 10 c x", "ERR syntax error",
			"XPENDING s g x + y", "ERR value is not an integer or out of range",
			"XPENDING s g x + 1", invalidStreamID,
			"XPENDING s g (18446744073709551615-18446744073709551615 + 1", "ERR invalid start ID for the interval",
			"XPENDING s g - (0-0 1", "ERR invalid end ID for the interval",
			"XPENDING s nosuch", "NOGROUP No such key 's' or consumer group 'nosuch'",
			"XPENDING missing g - + 1", "NOGROUP No such key 'missing' or consumer group 'g'",
			"XPENDING text g", wrongType,
		)
	})
}
