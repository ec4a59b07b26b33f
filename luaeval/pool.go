package luaeval

import (
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// roomy is how many registers or places of KEYS and ARGV a state may have that waits in the pool.
const roomy = 1 << 15

// release puts a state back into the pool. One that a script has blown up is left to the garbage collector, as is one
// in which Go code has failed.
func (e *Engine) release(st *state) {
	if st.broken || luafront.Registers(st.L) > roomy || luafront.Places(st.keys)+luafront.Places(st.argv) > roomy {
		return
	}
	e.states.Put(st)
}

// breakDown is the reply to a script in which Go code has failed. The state is not used again.
func (st *state) breakDown(s *Script, fault *luafront.Fault) resp.Value {
	st.broken = true
	st.engine.log.Error("internal error in a script", "script", s.SHA, "error", fault, "stack", string(fault.Stack))
	return resp.Error("ERR internal error")
}

// valueBytes is about how much a value takes in Lua or in a reply.
const valueBytes = 64

// spend counts bytes that a conversion is about to allocate, and reports whether that is within the limit.
func (st *state) spend(bytes int) bool {
	st.spent += int64(bytes)
	return st.spent <= st.engine.limits.memory.Load()
}
