package data

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
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

	keysOnly bool // NOVALUES of HSCAN, NOSCORES of ZSCAN
}

// scanParts is an option for a scan that leaves a part out, and the only command that has it.
type scanParts struct{ option, of string }

var (
	noValues = scanParts{"novalues", "hscan"}
	noScores = scanParts{"noscores", "zscan"}
)

// at reports whether argument i is the option. For other commands it is a syntax error, or an error of its own.
func (p scanParts) at(c *command.Call, i int, names emulate.Behavior) (bool, error) {
	switch {
	case !c.Is(i, p.option):
		return false, nil
	case c.Cmd.Name == p.of:
		return true, nil
	case c.Does(names):
		return false, words.Errorf("ERR %s option can only be used in %s", strings.ToUpper(p.option), strings.ToUpper(p.of))
	}
	return false, command.ErrSyntax
}

// matches reports whether an element matches the pattern of MATCH.
func (o *scanOptions) matches(elem []byte) bool {
	return o.pattern == "*" || glob.Match(o.pattern, resp.Bulk(elem).Text())
}

// parseScan reads the options from argument from on. An option that is given twice counts once: the last one.
func parseScan(c *command.Call, from int) (scanOptions, error) {
	o := scanOptions{count: scanDefaultCount, pattern: "*", anyType: true}
	for i := from; i < c.Len(); {
		used, err := o.parseOption(c, i)
		if err != nil {
			return o, err
		}
		i += used
	}
	return o, nil
}

// parseOption reads the option at argument i and returns how many arguments it used. Only SCAN takes TYPE. A COUNT
// below 1 is a syntax error.
func (o *scanOptions) parseOption(c *command.Call, i int) (used int, err error) {
	found, err := noValues.at(c, i, emulate.ScanNamesHScan)
	if !found && err == nil {
		found, err = noScores.at(c, i, emulate.ScanNamesZScan)
	}
	switch {
	case err != nil:
		return 0, err
	case found:
		o.keysOnly = true
		return 1, nil
	case i+1 == c.Len():
		return 0, command.ErrSyntax
	case c.Is(i, "match"):
		o.pattern = string(c.Arg(i + 1))
	case c.Is(i, "type") && c.Cmd.Keys.Whole:
		o.typ, o.anyType = string(c.Arg(i+1)), false
		if c.Does(emulate.ScanChecksType) && !store.IsType(strings.ToLower(o.typ)) {
			return 0, words.Errorf("ERR unknown type name '%s'", o.typ)
		}
	case c.Is(i, "count"):
		if o.count, err = c.Index(i + 1); err == nil && o.count < 1 {
			err = command.ErrSyntax
		}
	default:
		return 0, command.ErrSyntax
	}
	return 2, err
}

// parseCursor accepts what strtoul does in C: a sign, and anything after a NUL; before Redis 7.2 no digits at all for
// 0, since then blanks before the digits. A negative cursor wraps around, unless it is written as other integers are.
func parseCursor(c *command.Call, arg []byte) (uint64, error) {
	arg, _, _ = bytes.Cut(arg, []byte{0})
	checks := c.Does(emulate.ChecksCursors)
	if n, ok := num.ParseInt(arg); checks && ok && n < 0 {
		return 0, command.ErrInvalidCursor
	}
	if checks {
		arg = num.TrimBlanks(arg)
	}
	switch {
	case len(arg) == 0 && checks:
		return 0, command.ErrInvalidCursor
	case len(arg) == 0:
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
	cursor, err := parseCursor(c, c.Arg(2))
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
	o, err := parseScan(c, 3)
	if err != nil {
		return c.Fail(err)
	}
	o.cursor = cursor
	var found []resp.Value
	next := visit(v, &o, func(elems ...resp.Value) { found = append(found, elems...) })
	return scanReply(next, found)
}
