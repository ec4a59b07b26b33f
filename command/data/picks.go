package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// HRANDFIELD, SRANDMEMBER and ZRANDMEMBER take a count: at most so many different elements if it is positive, exactly
// so many with repetitions if it is negative (their command pages). A negative count does not depend on the size of the
// value, so it has limits of its own.

// errValueRange is Redis' error for a count that would overflow, and here also that for more than maxPicked elements.
var errValueRange = errors.New("ERR value is out of range")

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

// parsePicks parses the count for a hash or a sorted set, and the option that may follow it: WITHVALUES or WITHSCORES.
// The count must be an integer before anything else is an error.
func parsePicks(c *command.Call, option string) (count int, withValues bool, err error) {
	count, err = c.Count(2)
	withValues = c.Is(3, option)
	switch {
	case err != nil:
		return 0, false, err
	case c.Len() > 4 || c.Len() == 4 && !withValues:
		return 0, false, command.ErrSyntax
	case withValues:
		return count, true, checkPickRange(c, 2)
	}
	return count, false, nil
}

// pickElements returns up to count different elements, or -count elements with repetitions if count is negative. Each
// is followed by its value if withValues is set. sample and pick are the methods of a hash or a sorted set.
func pickElements[V any](
	count int, withValues bool, sample, pick func(int, func(elem []byte, value V)), reply func(V) resp.Value,
) (elems []resp.Value) {
	add := func(elem []byte, value V) {
		elems = append(elems, resp.Bulk(elem))
		if withValues {
			elems = append(elems, reply(value))
		}
	}
	if count >= 0 {
		sample(count, add)
		return elems
	}
	elems = make([]resp.Value, 0, -count*pickWidth(withValues))
	pick(-count, add)
	return elems
}
