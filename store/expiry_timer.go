package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// expiryTimer is the one timer of the store. It is set only while some key has an expiry.
type expiryTimer struct {
	store *Store
	at    atomic.Int64 // when the timer fires, in ms; never if it is not set

	mu      lockrank.Mutex[lockrank.ExpiryTimer] // guards timer and closed
	timer   clock.Timer
	closed  bool
	running sync.WaitGroup
}

func (t *expiryTimer) init(st *Store) {
	t.store = st
	t.at.Store(never)
}

// fireBy makes sure that the timer fires at when or earlier. It may be called with a shard locked.
func (t *expiryTimer) fireBy(when int64) {
	if when >= t.at.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || when >= t.at.Load() {
		return
	}
	t.at.Store(when)
	// A duration ends after 292 years: for a later deadline the timer fires then, and is set again.
	t.timer = clock.At(t.store.clock, t.timer, time.UnixMilli(when), t.fire)
}

func (t *expiryTimer) fire() {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return
	}
	t.running.Add(1)
	t.mu.Unlock()
	defer t.running.Done()
	t.at.Store(never)
	t.store.sweepDue()
}

// close stops the timer and waits until a sweep that it has started ends.
func (t *expiryTimer) close() {
	t.mu.Lock()
	t.closed = true
	if t.timer != nil {
		t.timer.Stop()
	}
	t.mu.Unlock()
	t.running.Wait()
}
