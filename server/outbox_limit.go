package server

import (
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
)

// freeReply is how many bytes of replies do not count towards a limit: in Redis they lie in a buffer that each client has anyway.
const freeReply = command.ReplyBlock

// outputLimit closes a connection whose client leaves too much unread (client-output-buffer-limit in redis.conf). The lock of the outbox
// guards it.
type outputLimit struct {
	clock   clock.Clock
	current func() config.OutputLimit
	soft    clock.Timer // runs while the soft limit is reached, else nil
}

// unsentLocked is how much has still to be sent, what a writer is at included.
func (o *outbox) unsentLocked() int { return o.queue.size + o.held.size + o.flight.size }

func (o *outbox) unsent() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.unsentLocked()
}

// limitLocked is called when there is more to send.
func (o *outbox) limitLocked() {
	unsent := o.unsentLocked()
	if unsent <= freeReply || o.failed {
		return
	}
	limit := o.limit.current()
	switch {
	case reaches(unsent, limit.Hard):
		o.overrunLocked()
	case reaches(unsent, limit.Soft) && o.limit.soft == nil:
		o.limit.soft = o.limit.clock.AfterFunc(limit.Patience+softRounding, o.patienceEnds)
	}
}

// softRounding is how much longer than the limit says the client is waited for: Redis counts seconds that have begun, and closes when they
// are more.
const softRounding = time.Second

// patienceEnds closes the connection unless the client has read enough meanwhile.
func (o *outbox) patienceEnds() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.limit.soft != nil && o.aboveSoftLocked() && !o.failed {
		o.overrunLocked()
	}
	o.limit.soft = nil
}

// relaxLocked is called when there is less to send.
func (o *outbox) relaxLocked() {
	if o.limit.soft != nil && !o.aboveSoftLocked() {
		o.limit.soft.Stop()
		o.limit.soft = nil
	}
}

func (o *outbox) aboveSoftLocked() bool { return reaches(o.unsentLocked(), o.limit.current().Soft) }

func (o *outbox) overrunLocked() {
	o.failLocked()
	o.overrun()
}

// tooMuch reports whether replies that are about to be sent exceed the hard limit; watched, whether they reach the soft one, so that it
// has to be seen how long they take.
func (o *outbox) tooMuch(bytes int) (tooMuch, watched bool) {
	unsent, limit := bytes+o.unsent(), o.limit.current()
	return reaches(unsent, limit.Hard), reaches(unsent, limit.Soft)
}

// reaches reports whether that many unsent bytes are as many as the limit, if there is one.
func reaches(unsent int, limit uint64) bool {
	return limit > 0 && unsent > freeReply && uint64(unsent-freeReply) >= limit
}
