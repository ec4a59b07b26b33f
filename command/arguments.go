package command

import (
	"math"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// IntBetween parses argument i as an integer between low and high. Outside that range the error is otherwise, or if
// that is nil the error that Redis has for most ranges.
func (c *Call) IntBetween(i int, low, high int64, otherwise error) (int64, error) {
	n, err := c.Int(i)
	switch {
	case err != nil || low <= n && n <= high:
		return n, err
	case otherwise == nil:
		otherwise = words.Errorf("ERR value is out of range, value must between %d and %d", low, high)
	}
	return 0, otherwise
}

// Int32 parses argument i as an integer that fits a C int, such as the number of a database.
func (c *Call) Int32(i int) (int64, error) { return c.IntBetween(i, math.MinInt32, math.MaxInt32, nil) }

// Count parses argument i as the count of SRANDMEMBER and its like. A negative count allows repetitions, so its
// magnitude must be an int64, too.
func (c *Call) Count(i int) (int, error) {
	n, err := c.IntBetween(i, -math.MaxInt64, math.MaxInt64, nil)
	return ToInt(n), err
}

// AtLeast parses argument i as an integer of at least least. The error is otherwise in all other cases.
func (c *Call) AtLeast(i, least int, otherwise error) (int, error) {
	n, err := c.Index(i)
	if err != nil || n < least {
		return 0, otherwise
	}
	return n, nil
}

// Span parses arguments i and i+1 as the first and the last index of a range; see store.SpanOf.
func (c *Call) Span(i int) (start, stop int, err error) {
	if start, err = c.Index(i); err != nil {
		return 0, 0, err
	}
	stop, err = c.Index(i + 1)
	return start, stop, err
}

// OKOr returns the reply OK, or the error if there is one.
func (c *Call) OKOr(err error) resp.Value { return c.FailOr(err, resp.OK) }

// FailOr returns the error reply for err, or missing if err is nil: the usual end of a lookup that found no value.
func (c *Call) FailOr(err error, missing resp.Value) resp.Value {
	if err != nil {
		return c.Fail(err)
	}
	return missing
}

// Strings returns the arguments as strings, which are copies.
func Strings(args [][]byte) []string {
	out := make([]string, len(args))
	for i, w := range args {
		out[i] = string(w)
	}
	return out
}

// CopyArgs returns a copy of arguments that must outlive their request, whose buffer is reused. All of them are in one
// allocation.
func CopyArgs(args [][]byte) [][]byte {
	size := 0
	for _, arg := range args {
		size += len(arg)
	}
	buf, copies := make([]byte, 0, size), make([][]byte, len(args))
	for i, arg := range args {
		start := len(buf)
		buf = append(buf, arg...)
		copies[i] = buf[start:len(buf):len(buf)]
	}
	return copies
}

// CheckDatabases returns an error unless all numbers are indexes of databases.
func (c *Call) CheckDatabases(numbers ...int64) error {
	for _, n := range numbers {
		if n < 0 || n >= int64(c.Env().Store.Databases()) {
			return errDBIndex
		}
	}
	return nil
}
