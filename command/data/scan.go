package data

import (
	"bytes"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// HSCAN, SSCAN and ZSCAN are SCAN on the elements of one value (SCAN command page). The cursor is that of the hash
// tables in package store, and stays valid when they grow. Small values (listpack, intset) are returned whole, whatever
// COUNT is. Errors come in the order of Redis: cursor, type of the key, options; for a missing key the options are not
// read.

// scanDefaultCount is COUNT if it is not given.
const scanDefaultCount = 10

// scanOptions are the arguments of SCAN and its variants.
type scanOptions struct {
	cursor  uint64 // set by the caller, which reads it before the options
	count   int    // elements to visit, whether or not they match; at least 1
	pattern string
	typ     string // TYPE, of SCAN only
	anyType bool   // TYPE was not given

	noValues bool // fields without their values, of hashes only
}

// matches reports whether an element matches the pattern of MATCH.
func (o *scanOptions) matches(elem []byte) bool {
	return o.pattern == "*" || glob.Match(o.pattern, resp.Bulk(elem).Text())
}

// parseScan reads the options from argument from on. Only SCAN takes TYPE, and only hashes have NOVALUES (since Redis
// 7.4). A COUNT below 1 is a syntax error. An option that is given twice counts once: the last one.
func parseScan(c *command.Call, from int, fields bool) (scanOptions, error) {
	o := scanOptions{count: scanDefaultCount, pattern: "*", anyType: true}
	for i := from; i < c.Len(); i += 2 {
		switch {
		case fields && c.Is(i, "novalues"):
			o.noValues = true
			i-- // it has no value
		case i+1 == c.Len():
			return o, command.ErrSyntax
		case c.Is(i, "match"):
			o.pattern = string(c.Arg(i + 1))
		case c.Is(i, "type") && c.Cmd.Keys.Whole:
			o.typ, o.anyType = string(c.Arg(i+1)), false
		case c.Is(i, "count"):
			n, err := c.Index(i + 1)
			if err != nil {
				return o, err
			}
			if o.count = n; n < 1 {
				return o, command.ErrSyntax
			}
		default:
			return o, command.ErrSyntax
		}
	}
	return o, nil
}

// parseCursor accepts what strtoul does in C: a sign, no digits at all for 0, and anything after a NUL. A negative
// cursor wraps around.
func parseCursor(arg []byte) (uint64, error) {
	arg, _, _ = bytes.Cut(arg, []byte{0})
	if len(arg) == 0 {
		return 0, nil
	}
	digits := string(arg)
	if arg[0] == '-' || arg[0] == '+' {
		// ParseUint takes no sign.
		digits = digits[1:]
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, command.ErrInvalidCursor
	}
	if arg[0] == '-' {
		n = -n
	}
	return n, nil
}

// scanReply is the next cursor, as a string since it may be larger than an int64, and the elements found. Cursor 0 is
// the end of the iteration.
func scanReply(cursor uint64, elems []resp.Value) resp.Value {
	return resp.Array(resp.BulkString(strconv.FormatUint(cursor, 10)), resp.Array(elems...))
}

// scanValue runs a variant of SCAN on the value of a key. visit visits about o.count elements from o.cursor on, calls
// add with what to reply for each that matches, and returns the next cursor.
func scanValue[T storeValue](
	c *command.Call, visit func(v T, o *scanOptions, add func(elems ...resp.Value)) uint64,
) resp.Value {
	var missing T
	cursor, err := parseCursor(c.Arg(2))
	if err != nil {
		return c.Fail(err)
	}
	v, err := store.Get[T](c.Tx, c.Key(1), store.ForRead)
	switch {
	case err != nil:
		return c.Fail(err)
	case v == missing:
		return scanReply(0, nil)
	}
	_, fields := any(v).(*store.Hash)
	o, err := parseScan(c, 3, fields)
	if err != nil {
		return c.Fail(err)
	}
	o.cursor = cursor
	var found []resp.Value
	next := visit(v, &o, func(elems ...resp.Value) { found = append(found, elems...) })
	return scanReply(next, found)
}
