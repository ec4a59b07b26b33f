package server

import (
	"sync"

	"github.com/minilockd/minilockd/internal/buffer"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// outbox is what a connection has still to send: replies that the client was too slow to take and, once it has
// subscriptions, all its replies and the messages that others push, in the order in which they came about.
//
// At any time at most one goroutine writes: whoever finds the outbox without a writer becomes or starts one. Push never
// blocks.
type outbox struct {
	start   func(from *conn) // starts a writer; called with mu held when there is none
	overrun func()           // closes the connection; called with mu held
	limit   outputLimit

	mu      sync.Mutex // guards what follows
	proto   int
	pending []byte
	late    []byte // pushed while corked
	flying  int    // bytes that a writer has taken
	corked  bool
	writing bool
	ended   sync.Cond // the writing has; its lock is mu
	failed  bool
}

// push adds a message and sees to it that it is written. From is the connection that has published it, if one has.
func (o *outbox) push(m *pubsub.Message, from *conn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.proto == 0 {
		o.proto = resp.RESP2
	}
	if o.corked {
		o.late = append(o.late, m.Bytes(o.proto)...)
		o.limitLocked()
		return
	}
	o.pending = append(o.pending, m.Bytes(o.proto)...)
	o.limitLocked()
	if !o.writing && !o.failed {
		o.writing = true
		o.start(from)
	}
}

// post adds a reply and ends a cork. Messages are encoded in proto from now on. Whoever posts must see to the writing.
func (o *outbox) post(out []byte, proto int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.proto = proto
	o.pending = append(o.pending, out...)
	if o.corked {
		o.pending = append(o.pending, o.late...)
		o.late, o.corked = nil, false
	}
	o.limitLocked()
}

// cork holds messages back until the next post.
func (o *outbox) cork() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.corked = true
}

// take hands the writer what is pending, and spare to gather in meanwhile. It ends the writing when nothing is.
func (o *outbox) take(spare []byte) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flying = 0
	o.relaxLocked()
	if len(o.pending) == 0 || o.failed {
		o.end()
		return nil
	}
	out := o.pending
	if cap(spare) > buffer.Large {
		spare = nil
	}
	o.pending, o.flying = spare[:0], len(out)
	return out
}

// end ends the writing. It is called with mu held.
func (o *outbox) end() {
	o.writing = false
	o.ended.Broadcast()
}

// putBack returns to the front what the writer could not write.
func (o *outbox) putBack(rest []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flying = 0
	o.pending = append(append(make([]byte, 0, len(rest)+len(o.pending)), rest...), o.pending...)
}

// pour writes what is pending until nothing is, which ends the writing, or until write takes less than it was given: then the caller
// has still to see to the rest. The error is that of write.
func (o *outbox) pour(write func([]byte) (int, error)) (all bool, err error) {
	var out []byte
	for {
		if out = o.take(out); out == nil {
			return true, nil
		}
		n, err := write(out)
		if n = max(n, 0); n < len(out) {
			o.putBack(out[n:])
			return false, err
		}
	}
}

// begin makes the caller the writer unless there is one.
func (o *outbox) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.writing {
		return false
	}
	o.writing = true
	return true
}

// beginNext waits for the writer, if there is one, and makes the caller the next.
func (o *outbox) beginNext() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.writing {
		o.ended.Wait()
	}
	o.writing = true
}

// busy reports whether something is still to be written.
func (o *outbox) busy() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.writing
}

// fail makes take end the writing, whatever is pending.
func (o *outbox) fail() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = true
	if o.limit.soft != nil {
		o.limit.soft.Stop()
	}
}
