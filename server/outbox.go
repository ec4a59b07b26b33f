package server

import (
	"sync"

	"github.com/minilockd/minilockd/internal/buffer"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/pubsub"
)

// outbox is what a connection has still to send: replies that the client was too slow to take, the reply of a blocked command that
// another client has served and, once it has subscriptions, all its replies and the messages that others push, in the order in
// which they came about. It is safe for concurrent use.
//
// At any time at most one goroutine writes: whoever finds the outbox without a writer becomes or starts one. Push never
// blocks. What is unsent lies in a list of chunks, which the subscribers of a message share.
type outbox struct {
	start   func(from *conn) // starts a writer; called with mu held when there is none
	overrun func()           // closes the connection; called with mu held
	limit   outputLimit
	traffic *stats.Traffic

	mu      sync.Mutex // guards what follows
	proto   int
	queue   chunks // what no writer has taken yet
	held    chunks // pushed while corked
	flight  chunks // what the writer has taken
	lent    []byte // the buffer of a large reply, to be used again once all is written; nil if there is none
	corked  bool
	writing bool
	ended   sync.Cond // the writing has; its lock is mu
	failed  bool
}

// push adds a message and sees to it that it is written. From is the connection that has published it, if one has.
func (o *outbox) push(m *pubsub.Message, from *conn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed {
		return
	}
	if o.proto == 0 {
		o.proto = resp.RESP2
	}
	if o.corked {
		o.held.share(m.Bytes(o.proto))
		o.limitLocked()
		return
	}
	o.queue.share(m.Bytes(o.proto))
	o.limitLocked()
	if !o.writing && !o.failed {
		o.writing = true
		o.start(from)
	}
}

// post adds replies, all but the first sent bytes, and ends a cork. It returns an empty buffer for the next replies: large ones are kept,
// not copied. Messages are encoded in proto from now on. The caller must see to the writing.
func (o *outbox) post(out []byte, sent, proto int) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.proto = proto
	if o.failed {
		return out[:0]
	}
	if len(out)-sent < buffer.Large {
		o.queue.copy(out[sent:])
		out = out[:0]
	} else {
		o.queue.share(out[sent:])
		o.lent, out = out, nil
	}
	if o.corked {
		o.queue.move(&o.held)
		o.corked = false
	}
	o.limitLocked()
	return out
}

// deliver adds the reply of a blocked command, which must not change any more. Whoever wakes the connection has it written.
func (o *outbox) deliver(reply []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed {
		return
	}
	o.queue.share(reply)
	o.limitLocked()
}

// cork holds messages back until the next post.
func (o *outbox) cork() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.corked = true
}

// take removes the first n bytes of what the writer has, which it has written, and returns what is to be written next. When there is
// nothing it ends the writing.
func (o *outbox) take(n int) [][]byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flight.written(n)
	o.relaxLocked()
	if o.flight.size == 0 {
		o.queue.swap(&o.flight)
	}
	if o.flight.size == 0 || o.failed {
		o.endLocked()
		return nil
	}
	return o.flight.next()
}

// endLocked ends the writing.
func (o *outbox) endLocked() {
	if !o.failed {
		buffer.Drop(o.lent)
	}
	o.lent = nil
	o.writing = false
	o.ended.Broadcast()
}

// pour writes what is unsent until nothing is, which ends the writing, or until write takes less than it was given: then the caller
// has still to see to the rest. The error is that of write.
func (o *outbox) pour(write func([][]byte) (int, error)) (all bool, err error) {
	for n := 0; ; {
		list := o.take(n)
		if list == nil {
			return true, nil
		}
		want := totalSize(list)
		n, err = write(list)
		n = max(n, 0)
		o.traffic.Wrote(n)
		if n < want {
			o.wrote(n)
			return false, err
		}
	}
}

// wrote removes what a write has taken that did not take all.
func (o *outbox) wrote(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flight.written(n)
	o.relaxLocked()
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

// pending reports whether something is still to be written.
func (o *outbox) pending() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.writing || o.queue.size > 0
}

// fail makes take end the writing, whatever is unsent, and forgets what no writer has.
func (o *outbox) fail() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failLocked()
	if o.limit.soft != nil {
		o.limit.soft.Stop()
	}
}

// abandon is fail for a writer that has panicked: nobody waits for it any more.
func (o *outbox) abandon() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failLocked()
	o.endLocked()
}

func (o *outbox) failLocked() {
	o.failed = true
	o.queue, o.held = chunks{}, chunks{}
}
