package command

import (
	"math"
)

// IntBetween reads the i-th word as an integer from low to high, both allowed.
func (c *Call) IntBetween(i int, low, high int64) (int64, error) {
	n, err := c.Int(i)
	if err != nil {
		return 0, err
	}
	if n < low || n > high {
		return 0, errorf("ERR value is out of range, value must between %d and %d", low, high)
	}
	return n, nil
}

// Int32 reads the i-th word as what fits a C int: numbers of databases.
func (c *Call) Int32(i int) (int64, error) { return c.IntBetween(i, math.MinInt32, math.MaxInt32) }

// Count reads the i-th word as the count of SRANDMEMBER and its like, which is negative where repetitions are wanted.
func (c *Call) Count(i int) (int, error) {
	n, err := c.IntBetween(i, -math.MaxInt64, math.MaxInt64)
	return clampInt(n), err
}
