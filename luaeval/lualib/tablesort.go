package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// sorter sorts a table as Lua 5.1 does: quicksort with the median of first, middle and last as pivot. Scripts can see
// the order of equal elements, and where an invalid comparison is detected, so the steps are those of Lua
// (auxsort in ltablib.c), not those of package sort.
type sorter struct {
	library *library
	L       *lua.LState
	table   *lua.LTable
	less    *lua.LFunction // nil: the < operator
}

// sort is table.sort(t, less). A table with less than two elements is not changed, so it may be read-only.
func (l *library) sort(L *lua.LState) int {
	t := CheckTable(L, 1)
	s := sorter{library: l, L: L, table: t}
	if !isNoneOrNil(L, 2) {
		s.less = CheckFunction(L, 2)
	}
	n := luafront.Len(t)
	if n > 1 {
		l.checkWritable(L, t)
	}
	s.sort(1, n)
	return 0
}

// sort sorts the elements from low to high. The shorter part is sorted by recursion, the longer by the loop, which
// bounds the depth by the logarithm of the length.
func (s *sorter) sort(low, high int) {
	for low < high {
		s.order(low, high)
		if high-low == 1 {
			return
		}
		middle := (low + high) / 2
		if !s.order(low, middle) {
			s.order(middle, high)
		}
		if high-low == 2 {
			return
		}
		// The median, which is at middle now, is put next to the end, where it does not disturb the partition, and then
		// between both parts.
		pivot := s.get(middle)
		s.swap(middle, high-1)
		split := s.partition(low, high, pivot)
		s.swap(high-1, split)
		if split-low < high-split {
			s.sort(low, split-1)
			low = split + 1
		} else {
			s.sort(split+1, high)
			high = split - 1
		}
	}
}

// partition moves elements less than the pivot, which is at high-1, to the left, and returns where the right part
// begins. A comparison that contradicts itself can lead beyond either end, which is an error.
func (s *sorter) partition(low, high int, pivot lua.LValue) int {
	i, j := low, high-1
	for {
		for i++; s.compare(s.get(i), pivot); i++ {
			if i > high {
				raise(s.L, "invalid order function for sorting")
			}
		}
		for j--; s.compare(pivot, s.get(j)); j-- {
			if j < low {
				raise(s.L, "invalid order function for sorting")
			}
		}
		if j < i {
			return i
		}
		s.swap(i, j)
	}
}

// order swaps the elements at i and j if the latter is less, and reports whether it did.
func (s *sorter) order(i, j int) bool {
	if !s.compare(s.get(j), s.get(i)) {
		return false
	}
	s.swap(i, j)
	return true
}

// get and swap read and write elements raw.
func (s *sorter) get(i int) lua.LValue { return luafront.RawGetInt(s.table, i) }

func (s *sorter) swap(i, j int) {
	a, b := s.get(i), s.get(j)
	luafront.RawSetInt(s.table, i, b)
	luafront.RawSetInt(s.table, j, a)
}

// compare reports whether a is less than b. It may call the script, which may change the table.
func (s *sorter) compare(a, b lua.LValue) bool {
	s.library.tick(s.L)
	if s.less == nil {
		return lessThan(s.L, a, b)
	}
	return isTrue(call2(s.L, s.less, a, b))
}

// lessThan is a < b for two values of a table, with the errors of Lua. __lt counts only if both values have the same
// type and the same metamethod.
func lessThan(L *lua.LState, a, b lua.LValue) bool {
	switch x := a.(type) {
	case lua.LNumber:
		if y, ok := b.(lua.LNumber); ok {
			return x < y
		}
	case lua.LString:
		if y, ok := b.(lua.LString); ok {
			return x < y
		}
	}
	if a.Type() == b.Type() {
		if meta := L.GetMetaField(a, "__lt"); meta != lua.LNil && meta == L.GetMetaField(b, "__lt") {
			return isTrue(call2(L, meta, a, b))
		}
	}
	raiseCompare(L, a.Type().String(), b.Type().String())
	return false
}

// raiseCompare raises luaG_ordererror for two types.
func raiseCompare(L *lua.LState, a, b string) {
	if a == b {
		raisePlain(L, "attempt to compare two "+a+" values")
	}
	raisePlain(L, "attempt to compare "+a+" with "+b)
}

// call2 calls a function with two arguments and returns its first result.
func call2(L *lua.LState, f, a, b lua.LValue) lua.LValue {
	L.Push(f)
	L.Push(a)
	L.Push(b)
	L.Call(2, 1)
	result := L.Get(-1)
	L.Pop(1)
	return result
}
