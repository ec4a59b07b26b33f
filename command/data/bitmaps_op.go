package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// BITOP (command page) combines strings bit by bit; shorter ones count as padded with zero bytes to the longest. An
// empty result deletes the destination. The loop works on 8 bytes at a time, in the byte order of the machine, since
// bitwise operations do not depend on it.

var errNotKeys = errors.New("ERR BITOP NOT must be called with a single source key.")

// bitOperation is an operation of BITOP. It combines the first word with each other one, or if finish is set, combines
// all others with each other, and then the first with the result.
type bitOperation struct {
	name    string
	added   bool // since 8.2
	combine func(a, b uint64) uint64
	finish  func(first, others uint64) uint64
	one     bool // sets the bits that exactly one source has
	not     bool // the only source is inverted
}

func or(a, b uint64) uint64     { return a | b }
func and(a, b uint64) uint64    { return a & b }
func andNot(a, b uint64) uint64 { return a &^ b }

var bitOperations = []bitOperation{
	{name: "and", combine: and},
	{name: "or", combine: or},
	{name: "xor", combine: func(a, b uint64) uint64 { return a ^ b }},
	{name: "not", not: true},
	{name: "diff", added: true, combine: or, finish: andNot},
	{name: "diff1", added: true, combine: or, finish: func(first, others uint64) uint64 { return others &^ first }},
	{name: "andor", added: true, combine: or, finish: and},
	{name: "one", added: true, one: true},
}

// parseOperation parses argument 1. NOT takes exactly one source key, and those that distinguish the first one from the
// others at least two.
func parseOperation(c *command.Call) (*bitOperation, error) {
	for i := range bitOperations {
		op := &bitOperations[i]
		switch {
		case !command.EqualFold(c.Arg(1), op.name), op.added && c.Cmd.Lacks(op.name):
		case op.not && c.Len() != 4:
			return nil, errNotKeys
		case op.finish != nil && c.Len() < 5:
			return nil, words.Errorf("ERR BITOP %s must be called with at least two source keys.", strings.ToUpper(op.name))
		default:
			return op, nil
		}
	}
	return nil, command.ErrSyntax
}

// bitop implements BITOP operation destkey key [key ...], and replies the length of the result: that of the
// longest source. It checks the types of all sources before it writes. The destination may hold any type and may be one
// of the sources; its expiry is removed. The event is "set", or "del" if the result is empty and the destination
// existed.
func bitop(c *command.Call) resp.Value {
	op, err := parseOperation(c)
	if err != nil {
		return c.Fail(err)
	}
	sources := make([][]byte, 0, c.Len()-3)
	size := 0
	for _, key := range c.Rest(3) {
		s, err := readString(c, key)
		if err != nil {
			return c.Fail(err)
		}
		sources = append(sources, stringBytes(s))
		size = max(size, len(stringBytes(s)))
	}
	dest := c.Key(2)
	if size == 0 {
		deleteKey(c, dest)
		return resp.Zero
	}
	result := store.NewString(nil)
	result.Take(op.apply(sources, size))
	c.Tx.Put(dest, result, false)
	c.Changed(dest, store.EventString, "set")
	return resp.Int(int64(size))
}

// apply applies an operation to strings padded to size bytes.
func (op *bitOperation) apply(sources [][]byte, size int) []byte {
	dst := make([]byte, size, size+7)
	copy(dst, sources[0])
	padded := dst[:(size+7)&^7] // whole words; the bytes after size are dropped
	switch {
	case op.not:
		for i := range dst {
			dst[i] = ^dst[i]
		}
	case op.one:
		keepSingleBits(padded, sources[1:])
	case op.finish != nil:
		others := make([]byte, len(padded))
		for _, src := range sources[1:] {
			combineWords(op.combine, others, src)
		}
		combineWords(op.finish, padded, others)
	default:
		for _, src := range sources[1:] {
			combineWords(op.combine, padded, src)
		}
	}
	return dst
}

// keepSingleBits sets in dst the bits that only dst or only one of the others has.
func keepSingleBits(dst []byte, others [][]byte) {
	several := make([]byte, len(dst)) // bits that more than one has
	for _, src := range others {
		both := bytes.Clone(dst)
		combineWords(and, both, src)
		combineWords(or, several, both)
		combineWords(or, dst, src)
	}
	combineWords(andNot, dst, several)
}

// combineWords combines dst, whose length is a multiple of 8, with src, padded to the same length.
func combineWords(combine func(a, b uint64) uint64, dst, src []byte) {
	var last [8]byte
	for ; len(dst) > 0; dst = dst[8:] {
		word := src
		if len(src) < 8 {
			last = [8]byte{}
			copy(last[:], src)
			word = last[:]
		}
		sum := combine(binary.NativeEndian.Uint64(dst), binary.NativeEndian.Uint64(word))
		binary.NativeEndian.PutUint64(dst, sum)
		src = src[min(8, len(src)):]
	}
}
