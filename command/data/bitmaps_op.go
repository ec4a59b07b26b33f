package data

import (
	"encoding/binary"
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// BITOP (command page) combines strings bit by bit; shorter ones count as padded with zero bytes to the longest. An
// empty result deletes the destination. The loop works on 8 bytes at a time, in the byte order of the machine, since
// bitwise operations do not depend on it.

var errNotKeys = errors.New("ERR BITOP NOT must be called with a single source key.")

// bitOperation combines two words of 64 bits.
type bitOperation func(a, b uint64) uint64

// bitOperations are the operations of Redis 7.0; 8.2 has more.
var bitOperations = []struct {
	name    string
	combine bitOperation // nil for NOT
}{
	{"and", func(a, b uint64) uint64 { return a & b }},
	{"or", func(a, b uint64) uint64 { return a | b }},
	{"xor", func(a, b uint64) uint64 { return a ^ b }},
	{"not", nil},
}

// parseOperation parses argument 1. NOT takes exactly one source key.
func parseOperation(c *command.Call) (bitOperation, error) {
	for _, op := range bitOperations {
		switch {
		case !c.Is(1, op.name):
		case op.combine == nil && c.Len() != 4:
			return nil, errNotKeys
		default:
			return op.combine, nil
		}
	}
	return nil, command.ErrSyntax
}

// bitop implements BITOP AND | OR | XOR | NOT destkey key [key ...], and replies the length of the result: that of the
// longest source. It checks the types of all sources before it writes. The destination may hold any type and may be one
// of the sources; its expiry is removed. The event is "set", or "del" if the result is empty and the destination
// existed.
func bitop(c *command.Call) resp.Value {
	combine, err := parseOperation(c)
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
	result.Take(combineBits(combine, sources, size))
	c.Tx.Put(dest, result, false)
	c.Changed(dest, store.EventString, "set")
	return resp.Int(int64(size))
}

// combineBits applies an operation to strings padded to size bytes. A nil operation is NOT of the first string.
func combineBits(combine bitOperation, sources [][]byte, size int) []byte {
	dst := make([]byte, size, size+7)
	copy(dst, sources[0])
	if combine == nil {
		for i := range dst {
			dst[i] = ^dst[i]
		}
		return dst
	}
	padded := dst[:(size+7)&^7] // whole words; the bytes after size are dropped
	for _, src := range sources[1:] {
		combineWords(combine, padded, src)
	}
	return dst
}

// combineWords combines dst, whose length is a multiple of 8, with src, padded to the same length.
func combineWords(combine bitOperation, dst, src []byte) {
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
