package data

import (
	"math"

	"github.com/minilockd/minilockd/command"
)

// maxPicked bounds how many elements, which may come more than once, one reply holds: 800 MB before they are sent.
// Redis has no bound, and ends for want of memory.
const maxPicked = 1 << 25

// tooManyPicks reports whether a count of random elements, negative where they may come more than once, asks for more
// than fits into a reply. Each takes width elements of it.
func tooManyPicks(count, width int) bool { return count < -maxPicked/width }

// pickWidth is how many elements of the reply a picked one takes.
func pickWidth(withValue bool) int {
	if withValue {
		return 2
	}
	return 1
}

// checkPickRange is errValueRange where a count of elements with a value each can't be doubled, as in Redis.
func checkPickRange(c *command.Call, i int) error {
	_, err := c.IntBetween(i, -math.MaxInt64/2, math.MaxInt64/2, errValueRange)
	return err
}
