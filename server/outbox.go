package server

import (
	"io"
	"sync"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// outbox is what a connection with subscriptions has still to send: its own replies and the messages that others push, in
// the order in which they came about. Push never blocks; whoever finds nobody writing starts a goroutine that writes until
// the outbox is empty.
type outbox struct {
	w       io.Writer
	overrun func() // closes the connection; called with mu held, must not call back

	mu      sync.Mutex // guards what follows
	idle    sync.Cond  // writing has become false
	proto   int
	pending []byte
	late    []byte // pushed while corked
	corked  bool
	writing bool
	failed  bool
}

// maxPending is how much a subscriber may leave unread, in bytes (client-output-buffer-limit pubsub, the hard limit).
const maxPending = 32 << 20

func newOutbox(w io.Writer, overrun func()) *outbox {
	o := &outbox{w: w, overrun: overrun, proto: resp.RESP2}
	o.idle.L = &o.mu
	return o
}

// push adds a message and sees to it that it is written.
func (o *outbox) push(m *pubsub.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.corked {
		o.late = append(o.late, m.Bytes(o.proto)...)
		return
	}
	o.pending = append(o.pending, m.Bytes(o.proto)...)
	if len(o.pending) > maxPending && !o.failed {
		o.failed = true
		o.overrun()
	}
	if !o.writing && !o.failed {
		o.writing = true
		go o.drain()
	}
}

// post adds a reply and ends a cork; it is written by flush. Messages are encoded in proto from now on.
func (o *outbox) post(out []byte, proto int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.proto = proto
	o.pending = append(o.pending, out...)
	if o.corked {
		o.pending = append(o.pending, o.late...)
		o.late, o.corked = nil, false
	}
}

// cork holds messages back until the next post.
func (o *outbox) cork() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.corked = true
}

// flush returns when all that was posted has been written, so that a client which does not read is not served further.
func (o *outbox) flush() {
	o.mu.Lock()
	for o.writing {
		o.idle.Wait()
	}
	o.writing = true
	o.mu.Unlock()
	o.drain()
}

// drain writes until nothing is left. The caller has set writing.
func (o *outbox) drain() {
	o.mu.Lock()
	defer o.mu.Unlock()
	var spare []byte
	for len(o.pending) > 0 && !o.failed {
		out := o.pending
		o.pending = spare[:0]
		o.mu.Unlock()
		_, err := o.w.Write(out)
		o.mu.Lock()
		o.failed = o.failed || err != nil
		if spare = out; cap(spare) > keepBuffer {
			spare = nil
		}
	}
	o.writing = false
	o.idle.Broadcast()
}

// close waits for whoever is writing; the writer below has been closed.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = true
	for o.writing {
		o.idle.Wait()
	}
}
