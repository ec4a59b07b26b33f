package server

import (
	"sync"

	"github.com/minilockd/minilockd/internal/buffer"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/pubsub"
)

// outbox is what a connection has still to send: replies that the client was too slow to read, the reply to a blocked
// command that another client has served and, once the client has subscriptions, all its replies and pushed messages
// in their order. All methods are safe for concurrent use.
//
// At most one goroutine writes at a time: push starts a writer if there is none, post and deliver leave that to their
// caller. So push never blocks, and a subscriber that does not read delays no publisher; outputLimit closes its
// connection. The bytes are a list of chunks, which the subscribers of a message share: a large message is never
// copied.
type outbox struct {
	start     func(from *conn) // starts a writer; called with mu held when there is none
	closeConn func()           // closes the connection; called with mu held
	limit     outputLimit
	traffic   *stats.Traffic

	mu         lockrank.Mutex[lockrank.Outbox] // guards what follows
	proto      int
	queue      chunks // not taken by a writer yet
	held       chunks // pushed while pushes are held
	taken      chunks // taken by the writer
	largeReply []byte // the buffer of a large reply, reused once all is written; else nil
	holding    bool
	writing    bool
	writerDone sync.Cond // signals that writing is false; its lock is mu
	failed     bool
}

// push adds a message and starts a writer if there is none. from is the connection of the publisher, or nil.
func (o *outbox) push(m *pubsub.Message, from *conn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed {
		return
	}
	if o.proto == 0 {
		o.proto = resp.RESP2
	}
	if o.holding {
		o.held.share(m.Bytes(o.proto))
		o.afterGrowthLocked()
		return
	}
	o.queue.share(m.Bytes(o.proto))
	o.afterGrowthLocked()
	if !o.writing && !o.failed {
		o.writing = true
		o.start(from)
	}
}

// post adds out[sent:], which are replies, and then the pushes that were held. It returns an empty buffer for the next
// replies: large ones are kept, not copied. From now on messages are encoded in proto. The caller must flush.
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
		o.largeReply, out = out, nil
	}
	if o.holding {
		o.queue.move(&o.held)
		o.holding = false
	}
	o.afterGrowthLocked()
	return out
}

// deliver adds the reply to a blocked command, which must not be modified afterwards. The caller must wake the
// connection, which writes it.
func (o *outbox) deliver(reply []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed {
		return
	}
	o.queue.share(reply)
	o.afterGrowthLocked()
}

// holdPushes holds pushed messages back until the next post.
func (o *outbox) holdPushes() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.holding = true
}

// take removes the n bytes that the writer has written, and returns what it is to write next. If there is nothing left,
// it returns nil and the caller is no longer the writer.
func (o *outbox) take(n int) [][]byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.taken.written(n)
	o.afterShrinkLocked()
	if o.taken.size == 0 {
		o.queue.swap(&o.taken)
	}
	if o.taken.size == 0 || o.failed {
		o.endLocked()
		return nil
	}
	return o.taken.next()
}

// endLocked ends the turn of the writer.
func (o *outbox) endLocked() {
	if !o.failed {
		buffer.Drop(o.largeReply)
	}
	o.largeReply = nil
	o.writing = false
	o.writerDone.Broadcast()
}

// writeAll calls write until nothing is left, or until it takes less than it was given: then the caller remains the
// writer. The error is that of write.
func (o *outbox) writeAll(write func([][]byte) (int, error)) (all bool, err error) {
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

// wrote removes what a partial write has taken.
func (o *outbox) wrote(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.taken.written(n)
	o.afterShrinkLocked()
}

// begin makes the caller the writer, and reports false if there is one already.
func (o *outbox) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.writing {
		return false
	}
	o.writing = true
	return true
}

// beginNext waits until there is no writer and makes the caller the next.
func (o *outbox) beginNext() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.writing {
		o.writerDone.Wait()
	}
	o.writing = true
}

// hasOutput reports whether there is something to write.
func (o *outbox) hasOutput() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.writing || o.queue.size > 0
}

// fail drops what is not written, and makes take return nil.
func (o *outbox) fail() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failLocked()
	if o.limit.soft != nil {
		o.limit.soft.Stop()
	}
}

// failWriter is fail for a writer that has panicked: beginNext no longer waits for it.
func (o *outbox) failWriter() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failLocked()
	o.endLocked()
}

func (o *outbox) failLocked() {
	o.failed = true
	o.queue, o.held = chunks{}, chunks{}
}
