package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// BITFIELD (command page) runs a list of operations on integers of any width within one string. All arguments are
// parsed before the first operation runs, so a syntax error changes nothing. The string grows once, to the size that
// the writes need; a BITFIELD of GETs only reads.

// bitfieldCommands are the two forms of BITFIELD. The read-only one exists for replicas.
var bitfieldCommands = []command.Command{
	{Name: "bitfield",
		Usage: "key [GET encoding offset | [OVERFLOW <WRAP | SAT | FAIL>] " +
			"<SET encoding offset value | INCRBY encoding offset increment> " +
			"[GET encoding offset | [OVERFLOW <WRAP | SAT | FAIL>] " +
			"<SET encoding offset value | INCRBY encoding offset increment> ...]]",
		Arity: -2, Flags: writeDenyOOM, Keys: command.OneKey, Since: "3.2.0",
		Specs: []command.KeySpec{{Index: 1, Access: "RW access update variable_flags",
			Note: "This command allows both access and modification of the key"}},
		AccessOf: accessOfBitfield,
		Summary:  "Reads, sets and increments integers of any width within a string value.", Run: bitfield},
	{Name: "bitfield_ro", Usage: "key [GET encoding offset [GET encoding offset ...]]", Arity: -2,
		Flags: readOnlyFast, Keys: command.OneKey, Access: "RO access", Since: "6.0.0",
		Summary: "Reads integers of any width from a string value.", Run: bitfieldRO},
}

// Any other operation that is unknown or lacks arguments is a syntax error. errOnlyGet comes last, when all operations
// are parsed.
var (
	errOverflowMode = errors.New("ERR Invalid OVERFLOW type specified")
	errOnlyGet      = errors.New("ERR BITFIELD_RO only supports the GET subcommand")
)

// bitfieldOpcode is what an operation of BITFIELD does.
type bitfieldOpcode uint8

// The operations. OVERFLOW is none of them: it is the mode of those after it.
const (
	fieldGet bitfieldOpcode = iota
	fieldSet
	fieldIncrBy
)

// bitfieldOp is an operation of BITFIELD.
type bitfieldOp struct {
	opcode bitfieldOpcode
	field  bitField
	value  int64 // for SET the value, for INCRBY the increment
	mode   overflowMode
}

// parseBitfield parses the operations. OVERFLOW applies to all operations after it, up to the next one; before the
// first it is WRAP. No operations at all are no error: the reply is an empty array.
func parseBitfield(c *command.Call) (ops []bitfieldOp, err error) {
	mode := overflowWrap
	for i := 2; i < c.Len(); {
		if c.Is(i, "overflow") && i+1 < c.Len() {
			if mode, err = parseOverflow(c, i+1); err != nil {
				return nil, err
			}
			i += 2
			continue
		}
		s := bitfieldOp{mode: mode}
		used, err := s.parse(c, i)
		if err != nil {
			return nil, err
		}
		ops = append(ops, s)
		i += used
	}
	return ops, nil
}

// parse parses the operation at argument i and returns how many arguments it used.
func (s *bitfieldOp) parse(c *command.Call, i int) (used int, err error) {
	switch left := c.Len() - i; {
	case c.Is(i, "get") && left > 2:
		s.opcode, used = fieldGet, 3
	case c.Is(i, "set") && left > 3:
		s.opcode, used = fieldSet, 4
	case c.Is(i, "incrby") && left > 3:
		s.opcode, used = fieldIncrBy, 4
	default:
		return 0, command.ErrSyntax
	}
	if s.field, err = parseBitField(c, i+1); err == nil && s.opcode != fieldGet {
		s.value, err = c.Int(i + 3)
	}
	return used, err
}

// parseOverflow reads argument i, the mode of OVERFLOW.
func parseOverflow(c *command.Call, i int) (overflowMode, error) {
	for mode, name := range overflowNames {
		if c.Is(i, name) {
			return overflowMode(mode), nil
		}
	}
	return 0, errOverflowMode
}

// writtenSize returns how many bytes the string must have for the operations that write, or 0 if none does.
func writtenSize(ops []bitfieldOp) int {
	size := 0
	for _, s := range ops {
		if s.opcode != fieldGet {
			size = max(size, s.field.size())
		}
	}
	return size
}

// bitfield implements BITFIELD key [GET encoding offset | [OVERFLOW WRAP | SAT | FAIL] SET encoding offset value |
// INCRBY encoding offset increment ...]. It replies an integer for each operation: GET and SET the old value, INCRBY
// the new one, and null where OVERFLOW FAIL prevented the write. One event "setbit" stands for all writes.
//
// It creates or enlarges the string even if all operations fail by OVERFLOW FAIL, as Redis does, but then has no event.
func bitfield(c *command.Call) resp.Value {
	ops, err := parseBitfield(c)
	if err != nil {
		return c.Fail(err)
	}
	size := writtenSize(ops)
	if size == 0 {
		return readFields(c, ops)
	}
	key := c.Key(1)
	s, err := writeString(c, key)
	if err != nil {
		return c.Fail(err)
	}
	enlarged := size > len(stringBytes(s))
	replies, changes := runFields(growString(c, key, s, size), ops, enlarged)
	if changes > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventString, Event: "setbit", Count: changes})
	}
	return resp.Array(replies...)
}

// bitfieldRO implements BITFIELD_RO key [GET encoding offset ...]. It parses all operations before it rejects those
// that write, so a syntax error comes first.
func bitfieldRO(c *command.Call) resp.Value {
	ops, err := parseBitfield(c)
	if err != nil {
		return c.Fail(err)
	}
	if writtenSize(ops) > 0 {
		return c.Fail(errOnlyGet)
	}
	return readFields(c, ops)
}

// readFields runs operations that are all GET.
func readFields(c *command.Call, ops []bitfieldOp) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	replies, _ := runFields(stringBytes(s), ops, false)
	return resp.Array(replies...)
}

// runFields runs the operations in order. It counts a change if a field has a new value, or if the string was enlarged
// and the operation did not fail.
func runFields(b []byte, ops []bitfieldOp, enlarged bool) (replies []resp.Value, changes int) {
	replies = make([]resp.Value, len(ops))
	for i, s := range ops {
		old := s.field.read(b)
		if s.opcode == fieldGet {
			replies[i] = resp.Int(old)
			continue
		}
		value, ok := s.result(old)
		if !ok {
			replies[i] = resp.Null
			continue
		}
		s.field.write(b, value)
		if enlarged || value != old {
			changes++
		}
		if replies[i] = resp.Int(value); s.opcode == fieldSet {
			replies[i] = resp.Int(old)
		}
	}
	return replies, changes
}

// result returns the new value of a field, or false if it does not fit and OVERFLOW is FAIL.
func (s *bitfieldOp) result(old int64) (value int64, ok bool) {
	if s.opcode == fieldSet {
		return s.field.fit(s.value, 0, s.mode)
	}
	return s.field.fit(old, s.value, s.mode)
}

// accessOfBitfield returns what BITFIELD does to its key: it only reads if all operations are GET. Arguments that
// can't be parsed count as a write.
func accessOfBitfield(args [][]byte) string {
	for i := 2; i < len(args); i++ {
		switch more := len(args) - 1 - i; {
		case command.EqualFold(args[i], "get") && more >= 2:
			i += 2
		case command.EqualFold(args[i], "overflow") && more >= 1:
			i++
		default:
			return "RW access update"
		}
	}
	return "RO access"
}
