package lock

import (
	"container/list"
	"strconv"
	"sync"
	"time"
)

// hub wakes those who wait. All waiters of a client share one connection (in a cluster with sharded channels, one per
// master that has a channel they need), and all waiters of a channel share one subscription.
//
// A message wakes the first waiter of its channel and nobody else: it tries, and when it has got the lock the next one
// is first. So a lock that changes hands costs one command, however many wait. Waiters that can hold at the same time
// (readers, takers of permits) are woken together, and pass the word on.
//
// A message can be missed while the connection is down. Every acknowledgement of a subscription, the first and those
// after a cut, therefore counts as a message; and a first waiter tries by itself when the lease that it last saw should
// be over.
type hub struct {
	c *Client

	mu       sync.Mutex // guards the rest, the channels, the waiters and the links
	channels map[string]*channel
	links    map[string]*link
}

// channel is one channel that somebody waits on, or did a moment ago.
type channel struct {
	name    string
	link    *link     // nil while it has no connection
	waiters list.List // of *waiter, in the order of their arrival
	sent    bool      // SUBSCRIBE is sent
	ready   bool      // and acknowledged
	dirty   bool      // the link must look at it
	retryAt time.Time // when the lock may be free without a message; zero if unknown
	counts  bool      // its messages are numbers of permits
	budget  int64     // permits that the last message spoke of, less those taken here since
}

// waiter is one call that waits.
type waiter struct {
	ch     *channel
	place  *list.Element
	wake   chan struct{} // capacity 1: look at the fields below
	try    bool          // it is time to try
	err    error         // the channel cannot be had
	weight int64         // 0: excludes others; else the number of permits it wants, or 1 for a reader
}

// plenty is the budget of a message that does not speak of a number.
const plenty int64 = 1 << 62

func (h *hub) init(c *Client) {
	h.c, h.channels, h.links = c, map[string]*channel{}, map[string]*link{}
}

// join adds a waiter at the end of a channel's queue. If it is the first, it is woken when the subscription stands. The
// messages of a channel that counts are numbers of permits.
func (h *hub) join(name string, weight int64, counts bool) *waiter {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.channels[name]
	if ch == nil {
		ch = &channel{name: name, counts: counts}
		h.channels[name] = ch
		h.connectLocked(ch)
	}
	w := &waiter{ch: ch, wake: make(chan struct{}, 1), weight: weight}
	if ch.waiters.Len() == 0 {
		ch.retryAt, ch.budget = time.Time{}, plenty
		w.try = ch.ready
	}
	w.place = ch.waiters.PushBack(w)
	ch.dirtyLocked()
	return w
}

// waiting reports whether somebody of this process waits on a channel.
func (h *hub) waiting(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.channels[name]
	return ch != nil && ch.waiters.Len() > 0
}

// first reports whether w is at the head of its queue. The caller holds hub.mu.
func (w *waiter) first() bool { return w.ch.waiters.Front() == w.place }

// poke has w look at its fields. The caller holds hub.mu, or is a timer, to which looking once too often does no harm.
func (w *waiter) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// tryLocked has w try. The caller holds hub.mu.
func (w *waiter) tryLocked() {
	w.try = true
	w.poke()
}

// poll is what a woken waiter does: it learns whether to try now, and otherwise when to look again (zero: when woken).
func (h *hub) poll(w *waiter, now time.Time) (try bool, until time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.err != nil {
		return false, until, w.err
	}
	try, w.try = w.try, false
	if !w.first() {
		return try, time.Time{}, nil
	}
	if until = w.ch.retryAt; !until.IsZero() && !now.Before(until) {
		try = true
	}
	return try, until, nil
}

// retry notes when the lock that w did not get may be free without a message.
func (h *hub) retry(w *waiter, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.ch.retryAt = at
}

// departure is how a waiter leaves.
type departure struct {
	got   bool      // what it waited for
	until time.Time // when the lease of that ends; zero if that says nothing
	owed  bool      // it was told to try and has not found out: somebody else must
}

// leave takes w out of its queue.
func (h *hub) leave(w *waiter, d departure) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch, first, owed, until := w.ch, w.first(), w.try || d.owed, d.until
	ch.waiters.Remove(w.place)
	if ch.waiters.Len() == 0 {
		ch.dirtyLocked()
		return
	}
	head := ch.waiters.Front().Value.(*waiter)
	switch {
	case d.got:
		if w.weight == 0 || ch.retryAt.IsZero() || until.Before(ch.retryAt) && !until.IsZero() {
			ch.retryAt = until
		}
		ch.budget -= w.weight
		if next := ch.nextAsleep(); w.weight > 0 && next != nil && next.weight > 0 && ch.budget > 0 {
			next.tryLocked()
		}
	case first && (head.weight > 0 || w.weight > 0):
		head.tryLocked() // it may be content with what w was not
	}
	ch.passOnLocked(owed, first)
}

// passOnLocked hands a leaver's duties to the head of the queue: the word that it has not used, and to watch the time.
func (ch *channel) passOnLocked(owed, first bool) {
	head := ch.waiters.Front().Value.(*waiter)
	if owed {
		head.try = true
	}
	if owed || first {
		head.poke()
	}
}

// nextAsleep is the first waiter that has not been told to try.
func (ch *channel) nextAsleep() *waiter {
	for e := ch.waiters.Front(); e != nil; e = e.Next() {
		if w := e.Value.(*waiter); !w.try {
			return w
		}
	}
	return nil
}

// wakeLocked is the news that a lock is free, or that this many permits are.
func (ch *channel) wakeLocked(permits int64) {
	ch.budget = permits
	for e := ch.waiters.Front(); e != nil; e = e.Next() {
		w := e.Value.(*waiter)
		w.tryLocked()
		if permits -= w.weight; w.weight == 0 || permits <= 0 {
			return
		}
	}
}

// message delivers what was published.
func (h *hub) message(name, payload string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := h.channels[name]
	if ch == nil {
		return
	}
	permits := plenty
	if n, err := strconv.ParseInt(payload, 10, 64); err == nil && n > 0 && ch.counts {
		permits = n
	}
	ch.wakeLocked(permits)
}

// dirtyLocked has the channel's link subscribe or unsubscribe.
func (ch *channel) dirtyLocked() {
	if ch.link == nil || ch.dirty {
		return
	}
	ch.dirty = true
	ch.link.dirty = append(ch.link.dirty, ch)
	ch.link.kick()
}

// acknowledged is the end of a SUBSCRIBE.
func (h *hub) acknowledged(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ch := h.channels[name]; ch != nil {
		ch.ready = true
		ch.wakeLocked(plenty)
	}
}
