package server

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
)

// freeReply is the number of bytes of replies that do not count towards a limit: Redis has a fixed buffer of that size
// for each client.
const freeReply = command.ReplyBlock

// outputLimit closes a connection whose client leaves too much unread (client-output-buffer-limit in redis.conf).
// outbox.mu guards it.
type outputLimit struct {
	clock   clock.Clock
	current func() config.OutputLimit

	exceeded *atomic.Int64 // counts the connections that were closed
	soft     clock.Timer   // set while the soft limit is reached, else nil
}

// pendingLocked returns the number of bytes to send, including those that a writer has taken.
func (o *outbox) pendingLocked() int { return o.queue.size + o.held.size + o.taken.size }

func (o *outbox) pending() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.pendingLocked()
}

// afterGrowthLocked is called when there are more pending bytes.
func (o *outbox) afterGrowthLocked() {
	pending := o.pendingLocked()
	if pending <= freeReply || o.failed {
		return
	}
	limit := o.limit.current()
	switch {
	case reaches(pending, limit.Hard):
		o.exceededLocked()
	case reaches(pending, limit.Soft) && o.limit.soft == nil:
		o.limit.soft = o.limit.clock.AfterFunc(limit.Patience+softRounding, o.softLimitExpired)
	}
}

// softRounding is added to the time of the soft limit: Redis counts whole seconds, and closes once they are more.
const softRounding = time.Second

// softLimitExpired closes the connection unless the client has read enough since.
func (o *outbox) softLimitExpired() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.limit.soft != nil && o.aboveSoftLocked() && !o.failed {
		o.exceededLocked()
	}
	o.limit.soft = nil
}

// afterShrinkLocked is called when there are fewer pending bytes.
func (o *outbox) afterShrinkLocked() {
	if o.limit.soft != nil && !o.aboveSoftLocked() {
		o.limit.soft.Stop()
		o.limit.soft = nil
	}
}

func (o *outbox) aboveSoftLocked() bool { return reaches(o.pendingLocked(), o.limit.current().Soft) }

func (o *outbox) exceededLocked() {
	o.limit.exceeded.Add(1)
	o.failLocked()
	o.closeConn()
}

// checkReply reports whether a reply that is about to be sent exceeds the hard limit, and whether it reaches the soft
// limit, so that its timer has to be set.
func (o *outbox) checkReply(bytes int) (tooLarge, timed bool) {
	pending, limit := bytes+o.pending(), o.limit.current()
	return reaches(pending, limit.Hard), reaches(pending, limit.Soft)
}

// reaches reports whether the pending bytes reach the limit; 0 is no limit.
func reaches(pending int, limit uint64) bool {
	return limit > 0 && pending > freeReply && uint64(pending-freeReply) >= limit
}
