package luafront

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// When a new key finds no free node, both parts get new sizes (rehash in ltable.c): the list the largest power of two
// of which more than half would be used, and the hash room for all other keys. Until then the list does not become
// longer: keys that could be in it are in the hash.

// maxListBits bounds how long the list of a table can be; larger keys are never in it.
const maxListBits = 26

// keyCounts counts integer keys: those above 2^(i-1) up to 2^i at i.
type keyCounts [maxListBits + 1]int

// count counts a key if it could be in a list.
func (c *keyCounts) count(key lua.LValue) {
	n, ok := key.(lua.LNumber)
	if !ok || n < 1 || n > 1<<maxListBits || n != lua.LNumber(int(n)) {
		return
	}
	c[ceilLog2(int(n))]++
}

// list returns the largest power of two such that more than half of the elements of a list of that size would be used,
// and how many.
func (c *keyCounts) list() (size, used int) {
	sum := 0
	for i, n := range c {
		if sum += n; n > 0 && sum > 1<<i/2 {
			size, used = 1<<i, sum
		}
	}
	return size, used
}

// rehash gives both parts the sizes that all keys and a new one need. Keys without a value are dropped.
func (t *vmTable) rehash(key lua.LValue) {
	var c keyCounts
	total := 1
	c.count(key)
	for i, v := range t.array {
		if v != lua.LNil {
			c[ceilLog2(i+1)]++
			total++
		}
	}
	for i := range t.hash().nodes {
		if n := &t.hash().nodes[i]; n.value != lua.LNil {
			c.count(n.key)
			total++
		}
	}
	size, used := c.list()
	t.resize(size, total-used)
}

// resize changes the sizes of the parts and inserts their content again: first what the list loses, then the nodes from
// the last one down. The order determines the positions of the nodes.
func (t *vmTable) resize(list, others int) {
	old, lost := t.hash(), t.array[min(list, len(t.array)):]
	first := len(t.array) - len(lost)
	if others > 0 {
		t.k2i = unsafe.Pointer(old.larger(others))
	} else {
		t.k2i = unsafe.Pointer(old.without())
	}
	t.resizeList(list)
	for i, v := range lost {
		if v != lua.LNil {
			*t.place(number(first + i + 1)) = v
		}
	}
	clear(lost)
	for i := len(old.nodes) - 1; i >= 0; i-- {
		if n := &old.nodes[i]; n.value != lua.LNil {
			*t.place(n.key) = n.value
		}
	}
}

// resizeList makes the list longer or shorter. A much shorter one gives its memory back.
func (t *vmTable) resizeList(size int) {
	old := t.array
	if size > cap(old) || size < cap(old)/4 && cap(old) > spareList {
		t.array = make([]lua.LValue, size)
		copy(t.array, old)
	} else {
		t.array = old[:size]
	}
	if size > len(old) {
		fillNil(t.array[len(old):])
	}
}

// spareList is up to how many places a list keeps for when it grows again.
const spareList = 64

// Len returns the length of a table as Lua 5.1 finds it: by halving, in the list if that ends with nil, else among the
// keys behind it. In a list with holes it is one of the places before a nil.
func Len(table *lua.LTable) int {
	t := converted(table)
	size := len(t.array)
	if size > 0 && t.array[size-1] == lua.LNil {
		begin, end := 0, size
		for end-begin > 1 {
			if middle := (begin + end) / 2; t.array[middle-1] == lua.LNil {
				end = middle
			} else {
				begin = middle
			}
		}
		return begin
	}
	if len(t.hash().nodes) == 0 {
		return size
	}
	return t.lenBehind(size)
}

// lenBehind finds the end of a list that continues in the hash: by doubling until there is nothing, then by halving
// (unbound_search).
func (t *vmTable) lenBehind(size int) int {
	const maxInt = 1<<31 - 3
	begin, end := size, size+1
	for t.hash().number(lua.LNumber(end)) != lua.LNil {
		begin, end = end, 2*end
		if end > maxInt { // made to be slow: count
			for begin = 1; t.get(number(begin)) != lua.LNil; begin++ {
			}
			return begin - 1
		}
	}
	for end-begin > 1 {
		if middle := (begin + end) / 2; t.hash().number(lua.LNumber(middle)) == lua.LNil {
			end = middle
		} else {
			begin = middle
		}
	}
	return begin
}
