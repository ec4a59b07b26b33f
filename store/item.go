package store

import (
	"unsafe"

	"github.com/minilockd/minilockd/expiry"
)

// item is what a key holds. The timer's Spare tells when the key was last used (see access.go), its Mark that the key is
// among those opened by a transaction (see weight.go), its Tag what kind of value there is: so a value costs one word, and
// a key's node 64 bytes.
type item struct {
	timer expiry.Timer[node[item]]
	val   unsafe.Pointer // to the value
}

// The kinds of values, as Tag tells them.
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
	switch it.timer.Tag {
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

func (it *item) setValue(v Value) { it.timer.Tag, it.val = taken(v) }

// kindOf is the Tag of a value.
func kindOf(v Value) uint8 {
	kind, _ := taken(v)
	return kind
}

// taken is a value as an item holds it: its kind, and where it is.
func taken(v Value) (kind uint8, at unsafe.Pointer) {
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
