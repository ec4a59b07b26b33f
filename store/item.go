package store

import (
	"unsafe"

	"github.com/minilockd/minilockd/expiry"
)

// An item is what a key holds: a value, an expiry, and three small facts in the padding of the expiry timer, so that
// the node of a key fills the 64-byte class of the allocator. The names of those fields say nothing about them, so
// nothing but the accessors of this file uses them:
//
//	Tag    kind     which type val points to: an interface would cost a second word
//	Mark   opened   the key is in the list of an accounting (accounting.go)
//	Spare  lru      when, or how often, the key was used (lru.go)

// item is the value of a key with its expiry.
type item struct {
	timer expiry.Timer[node[item]] // set if the key has an expiry
	val   unsafe.Pointer           // to the value, see kind
}

// kind tells which type of value an item points to.
func (it *item) kind() uint8 { return it.timer.Tag }

// lru is when the key was last used, or how often, in the form that lru.go describes; Redis' robj has a field of this
// name.
func (it *item) lru() uint32 { return it.timer.Spare }

func (it *item) setLRU(lru uint32) { it.timer.Spare = lru }

// opened reports whether a transaction has opened the key for a change and has yet to count its memory (see
// accounting).
func (it *item) opened() bool { return it.timer.Mark }

func (it *item) setOpened(opened bool) { it.timer.Mark = opened }

// The kinds of values.
const (
	kindString uint8 = iota
	kindHash
	kindList
	kindSet
	kindZSet
	kindStream
	kinds = iota
)

func (it *item) value() Value {
	switch it.kind() {
	case kindString:
		return (*String)(it.val)
	case kindHash:
		return (*Hash)(it.val)
	case kindList:
		return (*List)(it.val)
	case kindSet:
		return (*Set)(it.val)
	case kindZSet:
		return (*ZSet)(it.val)
	}
	return (*Stream)(it.val)
}

// hash is the value if that is a hash, else nil. Every lookup calls it, because fields may be due.
func (it *item) hash() *Hash {
	if it.kind() != kindHash {
		return nil
	}
	return (*Hash)(it.val)
}

func (it *item) setValue(v Value) { it.timer.Tag, it.val = kindAndPointer(v) }

// kindOf is the kind of a value.
func kindOf(v Value) uint8 {
	kind, _ := kindAndPointer(v)
	return kind
}

// kindAndPointer turns an interface into what an item holds: the kind of the value and a pointer to it.
func kindAndPointer(v Value) (kind uint8, at unsafe.Pointer) {
	switch v := v.(type) {
	case *String:
		return kindString, unsafe.Pointer(v)
	case *Hash:
		return kindHash, unsafe.Pointer(v)
	case *List:
		return kindList, unsafe.Pointer(v)
	case *Set:
		return kindSet, unsafe.Pointer(v)
	case *ZSet:
		return kindZSet, unsafe.Pointer(v)
	case *Stream:
		return kindStream, unsafe.Pointer(v)
	}
	panic("store: a value of unknown type")
}
