package command

import (
	"errors"
	"math"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
)

var (
	errTimeout = errors.New("ERR timeout is not an integer or out of range")
	// ErrTimeoutNegative is also the error of Redis 7.0 for a timeout whose milliseconds overflow.
	ErrTimeoutNegative = errors.New("ERR timeout is negative")
	errTimeoutFloat    = errors.New("ERR timeout is not a float or out of range")
	errTimeoutRange    = errors.New("ERR timeout is out of range")
)

// Seconds parses argument i as a timeout in seconds, with decimals, rounded up to milliseconds as in Redis.
func (c *Call) Seconds(i int) (time.Duration, error) {
	f, err := c.Float(i)
	if err != nil {
		return 0, errTimeoutFloat
	}
	ms := math.Ceil(f * 1000)
	if ms >= math.MaxInt64 {
		return 0, c.timeoutTooLong()
	}
	return c.timeout(int64(max(ms, math.MinInt64)))
}

// MaxTimeout is the longest timeout in milliseconds: what a time.Duration holds. Longer ones are cut to it.
const MaxTimeout = math.MaxInt64 / int64(time.Millisecond)

// Milliseconds parses argument i as a timeout in milliseconds.
func (c *Call) Milliseconds(i int) (time.Duration, error) {
	ms, err := c.Int(i)
	if err != nil {
		return 0, errTimeout
	}
	return c.timeout(ms)
}

// timeout checks a timeout in ms. One whose end is no int64 is an error since Redis 7.2.
func (c *Call) timeout(ms int64) (time.Duration, error) {
	switch {
	case ms < 0:
		return 0, ErrTimeoutNegative
	case ms > MaxTimeout && c.Does(emulate.TimeoutOutOfRange) && ms > math.MaxInt64-c.Tx.Latest():
		return 0, errTimeoutRange
	}
	return time.Duration(min(ms, MaxTimeout)) * time.Millisecond, nil
}

// timeoutTooLong is the error for a timeout whose milliseconds overflow, to a negative number in Redis 7.0.
func (c *Call) timeoutTooLong() error {
	if c.Does(emulate.TimeoutOutOfRange) {
		return errTimeoutRange
	}
	return ErrTimeoutNegative
}
