package lualib

import lua "github.com/yuin/gopher-lua"

const (
	// stepsPerCheck is how many steps of a long call pass between two questions to Options.Interrupt, a power of two:
	// well under a millisecond of matching.
	stepsPerCheck = 1 << 14
	// maxStack is LUAI_MAXCSTACK: the most values that a C function of Lua 5.1 may have on its stack.
	maxStack = 8000
	// maxTableGap is the most slots that a store beyond a table's end may fill with nil. Lua would put the value in a hash
	// slot, gopher-lua allocates all between.
	maxTableGap = 1 << 20
	// spareBuffer is the greatest buffer in bytes kept from one call to the next.
	spareBuffer = 64 << 10
)

// tick counts one step of a long call and lets the owner stop it.
func (l *library) tick(L *lua.LState) {
	l.steps++
	if l.steps%stepsPerCheck == 0 {
		l.checkInterrupt(L)
	}
}

func (l *library) checkInterrupt(L *lua.LState) {
	if l.Interrupt == nil {
		return
	}
	if err := l.Interrupt(); err != nil {
		raiseBare(L, err.Error())
	}
}

// checkLength refuses a result of n bytes that is too long.
func (l *library) checkLength(L *lua.LState, n int) {
	if n < 0 || n > l.MaxString {
		raise(L, "resulting string too large")
	}
}

// checkStack fails as luaL_checkstack does when a C function with used values on its stack wants more.
func checkStack(L *lua.LState, used, more int, message string) {
	if used+more > maxStack {
		raise(L, "stack overflow (%s)", message)
	}
}

// takeBuffer lends the spare buffer, empty. A nested call gets a new one, so callbacks may re-enter the library.
func (l *library) takeBuffer() []byte {
	buffer := l.bytes
	l.bytes = nil
	return buffer[:0]
}

// pushBuffer pushes the bytes as a string and takes the buffer back.
func (l *library) pushBuffer(L *lua.LState, buffer []byte) int {
	l.checkLength(L, len(buffer))
	pushString(L, string(buffer))
	l.giveBuffer(buffer)
	return 1
}

// giveBuffer takes a buffer back unless it has grown too big to keep.
func (l *library) giveBuffer(buffer []byte) {
	if cap(buffer) <= spareBuffer {
		l.bytes = buffer
	}
}
