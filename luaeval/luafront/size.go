package luafront

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// About how many bytes Go takes for a place of a list, an entry of a map, and what has no size of its own.
const (
	slotBytes     = 16
	entryBytes    = 48
	functionBytes = 96
	upvalueBytes  = 80
	protoBytes    = 400
	threadBytes   = 4 << 10
	// longText is the length from which a string is counted only once; recording shorter ones would cost as much memory as
	// they take.
	longText = 256
)

// Size estimates the size in bytes of the values that a state and its coroutines can reach, shared ones counted once.
// It stops counting beyond limit. Only the goroutine that runs the state may call it.
func (m *Machine) Size(L *lua.LState, limit int64) int64 {
	s := sizer{limit: limit}
	s.value(L)
	if L.G.CurrentThread != nil {
		s.value(L.G.CurrentThread)
	}
	s.value(L.G.Global)
	for len(s.todo) > 0 && s.total <= s.limit {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.open(v)
	}
	return s.total
}

// sizer adds up sizes without recursion, since scripts may nest tables to any depth.
type sizer struct {
	seen         addressSet
	todo         []lua.LValue // found, but their content is not counted yet
	total, limit int64
}

// value counts a value itself, and queues its content.
func (s *sizer) value(v lua.LValue) {
	switch v := v.(type) {
	case lua.LNumber:
		s.total += int64(unsafe.Sizeof(v))
	case lua.LString:
		s.text(string(v))
	case *lua.LTable:
		s.later(unsafe.Pointer(v), v)
	case *lua.LFunction:
		s.later(unsafe.Pointer(v), v)
	case *lua.LState:
		s.later(unsafe.Pointer(v), v)
	}
}

// later queues a value whose content is to be counted, once.
func (s *sizer) later(p unsafe.Pointer, v lua.LValue) {
	if s.seen.add(uintptr(p)) {
		s.todo = append(s.todo, v)
	}
}

// text counts a string. Parts of one string that are strings themselves count as if they were copies.
func (s *sizer) text(text string) {
	s.total += 2 * slotBytes // its header, and on average half of what its bytes are rounded up by
	if len(text) < longText || s.seen.add(uintptr(unsafe.Pointer(unsafe.StringData(text)))) {
		s.total += int64(len(text))
	}
}

// open counts the content of a value.
func (s *sizer) open(v lua.LValue) {
	switch v := v.(type) {
	case *lua.LTable:
		s.table(partsOf(v))
	case *lua.LFunction:
		s.function(v)
	case *lua.LState:
		s.thread(v)
	}
}

// table counts a table, converted or not.
func (s *sizer) table(t *vmTable) {
	s.total += int64(unsafe.Sizeof(*t)) + int64(cap(t.array)+cap(t.keys))*slotBytes +
		int64(len(t.dict)+len(t.strdict))*entryBytes
	s.value(t.Metatable)
	for _, v := range t.array {
		s.value(v)
	}
	if t.isConverted() {
		s.hash(t.hash())
	}
	for k, v := range t.dict {
		s.value(k)
		s.value(v)
	}
	for k, v := range t.strdict {
		s.text(k)
		s.value(v)
	}
}

func (s *sizer) hash(h *hashPart) {
	s.total += int64(len(h.nodes)) * int64(unsafe.Sizeof(node{}))
	for i := range h.nodes {
		s.value(h.nodes[i].key)
		s.value(h.nodes[i].value)
	}
}

// function counts a closure with the variables that it captures, and its code.
func (s *sizer) function(f *lua.LFunction) {
	s.total += functionBytes + int64(len(f.Upvalues))*upvalueBytes
	for _, u := range f.Upvalues {
		if u != nil {
			s.value(u.Value())
		}
	}
	if f.Proto != nil {
		s.proto(f.Proto)
	}
}

// proto counts compiled code, of which a script may load any amount. The compiler bounds the nesting of functions.
func (s *sizer) proto(p *lua.FunctionProto) {
	if !s.seen.add(uintptr(unsafe.Pointer(p))) {
		return
	}
	const lineBytes = 12 // of an instruction and its line number
	s.total += protoBytes + int64(len(p.Code))*lineBytes + int64(len(p.Constants))*slotBytes
	for _, v := range p.Constants {
		s.value(v)
	}
	for _, inner := range p.FunctionPrototypes {
		s.proto(inner)
	}
}

// thread counts a coroutine, or the state itself, by its registers. Those above the top still hold values.
func (s *sizer) thread(L *lua.LState) {
	registers := internals(L).reg.array
	s.total += threadBytes + int64(len(registers))*slotBytes + int64(L.Options.CallStackSize)
	for _, v := range registers {
		s.value(v)
	}
	if L.Parent != nil {
		s.value(L.Parent)
	}
}

// addressSet is an open hash table of addresses. It holds no pointers, so it is nothing to the garbage collector; Go
// does not move what is on the heap.
type addressSet struct {
	slots []uintptr // a power of two of them, at most half in use
	count int
}

// add adds an address, and reports whether it was not there yet.
func (a *addressSet) add(address uintptr) bool {
	if 2*(a.count+1) > len(a.slots) {
		a.grow()
	}
	i := a.slot(address)
	for a.slots[i] != 0 {
		if a.slots[i] == address {
			return false
		}
		i = (i + 1) & (len(a.slots) - 1)
	}
	a.slots[i] = address
	a.count++
	return true
}

// grow makes the set four times as large.
func (a *addressSet) grow() {
	old := a.slots
	a.slots, a.count = make([]uintptr, max(1024, 4*len(old))), 0
	for _, address := range old {
		if address != 0 {
			a.add(address)
		}
	}
}

// slot returns the index at which a search for an address starts.
func (a *addressSet) slot(address uintptr) int {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio: distributes adjacent addresses
	return int(uint64(address)*golden>>20) & (len(a.slots) - 1)
}
