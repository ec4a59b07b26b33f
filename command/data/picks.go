package data

import (
	"math"

	"github.com/minilockd/minilockd/command"
)

// HRANDFIELD, SRANDMEMBER and ZRANDMEMBER take a count: at most so many different elements if it is positive, exactly
// so many with repetitions if it is negative (HRANDFIELD command page). A negative count does not depend on the size
// of the value, so it has limits of its own.

// maxPicked limits the elements of a reply with repetitions: they take 800 MB before they are sent. Redis has no
// limit and runs out of memory.
const maxPicked = 1 << 25

// tooManyPicks reports whether a reply for the count would have more than maxPicked elements, width of them for each
// repetition. Positive counts never do: the value is in memory already.
func tooManyPicks(count, width int) bool { return count < -maxPicked/width }

// pickWidth returns how many elements of the reply belong to one picked element.
func pickWidth(withValue bool) int {
	if withValue {
		return 2
	}
	return 1
}

// checkPickRange returns errValueRange if argument i can't be doubled: Redis checks that before it replies with
// values.
func checkPickRange(c *command.Call, i int) error {
	_, err := c.IntBetween(i, -math.MaxInt64/2, math.MaxInt64/2, errValueRange)
	return err
}
