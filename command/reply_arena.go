package command

// How long the memory of a reply lives. A resp.Value that a handler returns may alias memory of the store, of the
// request, and of the session's arena. It is valid until it is encoded (Session.reply, under the shards' locks),
// converted to Lua, or encoded by EXEC. Then the arena's elements are used again. So a handler must not keep a value,
// and must resp.Own what it is about to overwrite.
//
// Without the arena each LRANGE or HGETALL would leave a slice of 24 bytes an element to the garbage collector.

import (
	"sync"

	"github.com/minilockd/minilockd/internal/poison"
	"github.com/minilockd/minilockd/internal/resp"
)

// replyArena is the memory for the elements of the replies of one session.
type replyArena struct {
	values *[]resp.Value // from replyArenas, or nil
	used   int
}

// maxElements is the capacity of the largest slice that is kept for reuse, 96 KB.
const maxElements = 4096

var replyArenas = sync.Pool{New: func() any { values := make([]resp.Value, 128); return &values }}

// Elements returns an empty slice with capacity n, for the elements of the reply. It must not outlive the reply.
func (c *Call) Elements(n int) []resp.Value { return c.Session.arena.take(n) }

func (r *replyArena) take(n int) []resp.Value {
	if n > maxElements {
		return make([]resp.Value, 0, n)
	}
	if r.values == nil {
		r.values = replyArenas.Get().(*[]resp.Value)
	}
	if r.used+n > len(*r.values) { // slices taken before keep the old memory
		values := make([]resp.Value, min(maxElements, 2*(r.used+n)))
		r.values, r.used = &values, 0
	}
	first := r.used
	r.used += n
	return (*r.values)[first:first:r.used]
}

// forget invalidates all slices that were taken, so that the next reply can use their memory.
func (r *replyArena) forget() {
	if r.used > 0 {
		clear((*r.values)[:r.used]) // so that the arena keeps no other memory alive
		if poison.On {
			for i := range r.used {
				(*r.values)[i] = poisoned
			}
		}
		r.used = 0
	}
}

// poisoned is what a reply shows that refers to elements of an earlier one.
var poisoned = resp.Error("ERR an element of an earlier reply was used")

// release returns the memory to the pool, for all sessions.
func (r *replyArena) release() {
	if r.values != nil {
		r.forget()
		replyArenas.Put(r.values)
		r.values = nil
	}
}
