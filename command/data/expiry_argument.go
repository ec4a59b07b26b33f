package data

import (
	"math"

	"github.com/minilockd/minilockd/command"
)

// A number in a command that says when a key or a field expires is read here, and nowhere else. What the commands
// differ in is which numbers they take: SET only positive ones, EXPIRE any, HEXPIRE none below 0 or beyond
// maxFieldTime.

// expiryUnit is what such a number counts: so many milliseconds each, from now or from the epoch.
type expiryUnit struct {
	ms       int64
	relative bool
}

var (
	seconds          = expiryUnit{1000, true}
	milliseconds     = expiryUnit{1, true}
	unixSeconds      = expiryUnit{1000, false}
	unixMilliseconds = expiryUnit{1, false}
)

// expiryOptions are the words that stand before such a number where it is optional.
var expiryOptions = [...]struct {
	name string
	unit expiryUnit
}{{"ex", seconds}, {"px", milliseconds}, {"exat", unixSeconds}, {"pxat", unixMilliseconds}}

// expiryOption returns what the number counts that follows argument i, if that is EX, PX, EXAT or PXAT.
func expiryOption(c *command.Call, i int) (unit expiryUnit, ok bool) {
	for _, o := range expiryOptions {
		if c.Is(i, o.name) {
			return o.unit, true
		}
	}
	return expiryUnit{}, false
}

// expiry reads argument i as a moment in ms since the epoch. It may have passed, and be negative.
func expiry(c *command.Call, i int, unit expiryUnit) (when int64, err error) {
	n, err := c.Int(i)
	if err != nil {
		return 0, err
	}
	return unixMilli(c, n, unit, math.MaxInt64)
}

// positiveExpiry is expiry for a number above 0.
func positiveExpiry(c *command.Call, i int, unit expiryUnit) (when int64, err error) {
	n, err := c.Int(i)
	switch {
	case err != nil:
		return 0, err
	case n <= 0:
		return 0, command.ErrInvalidExpire(c.Cmd)
	}
	return unixMilli(c, n, unit, math.MaxInt64)
}

// moment is the moment that a number stands for, which must not lie beyond last.
func unixMilli(c *command.Call, n int64, unit expiryUnit, last int64) (when int64, err error) {
	if n > last/unit.ms || n < math.MinInt64/unit.ms {
		return 0, command.ErrInvalidExpire(c.Cmd)
	}
	when = n * unit.ms
	if !unit.relative {
		return when, nil
	}
	now := c.Tx.Latest()
	if when > last-now {
		return 0, command.ErrInvalidExpire(c.Cmd)
	}
	return when + now, nil
}

// rest is the opposite of moment, in ms: what is left of the time until when, or when itself.
func (u expiryUnit) fromUnixMilli(c *command.Call, when int64) int64 {
	if u.relative {
		return max(0, when-c.Tx.Latest())
	}
	return when
}
