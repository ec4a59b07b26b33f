package clock

import (
	"errors"
	"math"
	"time"
)

// lastMs is the last time that a clock can show: later ones do not fit into nanoseconds since 1970.
const lastMs = math.MaxInt64 / int64(time.Millisecond)

// The errors of times and factors that a clock cannot have, as the commands CLOCK.… reply them.
var (
	errTime     = errors.New("ERR the clock can only show times from 1970 to 2262")
	errBackward = errors.New("ERR CLOCK.ADVANCE only moves the clock forward; CLOCK.SET can set it back")
	errSpeed    = errors.New("ERR speed must be greater than 0 and at most 10000")
)

// CheckAdvance returns an error if a clock that shows now cannot be advanced by so many milliseconds.
func CheckAdvance(now time.Time, ms int64) error {
	switch {
	case ms < 0:
		return errBackward
	case ms > lastMs-now.UnixMilli():
		return errTime
	}
	return nil
}

// CheckTime returns an error if a clock cannot show a time, in milliseconds since 1970.
func CheckTime(ms int64) error {
	if ms < 0 || ms > lastMs {
		return errTime
	}
	return nil
}

// CheckSpeed returns an error if SetSpeed would panic.
func CheckSpeed(factor float64) error {
	if !(0 < factor && factor <= MaxSpeed) { // also if it is no number
		return errSpeed
	}
	return nil
}
