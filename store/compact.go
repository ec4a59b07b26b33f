package store

import "unsafe"

// The name of a key follows its node in one piece of memory, and so does a short string its header: what is used
// together is then in the same cache lines, and allocated at once. The sizes are such that the pieces fill the size
// classes of Go's allocator.

// namedNode is a node with room for the name of its key, an array of bytes.
type namedNode[Room any] struct {
	node[item]
	room Room
}

// newNode returns the node of a key, without a value.
func newNode(key []byte) *node[item] {
	switch n := len(key); {
	case n <= 16:
		c := new(namedNode[[16]byte])
		return c.named(c.room[:], key)
	case n <= 32:
		c := new(namedNode[[32]byte])
		return c.named(c.room[:], key)
	case n <= 48:
		c := new(namedNode[[48]byte])
		return c.named(c.room[:], key)
	case n <= 64:
		c := new(namedNode[[64]byte])
		return c.named(c.room[:], key)
	}
	return &node[item]{key: string(key)}
}

// named makes a copy of key in room, which is never written again, the name of the node.
func (n *node[V]) named(room, key []byte) *node[V] {
	copy(room, key)
	n.key = unsafe.String(unsafe.SliceData(room), len(key))
	return n
}

// filledString is a string with room for its content, an array of bytes.
type filledString[Room any] struct {
	String
	room Room
}

// newString returns an empty string with room for n bytes.
func newString(n int) *String {
	switch {
	case n <= 8:
		c := new(filledString[[8]byte])
		return c.within(c.room[:0])
	case n <= 24:
		c := new(filledString[[24]byte])
		return c.within(c.room[:0])
	case n <= 40:
		c := new(filledString[[40]byte])
		return c.within(c.room[:0])
	case n <= 56:
		c := new(filledString[[56]byte])
		return c.within(c.room[:0])
	}
	return &String{b: make([]byte, 0, n)}
}

func (s *String) within(room []byte) *String {
	s.b = room
	return s
}
