package data

import (
	"errors"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Numbers in hashes: the commands compute as INCRBY and INCRBYFLOAT do (strings_number.go) but have other errors. Both
// update the field in place, so its expiry stays (HEXPIRE command page). Both create a missing hash before they add: a
// missing field counts as 0, so nothing fails after that and no empty hash is left.

var hashNumberCommands = []command.Command{
	{Name: "hincrby", Usage: "key field increment", Arity: 4, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "2.0.0",
		Summary: "Increments the integer value of a field by a number. Uses 0 as initial value.", Run: hincrby},
	{Name: "hincrbyfloat", Usage: "key field increment", Arity: 4, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "2.6.0",
		Summary: "Increments the floating point value of a field by a number. Uses 0 as initial value.",
		Run:     hincrbyfloat},
}

// The errors that tell a bad value in the hash from a bad increment, which has the common error of integers or floats.
// errValueNotFinite is for an infinite increment, errNotFinite for an infinite sum.
var (
	errHashNotInteger = errors.New("ERR hash value is not an integer")
	errHashNotFloat   = errors.New("ERR hash value is not a float")
	errValueNotFinite = errors.New("ERR value is NaN or Infinity")
)

// hincrby implements HINCRBY key field increment, and replies the sum. It parses the increment before it looks the key
// up, and creates the hash before it parses the value. A missing field counts as 0; an overflow changes nothing.
func hincrby(c *command.Call) resp.Value {
	by, err := c.Int(3)
	if err != nil {
		return c.Fail(err)
	}
	key, field := c.Key(1), c.Arg(2)
	volatile := expiresFields(c, key)
	h, err := makeHashFor(c, key, field)
	if err != nil {
		return c.Fail(err)
	}
	n := int64(0)
	value, exists := h.Get(field)
	if exists {
		if n, err = command.ParseInt(value); err != nil {
			return c.Fail(errHashNotInteger)
		}
	}
	sum, err := addInts(n, by)
	if err != nil {
		return c.Fail(err)
	}
	var buf [20]byte
	h.Update(c.Env().Store.Thresholds(), field, strconv.AppendInt(buf[:0], sum, 10))
	c.Changed(key, store.EventHash, "hincrby")
	if volatile {
		if _, expires := h.ExpireAt(field); expires || !exists {
			propagateField(c, h, field, decimal(sum))
		}
	}
	return resp.Int(sum)
}

// hincrbyfloat implements HINCRBYFLOAT key field increment, and replies the sum as a string, in RESP3 too. It rejects
// an infinite increment at once, where INCRBYFLOAT rejects only an infinite sum.
func hincrbyfloat(c *command.Call) resp.Value {
	by, err := parseLongDouble(c.Arg(3))
	switch {
	case err != nil:
		return c.Fail(err)
	case by.IsInf():
		return c.Fail(errValueNotFinite)
	}
	key, field := c.Key(1), c.Arg(2)
	h, err := makeHashFor(c, key, field)
	if err != nil {
		return c.Fail(err)
	}
	n := newLongDouble()
	if value, ok := h.Get(field); ok {
		if n, err = parseLongDouble(value); err != nil {
			return c.Fail(errHashNotFloat)
		}
	}
	sum, err := addLongDoubles(n, by)
	if err != nil {
		return c.Fail(err)
	}
	text := formatLongDouble(sum)
	h.Update(c.Env().Store.Thresholds(), field, text)
	c.Changed(key, store.EventHash, "hincrbyfloat")
	if c.Propagates() {
		propagateField(c, h, field, text)
	}
	return resp.Bulk(text)
}
