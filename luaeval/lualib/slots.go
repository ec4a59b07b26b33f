package lualib

import (
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// empty marks a slot without a key, and the end of a chain.
const empty = -1

// slots plays what Lua 5.1's table does while keys are set one by one: an array part that grows when more than half of it
// would be used, and a hash part of a power of two slots, where a key that finds its place taken goes to the last free slot.
// Only the keys' places matter, so keys are indices and there are no values.
type slots struct {
	keys  []lua.LValue
	array []int32 // key of slot i+1, or empty
	nodes []node
	free  int // no slot from here on is free
}

type node struct {
	key, next int32
}

// insert sets a key that is not there yet.
func (s *slots) insert(key int32) {
	if i := s.arrayIndex(key); i > 0 && i <= len(s.array) {
		s.array[i-1] = key
		return
	}
	if len(s.nodes) == 0 {
		s.grow(key)
		return
	}
	place := s.place(key)
	if s.nodes[place].key == empty {
		s.nodes[place].key = key
		return
	}
	free := s.takeFree()
	if free < 0 {
		s.grow(key)
		return
	}
	s.collide(key, place, free)
}

// collide settles key, whose place is taken, with the help of a free slot: the newcomer gets it if the other key is at home,
// else the other key moves there.
func (s *slots) collide(key int32, place, free int) {
	home := s.place(s.nodes[place].key)
	if home == place {
		s.nodes[free] = node{key, s.nodes[place].next}
		s.nodes[place].next = int32(free)
		return
	}
	before := home
	for int(s.nodes[before].next) != place {
		before = int(s.nodes[before].next)
	}
	s.nodes[before].next = int32(free)
	s.nodes[free] = s.nodes[place]
	s.nodes[place] = node{key, empty}
}

// takeFree finds a free slot from the top down, or -1. Slots once passed are never offered again.
func (s *slots) takeFree() int {
	for s.free > 0 {
		s.free--
		if s.nodes[s.free].key == empty {
			return s.free
		}
	}
	return -1
}

// grow gives both parts the sizes that fit all keys and the new one, and sets the keys anew, from the last slot down.
func (s *slots) grow(key int32) {
	arraySize, inArray, total := s.sizes(key)
	old := s.nodes
	for len(s.array) < arraySize {
		s.array = append(s.array, empty)
	}
	s.nodes = makeNodes(total - inArray)
	s.free = len(s.nodes)
	for i := len(old) - 1; i >= 0; i-- {
		if old[i].key != empty {
			s.insert(old[i].key)
		}
	}
	s.insert(key)
}

func makeNodes(n int) []node {
	if n == 0 {
		return nil
	}
	nodes := make([]node, 1<<bits.Len(uint(n-1)))
	for i := range nodes {
		nodes[i] = node{empty, empty}
	}
	return nodes
}

// sizes finds the greatest power of two such that more than half of that many array slots would be used.
func (s *slots) sizes(key int32) (arraySize, inArray, total int) {
	var counts [64]int // of integer keys up to 2^i
	count := func(k int32) {
		if k == empty {
			return
		}
		total++
		if i := s.arrayIndex(k); i > 0 {
			counts[bits.Len(uint(i-1))]++
		}
	}
	for _, k := range s.array {
		count(k)
	}
	for _, n := range s.nodes {
		count(n.key)
	}
	count(key)
	sum := 0
	for i, n := range counts[:maxArrayBits+1] {
		if sum += n; sum > 1<<i/2 {
			arraySize, inArray = 1<<i, sum
		}
	}
	return arraySize, inArray, total
}

// maxArrayBits is MAXBITS of Lua's table: greater integers are never array indices.
const maxArrayBits = 26

// arrayIndex is the key as an array index, or 0.
func (s *slots) arrayIndex(key int32) int {
	n, ok := s.keys[key].(lua.LNumber)
	if !ok || n < 1 || n > 1<<maxArrayBits || float64(n) != math.Trunc(float64(n)) {
		return 0
	}
	return int(n)
}

// place is the slot in which Lua looks first for a key. That of tables, functions and the like depends on their addresses in
// Redis' memory; they count as address 0.
func (s *slots) place(key int32) int {
	size := uint32(len(s.nodes))
	switch k := s.keys[key].(type) {
	case lua.LString:
		return int(hashString(string(k)) & (size - 1))
	case lua.LNumber:
		return int(hashNumber(float64(k)) % (size - 1 | 1))
	case lua.LBool:
		if k {
			return int(1 & (size - 1))
		}
	}
	return 0
}

// hashString is the hash of strings in Redis' Lua: unseeded, and unlike in Lua 5.1 itself, of all bytes.
func hashString(s string) uint32 {
	h := uint32(len(s))
	for i := len(s) - 1; i >= 0; i-- {
		h ^= h<<5 + h>>2 + uint32(s[i])
	}
	return h
}

// hashNumber is the sum of both halves of a number's bits.
func hashNumber(f float64) uint32 {
	if f == 0 {
		return 0
	}
	b := math.Float64bits(f)
	return uint32(b) + uint32(b>>32)
}
