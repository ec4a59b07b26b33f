package command

import (
	"errors"
	"math"
	"time"
)

var (
	errTimeout = errors.New("ERR timeout is not an integer or out of range")
	// ErrTimeoutNegative is also the error for a timeout whose milliseconds overflow.
	ErrTimeoutNegative = errors.New("ERR timeout is negative")
	errTimeoutFloat    = errors.New("ERR timeout is not a float or out of range")
)

// Seconds parses argument i as a timeout in seconds, with decimals, rounded up to milliseconds as in Redis.
func (c *Call) Seconds(i int) (time.Duration, error) {
	f, err := c.Float(i)
	ms := math.Ceil(f * 1000)
	switch {
	case err != nil:
		return 0, errTimeoutFloat
	case ms < 0 || ms >= math.MaxInt64: // overflows to a negative number in Redis
		return 0, ErrTimeoutNegative
	}
	return time.Duration(min(ms, float64(MaxTimeout))) * time.Millisecond, nil
}

// MaxTimeout is the longest timeout in milliseconds: what a time.Duration holds. Longer ones are cut to it.
const MaxTimeout = math.MaxInt64 / int64(time.Millisecond)

// Milliseconds parses argument i as a timeout in milliseconds.
func (c *Call) Milliseconds(i int) (time.Duration, error) {
	ms, err := c.Int(i)
	switch {
	case err != nil:
		return 0, errTimeout
	case ms < 0:
		return 0, ErrTimeoutNegative
	}
	return time.Duration(min(ms, MaxTimeout)) * time.Millisecond, nil
}
