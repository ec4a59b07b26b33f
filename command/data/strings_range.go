package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// The commands on parts of a string, which change it in place. A string may grow to proto-max-bulk-len. A part that is
// written beyond the end is preceded by zero bytes, and an empty part creates no key (SETRANGE command page).

// rangeCommands read and write parts of strings. SUBSTR is an old name.
var rangeCommands = []command.Command{
	{Name: "append", Usage: "key value", Arity: 3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "2.0.0",
		Summary: "Appends a string to the value of a key. Creates the key if it does not exist.", Run: appendString},
	{Name: "getrange", Usage: "key start end", Arity: 4, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "2.4.0",
		Summary: "Returns a part of a string value.", Run: getrange},
	{Name: "setrange", Usage: "key offset value", Arity: 4, Flags: writeDenyOOM, Keys: command.OneKey,
		Access: "RW update", Since: "2.2.0",
		Summary: "Overwrites a part of a string value from an offset on. Creates the key if it does not exist.",
		Run:     setrange},
	{Name: "substr", Usage: "key start end", Arity: 4, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "1.0.0",
		Summary: "Returns a part of a string value. The older name of GETRANGE.", Run: getrange},
}

var errOffset = errors.New("ERR offset is out of range")

// appendString implements APPEND key value, and replies the new length. It limits the size only of a key that exists,
// as Redis does: the argument itself is limited already. An empty value creates the key, and is a change of an existing
// one.
func appendString(c *command.Call) resp.Value {
	key, tail := c.Key(1), c.Arg(2)
	s, err := writeString(c, key)
	if err != nil {
		return c.Fail(err)
	}
	size := len(stringBytes(s)) + len(tail)
	switch {
	case s == nil:
		c.Tx.SetString(key, tail, false)
	case int64(size) > c.Env().Config.MaxBulk():
		return c.Fail(command.ErrStringTooLong)
	default:
		s.Append(tail)
	}
	c.Changed(key, store.EventString, "append")
	return resp.Int(int64(size))
}

// setrange implements SETRANGE key offset value, and replies the new length. It checks the offset before it looks the
// key up, and the size last. An empty value changes nothing and has no event.
func setrange(c *command.Call) resp.Value {
	key, part := c.Key(1), c.Arg(3)
	offset, err := c.Index(2)
	if err != nil {
		return c.Fail(err)
	}
	if offset < 0 {
		return c.Fail(errOffset)
	}
	s, err := writeString(c, key)
	switch {
	case err != nil:
		return c.Fail(err)
	case len(part) == 0:
		return resp.Int(int64(len(stringBytes(s))))
	case int64(offset) > c.Env().Config.MaxBulk()-int64(len(part)):
		return c.Fail(command.ErrStringTooLong)
	}
	buf := growString(c, key, s, offset+len(part))
	copy(buf[offset:], part)
	c.Changed(key, store.EventString, "setrange")
	return resp.Int(int64(len(buf)))
}

// growString returns the content of a string for writing, padded with zero bytes to size. It creates a missing key.
func growString(c *command.Call, key []byte, s *store.String, size int) []byte {
	if s == nil {
		s = store.NewString(nil)
		c.Tx.Put(key, s, false)
	}
	return s.Writable(size)
}

// getrange implements GETRANGE key start end, whose ends are both part of the range. It parses both ends before it
// looks the key up. Negative ends count from the end of the string. It replies the empty string for a missing key.
func getrange(c *command.Call) resp.Value {
	start, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	end, err := c.Int(3)
	if err != nil {
		return c.Fail(err)
	}
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	if isReversed(start, end) {
		return resp.BulkString("")
	}
	b := stringBytes(s)
	from, to := sliceRange(start, end, int64(len(b)))
	return resp.Bulk(b[from:to])
}

// isReversed reports whether both ends of a range count from the end and are in the wrong order. Redis replies an
// empty range before it looks at the length; else both ends could become the first element.
func isReversed(start, end int64) bool { return start < 0 && end < 0 && start > end }

// sliceRange converts the ends of a range to those of a Go slice of length n. Both ends are inclusive and negative ones
// count from the end. An empty range is 0, 0.
func sliceRange(start, end, n int64) (from, to int64) {
	if start < 0 {
		start = max(0, start+n)
	}
	if end < 0 {
		end = max(0, end+n)
	}
	end = min(end, n-1)
	if start > end {
		return 0, 0
	}
	return start, end + 1
}
