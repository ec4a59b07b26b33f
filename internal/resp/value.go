// Package resp holds the reply of a command as a value, and the one place where such a value becomes RESP2 or RESP3 bytes.
//
// A Value is made by a handler while its transaction holds the shards. Bulk values may alias memory of the store or of
// the request, so they are encoded (or converted for Lua) before the transaction ends and are not kept.
package resp

import "unsafe"

// Kind tells what a Value is. The kinds are those of RESP3; RESP2 renders each of them in its own, poorer way.
type Kind uint8

const (
	// KindNone is no reply at all: the command has pushed its replies itself, or must not be answered.
	KindNone Kind = iota
	KindNull
	KindNullArray
	KindStatus
	KindError
	KindInt
	KindBulk
	KindDouble
	KindBool
	KindBigNumber
	KindVerbatim
	KindArray
	KindSet
	// KindMap holds its keys and values in turn; RESP2 sends them as one flat array.
	KindMap
	// KindPairs holds members and scores in turn: a flat array in RESP2, an array of two-element arrays in RESP3.
	KindPairs
	KindPush
	// KindSeries is several replies to one command, sent one after the other (SUBSCRIBE a b c).
	KindSeries
)

// Value is one reply. The zero Value is "no reply". Values are passed by copy; scalar kinds allocate nothing.
type Value struct {
	kind  Kind
	num   int64
	float float64
	text  string
	elems []Value
}

// Kind reports what the value is.
func (v Value) Kind() Kind { return v.kind }

// Int returns the number of a KindInt or KindBool value.
func (v Value) Int() int64 { return v.num }

// Float returns the number of a KindDouble value.
func (v Value) Float() float64 { return v.float }

// Text returns the payload of a status, error, bulk, big number or verbatim value.
// It may alias memory that changes when the transaction ends.
func (v Value) Text() string { return v.text }

// Elems returns the elements of an aggregate, keys and values in turn for maps and pairs.
func (v Value) Elems() []Value { return v.elems }

// IsError reports whether the value is an error reply.
func (v Value) IsError() bool { return v.kind == KindError }

// Replies that never change.
var (
	None      = Value{}
	Null      = Value{kind: KindNull}
	NullArray = Value{kind: KindNullArray}
	OK        = Value{kind: KindStatus, text: "OK"}
	Queued    = Value{kind: KindStatus, text: "QUEUED"}
	Zero      = Value{kind: KindInt}
	One       = Value{kind: KindInt, num: 1}
)

// Int is an integer reply.
func Int(n int64) Value { return Value{kind: KindInt, num: n} }

// Flag is the integer 1 or 0.
func Flag(b bool) Value {
	if b {
		return One
	}
	return Zero
}

// Bool is true or false in RESP3, 1 or 0 in RESP2.
func Bool(b bool) Value {
	v := Flag(b)
	v.kind = KindBool
	return v
}

// Status is a simple string such as OK.
func Status(s string) Value { return Value{kind: KindStatus, text: s} }

// Error is an error reply; the text begins with its code ("ERR …", "WRONGTYPE …").
func Error(text string) Value { return Value{kind: KindError, text: text} }

// Bulk is a binary-safe string that aliases b.
func Bulk(b []byte) Value {
	return Value{kind: KindBulk, text: unsafe.String(unsafe.SliceData(b), len(b))}
}

// BulkString is a binary-safe string.
func BulkString(s string) Value { return Value{kind: KindBulk, text: s} }

// Double is a floating point number: a bulk string in RESP2.
func Double(f float64) Value { return Value{kind: KindDouble, float: f} }

// BigNumber is a decimal integer of any size: a bulk string in RESP2.
func BigNumber(digits string) Value { return Value{kind: KindBigNumber, text: digits} }

// Verbatim is text with a three-letter format ("txt", "mkd"): a bulk string in RESP2. The format is kept before a colon.
func Verbatim(format, s string) Value { return Value{kind: KindVerbatim, text: format + ":" + s} }

// Array is an ordered aggregate.
func Array(elems ...Value) Value { return Value{kind: KindArray, elems: elems} }

// Set is an unordered aggregate: an array in RESP2.
func Set(elems ...Value) Value { return Value{kind: KindSet, elems: elems} }

// Map takes keys and values in turn.
func Map(elems ...Value) Value { return Value{kind: KindMap, elems: elems} }

// Pairs takes members and scores in turn.
func Pairs(elems ...Value) Value { return Value{kind: KindPairs, elems: elems} }

// Push is an out-of-band message: an array in RESP2.
func Push(elems ...Value) Value { return Value{kind: KindPush, elems: elems} }

// Series is several replies to one command.
func Series(elems ...Value) Value { return Value{kind: KindSeries, elems: elems} }

// Strings is an array of bulk strings.
func Strings(ss []string) Value {
	elems := make([]Value, len(ss))
	for i, s := range ss {
		elems[i] = BulkString(s)
	}
	return Array(elems...)
}

// IsNull reports whether the value is a null of either kind.
func (v Value) IsNull() bool { return v.kind == KindNull || v.kind == KindNullArray }

// Own returns v with all its text copied, so that it outlives the memory it was made of.
func Own(v Value) Value {
	if v.kind == KindBulk {
		v.text = string([]byte(v.text))
	}
	if len(v.elems) > 0 {
		own := make([]Value, len(v.elems))
		for i := range v.elems {
			own[i] = Own(v.elems[i])
		}
		v.elems = own
	}
	return v
}

// IsPush reports whether the value is an out-of-band message, or several.
func (v Value) IsPush() bool {
	return v.kind == KindPush || v.kind == KindSeries && len(v.elems) > 0 && v.elems[0].kind == KindPush
}
