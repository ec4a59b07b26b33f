package lock

import (
	"container/list"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// hub wakes waiters. All waiters of a client share one connection (in a cluster with sharded channels, one per master
// that has a channel they need), and all waiters of a channel share one subscription.
//
// A message wakes only the first waiter of its channel, which makes an attempt; once it has the lock, the next one is
// first. So handing over a lock costs one command, however many wait. Waiters that can hold at the same time (readers,
// permits) are woken together, and each wakes the next once it holds.
//
// A message is lost while the connection is down. So every acknowledgement of a subscription, the first and those after
// a reconnect, counts as a message; and the first waiter makes an attempt when the lease that it last saw should have
// ended.
type hub struct {
	c *Client

	mu       lockrank.Mutex[lockrank.Hub] // guards the rest, the channels, the waiters and the links
	channels map[string]*channel
	links    map[string]*link
}

// channel is a channel with waiters, or one that is about to be unsubscribed.
type channel struct {
	name           string
	link           *link     // nil while it is being located
	waiters        list.List // of *waiter, in their order
	sent           bool      // SUBSCRIBE is sent
	ready          bool      // SUBSCRIBE has its reply
	mustSync       bool      // it is in link.mustSync
	retryAt        time.Time // when the lock may be free without a message; zero if unknown
	carriesPermits bool      // its messages are numbers of permits
	permitsLeft    int64     // permits in the last message, less those taken here since
}

// waiter is one call that waits.
type waiter struct {
	ch     *channel
	place  *list.Element
	wake   chan struct{} // capacity 1: look at the fields below
	try    bool          // make an attempt
	err    error         // the client may not subscribe
	weight int64         // 0 for an exclusive lock; else the number of permits, or 1 for a reader
}

// unlimitedPermits is permitsLeft of a message without a number.
const unlimitedPermits int64 = 1 << 62

func (h *hub) init(c *Client) {
	h.c, h.channels, h.links = c, map[string]*channel{}, map[string]*link{}
}

// join adds a waiter at the end of a channel's queue. If it is the first, it is woken once the channel is subscribed.
// With carriesPermits, the channel's messages are numbers of permits.
func (h *hub) join(name string, weight int64, carriesPermits bool) *waiter {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.channels[name]
	if ch == nil {
		ch = &channel{name: name, carriesPermits: carriesPermits}
		h.channels[name] = ch
		h.connectLocked(ch)
	}
	w := &waiter{ch: ch, wake: make(chan struct{}, 1), weight: weight}
	if ch.waiters.Len() == 0 {
		ch.retryAt, ch.permitsLeft = time.Time{}, unlimitedPermits
		w.try = ch.ready
	}
	w.place = ch.waiters.PushBack(w)
	ch.mustSyncLocked()
	return w
}

// waiting reports whether a call of this client waits on a channel.
func (h *hub) waiting(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.channels[name]
	return ch != nil && ch.waiters.Len() > 0
}

// firstLocked reports whether w is at the head of its queue.
func (w *waiter) firstLocked() bool { return w.ch.waiters.Front() == w.place }

// signal makes w call poll. A signal too many is harmless.
func (w *waiter) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// letTryLocked makes w try.
func (w *waiter) letTryLocked() {
	w.try = true
	w.signal()
}

// poll reports whether w is to try now, and otherwise when to poll again (zero: when signaled).
func (h *hub) poll(w *waiter, now time.Time) (try bool, until time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.err != nil {
		return false, until, w.err
	}
	try, w.try = w.try, false
	if !w.firstLocked() {
		return try, time.Time{}, nil
	}
	if until = w.ch.retryAt; !until.IsZero() && !now.Before(until) {
		try = true
	}
	return try, until, nil
}

// setRetry sets when the lock may be free without a message.
func (h *hub) setRetry(w *waiter, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.ch.retryAt = at
}

// leaveResult is how a wait has ended.
type leaveResult struct {
	got     bool      // it has what it waits for
	until   time.Time // end of its own lease; zero if the next waiter can't use it
	mustTry bool      // it was to try and has no result: another waiter must try
}

// leave removes w from its queue.
func (h *hub) leave(w *waiter, d leaveResult) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch, first, mustTry, until := w.ch, w.firstLocked(), w.try || d.mustTry, d.until
	ch.waiters.Remove(w.place)
	if ch.waiters.Len() == 0 {
		ch.mustSyncLocked()
		return
	}
	head := ch.waiters.Front().Value.(*waiter)
	switch {
	case d.got:
		if w.weight == 0 || ch.retryAt.IsZero() || until.Before(ch.retryAt) && !until.IsZero() {
			ch.retryAt = until
		}
		ch.permitsLeft -= w.weight
		if next := ch.nextLocked(); w.weight > 0 && next != nil && next.weight > 0 && ch.permitsLeft > 0 {
			next.letTryLocked()
		}
	case first && (head.weight > 0 || w.weight > 0):
		head.letTryLocked() // it may need fewer permits than w
	}
	ch.passOnLocked(mustTry, first)
}

// passOnLocked makes the head of the queue try if the waiter that has left had to, and poll if it was the first, to set
// its timer.
func (ch *channel) passOnLocked(mustTry, first bool) {
	head := ch.waiters.Front().Value.(*waiter)
	if mustTry {
		head.try = true
	}
	if mustTry || first {
		head.signal()
	}
}

// nextLocked returns the first waiter that is not to try yet.
func (ch *channel) nextLocked() *waiter {
	for e := ch.waiters.Front(); e != nil; e = e.Next() {
		if w := e.Value.(*waiter); !w.try {
			return w
		}
	}
	return nil
}

// wakeFirstLocked wakes waiters because a lock, or that many permits, are free.
func (ch *channel) wakeFirstLocked(permits int64) {
	ch.permitsLeft = permits
	for e := ch.waiters.Front(); e != nil; e = e.Next() {
		w := e.Value.(*waiter)
		w.letTryLocked()
		if permits -= w.weight; w.weight == 0 || permits <= 0 {
			return
		}
	}
}

// message handles a message of a channel.
func (h *hub) message(name, payload string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.channels[name]
	if ch == nil {
		return
	}
	permits := unlimitedPermits
	if n, err := strconv.ParseInt(payload, 10, 64); err == nil && n > 0 && ch.carriesPermits {
		permits = n
	}
	ch.wakeFirstLocked(permits)
}

// mustSyncLocked makes the channel's link subscribe or unsubscribe.
func (ch *channel) mustSyncLocked() {
	if ch.link == nil || ch.mustSync {
		return
	}
	ch.mustSync = true
	ch.link.mustSync = append(ch.link.mustSync, ch)
	ch.link.signalWriter()
}

// subscribed handles the reply to SUBSCRIBE.
func (h *hub) subscribed(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ch := h.channels[name]; ch != nil {
		ch.ready = true
		ch.wakeFirstLocked(unlimitedPermits)
	}
}
