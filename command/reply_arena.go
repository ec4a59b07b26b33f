package command

import (
	"sync"

	"github.com/minilockd/minilockd/internal/poison"
	"github.com/minilockd/minilockd/internal/resp"
)

// replyArena is memory for the elements of a command's reply. A reply is gone once the next command of its session
// begins: it has been encoded, or converted for a script, or copied for EXEC. So it is used again, where each long
// reply would leave garbage.
type replyArena struct {
	values *[]resp.Value // from replyArenas, or nil
	used   int
}

// maxElements is the size of the largest one that is kept, 96 KB.
const maxElements = 4096

var replyArenas = sync.Pool{New: func() any { values := make([]resp.Value, 128); return &values }}

// Elements returns an empty slice with room for n elements of the reply. It must not outlive the reply.
func (c *Call) Elements(n int) []resp.Value { return c.Session.arena.take(n) }

func (r *replyArena) take(n int) []resp.Value {
	if n > maxElements {
		return make([]resp.Value, 0, n)
	}
	if r.values == nil {
		r.values = replyArenas.Get().(*[]resp.Value)
	}
	if r.used+n > len(*r.values) { // what was taken before stays where it is
		values := make([]resp.Value, min(maxElements, 2*(r.used+n)))
		r.values, r.used = &values, 0
	}
	first := r.used
	r.used += n
	return (*r.values)[first:first:r.used]
}

// forget makes it free for the next reply.
func (r *replyArena) forget() {
	if r.used > 0 {
		clear((*r.values)[:r.used]) // else what they name would stay in memory
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

// release leaves it to other sessions.
func (r *replyArena) release() {
	if r.values != nil {
		r.forget()
		replyArenas.Put(r.values)
		r.values = nil
	}
}
