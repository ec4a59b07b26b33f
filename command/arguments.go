package command

import (
	"bytes"
	"math"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// IntBetween reads argument i as an integer from low to high. Outside of that it returns the error given, or if that is
// nil what Redis says about most ranges.
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

// Int32 reads argument i as what fits a C int: numbers of databases.
func (c *Call) Int32(i int) (int64, error) { return c.IntBetween(i, math.MinInt32, math.MaxInt32, nil) }

// Count reads argument i as the count of SRANDMEMBER and its like, which is negative where repetitions are wanted.
func (c *Call) Count(i int) (int, error) {
	n, err := c.IntBetween(i, -math.MaxInt64, math.MaxInt64, nil)
	return ClampInt(n), err
}

// AtLeast reads argument i as an integer not below least; for all else it returns the error given.
func (c *Call) AtLeast(i, least int, otherwise error) (int, error) {
	n, err := c.Index(i)
	if err != nil || n < least {
		return 0, otherwise
	}
	return n, nil
}

// Span reads a first and a last position; see store.SpanOf.
func (c *Call) Span(i int) (start, stop int, err error) {
	if start, err = c.Index(i); err != nil {
		return 0, 0, err
	}
	stop, err = c.Index(i + 1)
	return start, stop, err
}

// OKOr is the reply of a command that says no more than OK.
func (c *Call) OKOr(err error) resp.Value { return c.FailOr(err, resp.OK) }

// FailOr is the reply of a command that found no value: the error if there is one, else what Redis answers for a
// missing key.
func (c *Call) FailOr(err error, missing resp.Value) resp.Value {
	if err != nil {
		return c.Fail(err)
	}
	return missing
}

// Strings copies arguments.
func Strings(args [][]byte) []string {
	out := make([]string, len(args))
	for i, w := range args {
		out[i] = string(w)
	}
	return out
}

// CopyArgs copies arguments that outlive their request.
func CopyArgs(args [][]byte) [][]byte {
	copies := make([][]byte, len(args))
	for i, w := range args {
		copies[i] = bytes.Clone(w)
	}
	return copies
}

func (c *Call) CheckDatabases(numbers ...int64) error {
	for _, n := range numbers {
		if n < 0 || n >= int64(c.Env().Store.Databases()) {
			return errDBIndex
		}
	}
	return nil
}
