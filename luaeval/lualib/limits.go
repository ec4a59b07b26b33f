package lualib

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// A call of a Go function can't be interrupted from outside, nor does Go say how much memory it takes. So whatever a
// script can make long or large is counted here: steps, of which every so many call Options.Interrupt, and bytes before
// they are allocated.

const (
	// stepsPerCheck is the number of steps of a long call between two calls of Options.Interrupt, a power of two: well
	// under a millisecond of matching.
	stepsPerCheck = 1 << 14
	// maxStack is LUAI_MAXCSTACK: the most values that a C function of Lua 5.1 may have on its stack.
	maxStack = 8000
	// spareBuffer is the largest buffer in bytes that is kept between calls.
	spareBuffer = 64 << 10
)

// tick counts one step of a long call and lets the owner stop it.
func (l *library) tick(L *lua.LState) {
	l.steps++
	if l.steps%stepsPerCheck == 0 {
		l.checkInterrupt(L)
	}
}

// ticks counts several steps at once, for a step whose time depends on a length.
func (l *library) ticks(L *lua.LState, n int) {
	left := stepsPerCheck - l.steps%stepsPerCheck
	l.steps += uint(n)
	if uint(n) >= left {
		l.checkInterrupt(L)
	}
}

// checkInterrupt raises the error of Options.Interrupt, without a position, so that it is the whole message.
func (l *library) checkInterrupt(L *lua.LState) {
	if l.Interrupt == nil {
		return
	}
	if err := l.Interrupt(); err != nil {
		raisePlain(L, err.Error())
	}
}

// checkLength raises an error if a result of n bytes is too long. A negative n is one that has overflowed.
func (l *library) checkLength(L *lua.LState, n int) {
	if n < 0 || n > l.MaxString {
		raise(L, "resulting string too large")
	}
}

// About how many bytes gopher-lua takes for a value in a list, a table, and a table's map with its first entries.
const (
	valueBytes = 32
	tableBytes = 96
	mapBytes   = 512
)

// sizeOfTable returns about how many bytes a table with that many elements and pairs takes.
func sizeOfTable(elements, pairs int) int {
	size := tableBytes + elements*valueBytes/2
	if pairs > 0 {
		size += mapBytes + pairs*4*valueBytes
	}
	return size
}

// budget bounds what a decoder makes of a short text: two bytes may stand for a table.
type budget struct {
	library *library
	spent   int
}

// take counts bytes that are about to be allocated, as one step. The message, like all of the core of Lua, has no
// position.
func (b *budget) take(L *lua.LState, bytes int) {
	b.library.tick(L)
	if b.spent += bytes; b.spent > b.library.MaxString {
		raisePlain(L, "not enough memory")
	}
}

// checkStack fails as luaL_checkstack does when a C function with used values on its stack wants more.
func checkStack(L *lua.LState, used, more int, message string) {
	if used+more > maxStack {
		raise(L, "stack overflow (%s)", message)
	}
}

// takeBuffer returns the spare buffer, empty. A nested call gets a new one, so callbacks may call the library again. An
// error that is raised in the meantime drops the buffer.
func (l *library) takeBuffer() []byte {
	buffer := l.bytes
	l.bytes = nil
	return buffer[:0]
}

// pushBuffer pushes the bytes as a string and keeps the buffer for the next call. A large buffer becomes the string
// itself. It returns 1, the number of results.
func (l *library) pushBuffer(L *lua.LState, buffer []byte) int {
	l.checkLength(L, len(buffer))
	if len(buffer) > spareBuffer {
		l.OnAlloc(len(buffer))
		pushString(L, unsafe.String(unsafe.SliceData(buffer), len(buffer))) // the buffer is not used again
		return 1
	}
	pushString(L, string(buffer))
	l.putBuffer(buffer)
	return 1
}

// putBuffer keeps a buffer for reuse unless it is too large.
func (l *library) putBuffer(buffer []byte) {
	if cap(buffer) <= spareBuffer {
		l.bytes = buffer
	}
}
