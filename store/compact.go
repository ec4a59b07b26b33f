package store

import "unsafe"

// A key's name stands behind its node in one piece of memory, and so does a short string behind its header: what is used together
// is then found together, and allocated at once. The sizes are such that the pieces fill Go's size classes.

type (
	node16 struct {
		node[item]
		name [16]byte
	}
	node32 struct {
		node[item]
		name [32]byte
	}
	node48 struct {
		node[item]
		name [48]byte
	}
	node64 struct {
		node[item]
		name [64]byte
	}
)

// newNode returns the node of a key, without a value.
func newNode(key []byte) *node[item] {
	switch n := len(key); {
	case n <= 16:
		c := new(node16)
		return c.named(c.name[:], key)
	case n <= 32:
		c := new(node32)
		return c.named(c.name[:], key)
	case n <= 48:
		c := new(node48)
		return c.named(c.name[:], key)
	case n <= 64:
		c := new(node64)
		return c.named(c.name[:], key)
	}
	return &node[item]{key: string(key)}
}

// named makes a copy of key in room, which is never written again, the name of the node.
func (n *node[V]) named(room, key []byte) *node[V] {
	copy(room, key)
	n.key = unsafe.String(unsafe.SliceData(room), len(key))
	return n
}

type (
	string8 struct {
		String
		content [8]byte
	}
	string24 struct {
		String
		content [24]byte
	}
	string40 struct {
		String
		content [40]byte
	}
	string56 struct {
		String
		content [56]byte
	}
)

// newString returns an empty string with room for n bytes.
func newString(n int) *String {
	switch {
	case n <= 8:
		c := new(string8)
		return c.within(c.content[:0])
	case n <= 24:
		c := new(string24)
		return c.within(c.content[:0])
	case n <= 40:
		c := new(string40)
		return c.within(c.content[:0])
	case n <= 56:
		c := new(string56)
		return c.within(c.content[:0])
	}
	return &String{b: make([]byte, 0, n)}
}

func (s *String) within(room []byte) *String {
	s.b = room
	return s
}
