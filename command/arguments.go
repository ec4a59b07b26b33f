package command

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var (
	errNumKeys     = errors.New("ERR numkeys should be greater than 0")
	errCountTooLow = errors.New("ERR count should be greater than 0")
	errLimitTooLow = errors.New("ERR LIMIT can't be negative")
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
	return clampInt(n), err
}

// atLeast reads argument i as an integer not below least; for all else it returns the error given.
func (c *Call) atLeast(i, least int, otherwise error) (int, error) {
	n, err := c.Index(i)
	if err != nil || n < least {
		return 0, otherwise
	}
	return n, nil
}

// ends reads a first and a last position; see store.SpanOf.
func (c *Call) ends(i int) (start, stop int, err error) {
	if start, err = c.Index(i); err != nil {
		return 0, 0, err
	}
	stop, err = c.Index(i + 1)
	return start, stop, err
}

// failOr is the reply of a command that found no value: the error if there is one, else what Redis answers for a missing key.
func (c *Call) failOr(err error, missing resp.Value) resp.Value {
	if err != nil {
		return c.Fail(err)
	}
	return missing
}

// keep stores the result of a command under a key, whatever was there, and returns its length. An empty result only
// removes the key.
func (c *Call) keep(key []byte, v store.Value, length int, class store.EventClass, event string) resp.Value {
	if length > 0 {
		c.Tx.Put(key, v, false)
		c.Changed(key, class, event)
	} else if c.Tx.Delete(key) {
		c.Changed(key, store.EventGeneric, "del")
	}
	return resp.Int(int64(length))
}

// mpopOptions are the words of LMPOP and ZMPOP.
type mpopOptions struct {
	keys  [][]byte
	upper bool // pop from the end that the second word names
	count int
}

// parseMpop reads a number of keys, the keys, the end to pop from, which is one of two words, and a count.
func parseMpop(c *Call, lower, upper string) (o mpopOptions, err error) {
	o.count = 1
	keys, err := c.atLeast(1, 1, errNumKeys)
	at := keys + 2 // of the end's name
	switch {
	case err != nil:
		return o, err
	case keys >= c.Len()-2, !c.Is(at, lower) && !c.Is(at, upper):
		return o, errSyntax
	}
	o.keys, o.upper = c.Args[2:at], c.Is(at, upper)
	switch {
	case c.Len() == at+1:
		return o, nil
	case !c.Is(at+1, "count") || c.Len() < at+3:
		return o, errSyntax
	}
	if o.count, err = c.atLeast(at+2, 1, errCountTooLow); err == nil && c.Len() > at+3 {
		err = errSyntax
	}
	return o, err
}

// storeValue is a type of values in the store, each of which has a nil that stands for a missing key.
type storeValue interface {
	store.Value
	comparable
}

// firstOf returns the first of the keys that exists, and its value to be changed; nil if there is none. A key of
// another type before it is an error.
func firstOf[T storeValue](c *Call, keys [][]byte) (key []byte, v T, err error) {
	for _, key := range keys {
		if !c.Tx.Exists(key) {
			continue
		}
		v, err := store.Write[T](c.Tx, key)
		return key, v, err
	}
	return nil, v, nil
}
