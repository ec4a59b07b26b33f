package luafront

import (
	"math"
	"math/bits"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// hashPart is the hash of a table, with chains within its nodes. A key whose main position is taken goes to the last
// free node, unless the other key is not in its main position: then that one moves. Keys stay when their values are
// cleared, until the table grows.
type hashPart struct {
	nodes    []node // a power of two of them, or none
	free     int    // no node from here on is free
	readOnly bool   // see Protect
	murmur   bool   // see Config.MurmurHash
}

// node is an entry: a key, its value and a link to the next one of the chain. A node whose value is nil keeps its key,
// so that a walk through the table can continue from it.
type node struct {
	key, value lua.LValue // no key: it was never used
	code       uint32     // hashPart.code(key)
	next       int32      // number of the next node of the chain, counted from 1; 0 at its end
}

// noHash and noMurmurHash are those of all tables without nodes. They are never changed.
var noHash, noMurmurHash = hashPart{}, hashPart{murmur: true}

// none reports whether the hash is one of them.
func (h *hashPart) none() bool { return h == &noHash || h == &noMurmurHash }

// without returns the hash of a table like that of h that has no nodes.
func (h *hashPart) without() *hashPart {
	switch {
	case h.readOnly:
		return &hashPart{readOnly: true, murmur: h.murmur}
	case h.murmur:
		return &noMurmurHash
	}
	return &noHash
}

// hash returns the hash of a converted table.
func (t *vmTable) hash() *hashPart { return (*hashPart)(t.k2i) }

// larger makes a hash like h with a node for so many keys, rounded up to a power of two.
func (h *hashPart) larger(keys int) *hashPart {
	h = &hashPart{nodes: make([]node, 1<<ceilLog2(keys)), readOnly: h.readOnly, murmur: h.murmur}
	for i := range h.nodes {
		h.nodes[i].value = lua.LNil
	}
	h.free = len(h.nodes)
	return h
}

// ceilLog2 returns the base-2 logarithm of n, rounded up.
func ceilLog2(n int) int { return bits.Len(uint(n - 1)) }

// text returns the value of a string key, or nil.
func (h *hashPart) text(key string) lua.LValue {
	if len(h.nodes) == 0 {
		return lua.LNil
	}
	code := h.stringCode(key)
	n := &h.nodes[code&uint32(len(h.nodes)-1)]
	for {
		if n.code == code {
			if k, ok := n.key.(lua.LString); ok && string(k) == key {
				return n.value
			}
		}
		if n.next == 0 {
			return lua.LNil
		}
		n = &h.nodes[n.next-1]
	}
}

// number returns the value of a number key, or nil.
func (h *hashPart) number(key lua.LNumber) lua.LValue {
	if len(h.nodes) == 0 {
		return lua.LNil
	}
	code := hashNumber(float64(key))
	n := &h.nodes[code%(uint32(len(h.nodes)-1)|1)]
	for {
		if n.code == code {
			if k, ok := n.key.(lua.LNumber); ok && k == key {
				return n.value
			}
		}
		if n.next == 0 {
			return lua.LNil
		}
		n = &h.nodes[n.next-1]
	}
}

// find returns the node of a key, or nil.
func (h *hashPart) find(key lua.LValue, code uint32) *node {
	if len(h.nodes) == 0 {
		return nil
	}
	for i := h.mainPosition(key, code); ; {
		n := &h.nodes[i]
		if n.code == code && n.key == key {
			return n
		}
		if n.next == 0 {
			return nil
		}
		i = int(n.next) - 1
	}
}

// mainPosition returns the index of the node at which a search for a key starts. Numbers and addresses, whose low bits
// are often alike, are taken modulo an odd number, as in Lua.
func (h *hashPart) mainPosition(key lua.LValue, code uint32) int {
	last := uint32(len(h.nodes) - 1)
	switch key.(type) {
	case lua.LString, lua.LBool:
		return int(code & last)
	}
	return int(code % (last | 1))
}

// add gives a new key a node, or returns nil if the hash must grow first.
func (h *hashPart) add(key lua.LValue, code uint32) *node {
	if len(h.nodes) == 0 {
		return nil
	}
	mainPosition := h.mainPosition(key, code)
	n := &h.nodes[mainPosition]
	if n.value != lua.LNil {
		free := h.takeFree()
		if free < 0 {
			return nil
		}
		n = h.collide(mainPosition, free)
	}
	n.key, n.code = key, code
	return n
}

// collide makes room for a key whose main position is used, and returns its node, whose value is nil: the free node, if
// the other key is in its main position, else the node of the other key, which moves to the free one.
func (h *hashPart) collide(mainPosition, free int) *node {
	taken, spare := &h.nodes[mainPosition], &h.nodes[free]
	before := h.mainPosition(taken.key, taken.code)
	if before == mainPosition {
		spare.next, taken.next = taken.next, int32(free)+1
		return spare
	}
	for int(h.nodes[before].next)-1 != mainPosition {
		before = int(h.nodes[before].next) - 1
	}
	h.nodes[before].next = int32(free) + 1
	*spare = *taken
	taken.next, taken.value = 0, lua.LNil
	return taken
}

// takeFree finds a node that was never used from the last one down, or -1. Those once passed are not offered again.
func (h *hashPart) takeFree() int {
	for h.free > 0 {
		h.free--
		if h.nodes[h.free].key == nil {
			return h.free
		}
	}
	return -1
}

// code returns the hash of a key. For tables and functions it is their address, as in Lua; Go does not move them.
// The only userdata in scripts is the null pointer of cjson.
func (h *hashPart) code(key lua.LValue) uint32 {
	switch k := key.(type) {
	case lua.LString:
		return h.stringCode(string(k))
	case lua.LNumber:
		return hashNumber(float64(k))
	case lua.LBool:
		if k {
			return 1
		}
	case *lua.LTable:
		return uint32(uintptr(unsafe.Pointer(k)))
	case *lua.LFunction:
		return uint32(uintptr(unsafe.Pointer(k)))
	case *lua.LState:
		return uint32(uintptr(unsafe.Pointer(k)))
	}
	return 0
}

// stringCode returns the hash of a string.
func (h *hashPart) stringCode(s string) uint32 {
	if h.murmur {
		return murmurHash(s, uint32(len(s)))
	}
	return hashString(s)
}

// hashString is the hash of strings in Redis' Lua: unseeded, and unlike in Lua 5.1 itself, of all bytes.
func hashString(s string) uint32 {
	h := uint32(len(s))
	for i := len(s) - 1; i >= 0; i-- {
		h ^= h<<5 + h>>2 + uint32(s[i])
	}
	return h
}

// hashNumber is the sum of both halves of the bits of a number; both zeros have one hash.
func hashNumber(f float64) uint32 {
	if f == 0 {
		return 0
	}
	b := math.Float64bits(f)
	return uint32(b) + uint32(b>>32)
}
