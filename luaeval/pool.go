package luaeval

import (
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// maxPooled is the largest number of registers, and of elements of KEYS and ARGV, of a state in the pool.
const maxPooled = 1 << 15

// release puts a state back into the pool, unless it has become too large or Go code has panicked in it. The pool would
// otherwise keep the registers of a deep recursion for as long as the state is used.
func (e *Engine) release(st *state) {
	if st.broken || luafront.Registers(st.L) > maxPooled || luafront.Places(st.keys)+luafront.Places(st.argv) > maxPooled {
		return
	}
	e.states.Put(st)
}

// internalError returns the reply for a script in which Go code has panicked. The state is not used again, as nothing
// is known of it; the log gets the stack. name is the SHA1 of the script or the name of a function.
func (st *state) internalError(name string, fault *luafront.Fault) resp.Value {
	st.broken = true
	st.engine.log.Error("internal error in a script", "script", name, "error", fault, "stack", string(fault.Stack))
	return resp.Error("ERR internal error")
}

// valueBytes is the approximate size of a value in Lua or in a reply.
const valueBytes = 64

// allocate counts bytes that a conversion is about to allocate, and reports whether they are within the limit.
func (st *state) allocate(bytes int) bool {
	st.allocatedBytes += int64(bytes)
	return st.allocatedBytes <= st.engine.limits.memory.Load()
}
