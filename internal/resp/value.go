// Package resp holds the reply of a command as a value, and the one place where such a value becomes RESP2 or RESP3
// bytes.
//
// A Value is made by a handler while its transaction holds the shards. Bulk values may alias memory of the store or of
// the request, so they are encoded (or converted for Lua) before the transaction ends and are not kept.
package resp

import (
	"math"
	"strings"
	"unsafe"
)

// Kind is the type of a Value. The kinds are those of RESP3; in RESP2 each is encoded as one of fewer types.
type Kind uint8

// The kinds of values.
const (
	// KindNone is no reply: the command has pushed its replies itself, or must not reply.
	KindNone Kind = iota
	KindNull
	KindNullArray
	KindInt
	KindBool
	KindDouble
	KindStatus // the kinds from here on have a text
	KindError
	KindBulk
	KindBigNumber
	KindDecimal
	KindEncoded // encoded already, and sent as it is
	KindVerbatim
	KindArray // the kinds from here on have elements
	KindSet
	// KindMap holds its keys and values in turn; RESP2 sends them as one flat array.
	KindMap
	// KindPairs holds members and scores in turn: a flat array in RESP2, an array of two-element arrays in RESP3.
	KindPairs
	// KindPairMap holds keys and values in turn: an array of two-element arrays in RESP2, a map in RESP3.
	KindPairMap
	KindPush
	// KindSeries is several replies to one command, sent one after the other (SUBSCRIBE a b c).
	KindSeries
)

// Value is one reply. The zero Value is "no reply". Values are passed by copy, in three machine words; scalar kinds
// allocate nothing.
type Value struct {
	kind Kind
	form DoubleForm     // of a double
	num  int64          // the number, the bits of a double, or how many bytes or elements data has
	data unsafe.Pointer // to the first byte of a text, or to the first element
}

func textValue(kind Kind, s string) Value {
	return Value{kind: kind, num: int64(len(s)), data: unsafe.Pointer(unsafe.StringData(s))}
}

func aggregateValue(kind Kind, elems []Value) Value {
	return Value{kind: kind, num: int64(len(elems)), data: unsafe.Pointer(unsafe.SliceData(elems))}
}

// Kind reports what the value is.
func (v Value) Kind() Kind { return v.kind }

// Int returns the number of a KindInt or KindBool value, 0 of any other.
func (v Value) Int() int64 {
	if v.kind == KindInt || v.kind == KindBool {
		return v.num
	}
	return 0
}

// Float returns the number of a KindDouble value, 0 of any other.
func (v Value) Float() float64 {
	if v.kind == KindDouble {
		return math.Float64frombits(uint64(v.num))
	}
	return 0
}

// Text returns the payload of a status, error, bulk, big number or verbatim value, nothing of any other.
// It may alias memory that changes when the transaction ends.
func (v Value) Text() string {
	if KindStatus <= v.kind && v.kind <= KindVerbatim {
		return unsafe.String((*byte)(v.data), int(v.num))
	}
	return ""
}

// Elems returns the elements of an aggregate, keys and values in turn for maps and pairs; none of any other value.
func (v Value) Elems() []Value {
	if KindArray <= v.kind {
		return unsafe.Slice((*Value)(v.data), int(v.num))
	}
	return nil
}

// IsError reports whether the value is an error reply.
func (v Value) IsError() bool { return v.kind == KindError }

// Replies that never change.
var (
	None      = Value{}
	Null      = Value{kind: KindNull}
	NullArray = Value{kind: KindNullArray}
	OK        = Status("OK")
	Queued    = Status("QUEUED")
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
func Status(s string) Value { return textValue(KindStatus, s) }

// Error is an error reply; the text begins with its code ("ERR …", "WRONGTYPE …").
func Error(text string) Value { return textValue(KindError, text) }

// Bulk is a binary-safe string that aliases b.
func Bulk(b []byte) Value {
	return textValue(KindBulk, unsafe.String(unsafe.SliceData(b), len(b)))
}

// BulkString is a binary-safe string.
func BulkString(s string) Value { return textValue(KindBulk, s) }

// BigNumber is a decimal integer of any size: a bulk string in RESP2.
func BigNumber(digits string) Value { return textValue(KindBigNumber, digits) }

// Decimal is a floating point number with digits of its own: a bulk string in RESP2.
func Decimal(digits string) Value { return textValue(KindDecimal, digits) }

// Verbatim is text with a three-letter format ("txt", "mkd"): a bulk string in RESP2. The format is kept before a
// colon.
func Verbatim(format, s string) Value { return textValue(KindVerbatim, format+":"+s) }

// Encoded is bytes that are sent as they stand: replies that were encoded before, in whichever protocol. It aliases b.
func Encoded(b []byte) Value {
	return textValue(KindEncoded, unsafe.String(unsafe.SliceData(b), len(b)))
}

// Array is an ordered aggregate.
func Array(elems ...Value) Value { return aggregateValue(KindArray, elems) }

// Set is an unordered aggregate: an array in RESP2.
func Set(elems ...Value) Value { return aggregateValue(KindSet, elems) }

// Map takes keys and values in turn.
func Map(elems ...Value) Value { return aggregateValue(KindMap, elems) }

// Pairs takes members and scores in turn.
func Pairs(elems ...Value) Value { return aggregateValue(KindPairs, elems) }

// PairMap takes keys and values in turn.
func PairMap(elems ...Value) Value { return aggregateValue(KindPairMap, elems) }

// Push is an out-of-band message: an array in RESP2.
func Push(elems ...Value) Value { return aggregateValue(KindPush, elems) }

// Series is several replies to one command.
func Series(elems ...Value) Value { return aggregateValue(KindSeries, elems) }

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

// Own returns v with all its text copied, so that it does not alias other memory.
func Own(v Value) Value {
	switch {
	case v.kind == KindBulk:
		return BulkString(strings.Clone(v.Text()))
	case v.kind >= KindArray:
		own := make([]Value, v.num)
		for i, elem := range v.Elems() {
			own[i] = Own(elem)
		}
		return aggregateValue(v.kind, own)
	}
	return v
}

// IsPush reports whether the value is an out-of-band message, or several.
func (v Value) IsPush() bool {
	return v.kind == KindPush || v.kind == KindSeries && v.num > 0 && v.Elems()[0].kind == KindPush
}
