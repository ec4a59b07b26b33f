package data

import (
	"errors"
	"math"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// INCR and its variants keep the number as the text of the string (INCR command page). Integers are int64, floats are
// long double (longdouble.go). The event of INCR, DECR and DECRBY is "incrby", since Redis runs them all as INCRBY.
// Redis stores small integers as such, but no client sees a difference: OBJECT ENCODING computes it from the text.

// numberCommands are INCR and its variants. All of them create a missing key as 0 before they add.
var numberCommands = []command.Command{
	{Name: "decr", Usage: "key", Arity: 2, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "1.0.0",
		Summary: "Decrements the integer value of a key by one. Uses 0 as initial value.", Run: incrOne(-1)},
	{Name: "decrby", Usage: "key decrement", Arity: 3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "1.0.0",
		Summary: "Decrements the integer value of a key by a number. Uses 0 as initial value.", Run: decrby},
	{Name: "incr", Usage: "key", Arity: 2, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "1.0.0",
		Summary: "Increments the integer value of a key by one. Uses 0 as initial value.", Run: incrOne(1)},
	{Name: "incrby", Usage: "key increment", Arity: 3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "1.0.0",
		Summary: "Increments the integer value of a key by a number. Uses 0 as initial value.", Run: incrby},
	{Name: "incrbyfloat", Usage: "key increment", Arity: 3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "2.6.0",
		Summary: "Increments the floating point value of a key by a number. Uses 0 as initial value.",
		Run:     incrbyfloat},
}

var errDecrOverflow = errors.New("ERR decrement would overflow")

// incrOne returns the handler of INCR key or DECR key, which reply the new value.
func incrOne(by int64) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value { return increment(c, c.Key(1), by) }
}

// incrby implements INCRBY key increment. It parses the increment before it looks the key up.
func incrby(c *command.Call) resp.Value {
	by, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	return increment(c, c.Key(1), by)
}

// decrby implements DECRBY key decrement. It rejects the one decrement whose negative overflows.
func decrby(c *command.Call) resp.Value {
	by, err := c.Int(2)
	switch {
	case err != nil:
		return c.Fail(err)
	case by == math.MinInt64:
		return c.Fail(errDecrOverflow)
	}
	return increment(c, c.Key(1), -by)
}

// increment adds to the integer of a key. A missing key counts as 0; an overflow changes nothing. The string must be
// what an int64 prints as: neither blanks nor a plus sign nor leading zeros.
func increment(c *command.Call, key []byte, by int64) resp.Value {
	s, err := writeString(c, key)
	if err != nil {
		return c.Fail(err)
	}
	n := int64(0)
	if s != nil {
		if n, err = command.ParseInt(s.Bytes()); err != nil {
			return c.Fail(err)
		}
	}
	sum, err := addInts(n, by)
	if err != nil {
		return c.Fail(err)
	}
	var buf [20]byte
	overwrite(c, key, s, strconv.AppendInt(buf[:0], sum, 10))
	c.Changed(key, store.EventString, "incrby")
	return resp.Int(sum)
}

// overwrite sets the content of a string, or creates the key if s is nil. The key keeps its expiry.
func overwrite(c *command.Call, key []byte, s *store.String, content []byte) {
	if s != nil {
		s.Set(content)
		return
	}
	c.Tx.Put(key, store.NewString(content), false)
}

// addInts returns a + b, or ErrOverflow.
func addInts(a, b int64) (int64, error) {
	sum := a + b
	if (sum > a) != (b > 0) {
		return 0, command.ErrOverflow
	}
	return sum, nil
}

// incrbyfloat implements INCRBYFLOAT key increment, and replies the sum as a string, in RESP3 too. It reads the value
// before the increment: if neither is a float, the error is the same.
func incrbyfloat(c *command.Call) resp.Value {
	key := c.Key(1)
	s, err := writeString(c, key)
	if err != nil {
		return c.Fail(err)
	}
	n := newLongDouble()
	if s != nil {
		if n, err = parseLongDouble(s.Bytes()); err != nil {
			return c.Fail(err)
		}
	}
	by, err := parseLongDouble(c.Arg(2))
	if err != nil {
		return c.Fail(err)
	}
	sum, err := addLongDoubles(n, by)
	if err != nil {
		return c.Fail(err)
	}
	text := formatLongDouble(sum)
	if s != nil {
		s.SetText(text)
	} else {
		s = new(store.String)
		s.SetText(text)
		c.Tx.Put(key, s, false)
	}
	c.Changed(key, store.EventString, "incrbyfloat")
	if c.Propagates() {
		c.PropagateAs("SET", key, text, []byte("KEEPTTL"))
	}
	return resp.Bulk(text)
}
