package data

import (
	"math"

	"github.com/minilockd/minilockd/command"
)

// The numbers that set an expiry are parsed here (EXPIRE, SET and HEXPIRE command pages), but for the ttl of RESTORE,
// whose rules are its own. The commands differ in their range: SET takes positive numbers only, EXPIRE any number,
// HEXPIRE numbers from 0 to maxFieldTime. A number that leaves the range once it is in ms is an "invalid expire time"
// too. Relative times count from Tx.Latest, so all commands of a transaction agree on the time, until a script calls
// TIME.

// expiryUnit is the unit of such a number, in ms, and whether it counts from now or from the Unix epoch.
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

// expiryOptions are the options of SET and GETEX that are followed by such a number.
var expiryOptions = [...]struct {
	name string
	unit expiryUnit
}{{"ex", seconds}, {"px", milliseconds}, {"exat", unixSeconds}, {"pxat", unixMilliseconds}}

// expiryOption returns the unit that argument i names: EX, PX, EXAT or PXAT.
func expiryOption(c *command.Call, i int) (unit expiryUnit, ok bool) {
	for _, o := range expiryOptions {
		if c.Is(i, o.name) {
			return o.unit, true
		}
	}
	return expiryUnit{}, false
}

// expiry reads argument i as an expiry and returns it as a Unix time in ms, which may have passed and may be
// negative.
func expiry(c *command.Call, i int, unit expiryUnit) (when int64, err error) {
	n, err := c.Int(i)
	if err != nil {
		return 0, err
	}
	return unixMilli(c, n, unit, math.MaxInt64)
}

// positiveExpiry is expiry for commands that reject 0 and negative numbers.
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

// unixMilli converts a number to a Unix time in ms. It is an invalid expire time beyond last, and where int64
// overflows.
func unixMilli(c *command.Call, n int64, unit expiryUnit, last int64) (when int64, err error) {
	// Checked before the multiplication, which must not overflow.
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

// fromUnixMilli is the inverse of unixMilli, but in ms: the time left until when, at least 0, or when itself.
func (u expiryUnit) fromUnixMilli(c *command.Call, when int64) int64 {
	if u.relative {
		return max(0, when-c.Tx.Latest())
	}
	return when
}

// passed reports whether a new expiry has passed, so that the key or field need not be kept. While keys are imported it
// is kept: what imports it deletes it.
func passed(c *command.Call, when int64) bool { return when <= c.Tx.Latest() && !c.Tx.Importing() }
