package data

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Commands that compare the present value with an argument, and only then change the key. Redis 8.4 compares the value
// or its digest, and has DELEX for what Valkey has DELIFEQ (SET, DELEX, DIGEST and DELIFEQ command pages).

// comparingCommands delete a key, or get what others compare.
var comparingCommands = []command.Command{
	{Name: "delex", Usage: "key [IFEQ value | IFNE value | IFDEQ digest | IFDNE digest]", Arity: -2, Flags: writeFast,
		Keys: command.OneKey, Since: "8.4.0",
		Specs:    []command.KeySpec{{Index: 1, Access: "RW delete variable_flags"}},
		AccessOf: accessOfDelEx,
		Summary:  "Deletes a key, perhaps only if its string value or the digest of that is equal or different.", Run: delex},
	{Name: "delifeq", Usage: "key value", Arity: 3, Flags: writeFast, Keys: command.OneKey,
		Access: "RM delete", Since: "valkey-9.0.0",
		Summary: "Deletes a key if it holds the given string (Valkey).", Run: delifeq},
	{Name: "digest", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "8.4.0",
		Summary: "Returns the XXH3 digest of a string value as a hexadecimal number.", Run: digest},
}

// accessOfDelEx returns what DELEX does to its key: with a condition it also reads it.
func accessOfDelEx(args [][]byte) string {
	if len(args) > 2 {
		return "RW access delete"
	}
	return "RM delete"
}

var (
	errDigestLength = fmt.Errorf("ERR must be exactly %d hexadecimal characters", digestLength)
	errDelExType    = errors.New("ERR Key should be of string type if conditions are specified")
	errDelExOption  = errors.New("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE")
)

// comparison is a condition about the present value of a key: IFEQ, IFNE, IFDEQ or IFDNE.
type comparison struct {
	kind comparisonKind
	with []byte // a value or a digest; it aliases the request
}

type comparisonKind uint8

const (
	noComparison comparisonKind = iota
	ifEqual
	ifNotEqual
	ifDigestEqual
	ifDigestNotEqual
)

// comparisonAt reads a comparison at argument i, which is not the last one. Its kind is noComparison if there is none.
func comparisonAt(c *command.Call, i int) comparison {
	kind := noComparison
	switch {
	case c.Is(i, "ifeq"):
		kind = ifEqual
	case c.Is(i, "ifne"):
		kind = ifNotEqual
	case c.Is(i, "ifdeq"):
		kind = ifDigestEqual
	case c.Is(i, "ifdne"):
		kind = ifDigestNotEqual
	}
	return comparison{kind, c.Arg(i + 1)}
}

// holds reports whether the comparison holds for a string, which is nil for a missing key: that equals nothing. Only
// the length of a digest is checked, and only where there is one to compare it with.
func (m comparison) holds(s *store.String) (bool, error) {
	unequal := m.kind == ifNotEqual || m.kind == ifDigestNotEqual
	switch {
	case s == nil:
		return unequal, nil
	case m.kind == ifEqual || m.kind == ifNotEqual:
		return bytes.Equal(s.Bytes(), m.with) != unequal, nil
	case len(m.with) != digestLength:
		return false, errDigestLength
	}
	return command.EqualFold(m.with, digestOf(s.Bytes())) != unequal, nil
}

// digestLength is the length of a digest in hexadecimal digits.
const digestLength = 16

func digestOf(value []byte) string { return fmt.Sprintf("%0*x", digestLength, xxh3.Hash(value)) }

// digest implements DIGEST key: null for a missing key.
func digest(c *command.Call) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Null)
	}
	return resp.BulkString(digestOf(s.Bytes()))
}

// delex implements DELEX key [IFEQ value | IFNE value | IFDEQ digest | IFDNE digest]: 1 if it has deleted the key, with
// the event "del". Without a condition the key may have any type. A missing key is 0 whatever the condition is.
func delex(c *command.Call) resp.Value {
	switch c.Len() {
	case 2:
		return resp.Flag(deleteCompared(c))
	case 4:
		return deleteIf(c)
	}
	return c.Fail(command.ErrArity(c.Cmd))
}

// deleteIf is DELEX with a condition.
func deleteIf(c *command.Call) resp.Value {
	s, err := store.Get[*store.String](c.Tx, c.Key(1), store.NoStats)
	switch {
	case err != nil:
		return c.Fail(errDelExType)
	case s == nil:
		return resp.Zero
	}
	m := comparisonAt(c, 2)
	if m.kind == noComparison {
		return c.Fail(errDelExOption)
	}
	ok, err := m.holds(s)
	if err != nil {
		return c.Fail(err)
	}
	return resp.Flag(ok && deleteCompared(c))
}

// delifeq implements DELIFEQ key value: 1 if it has deleted the key, with the event "del". It lets a client release a
// lock that it has set with SET NX, and no other (Valkey command page).
func delifeq(c *command.Call) resp.Value {
	s, err := store.Get[*store.String](c.Tx, c.Key(1), store.NoStats)
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	return resp.Flag(bytes.Equal(s.Bytes(), c.Arg(2)) && deleteCompared(c))
}

// deleteCompared deletes the key of argument 1 and reports whether it existed. The replicas get DEL.
func deleteCompared(c *command.Call) bool {
	deleted := deleteKey(c, c.Key(1))
	if deleted && c.Propagates() {
		c.PropagateAs("DEL", c.Key(1))
	}
	return deleted
}
