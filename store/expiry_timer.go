package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// expiryTimer is the store's one timer. It is armed only while some key has an expiry.
type expiryTimer struct {
	store *Store
	at    atomic.Int64 // when the timer fires, in ms; never if it is not armed

	mu      lockrank.Mutex[lockrank.ExpiryTimer] // guards timer and closed
	timer   clock.Timer
	closed  bool
	running sync.WaitGroup
}

func (t *expiryTimer) init(st *Store) {
	t.store = st
	t.at.Store(never)
}

// armBy makes sure that the timer fires at when or earlier. It may be called under a shard's lock.
func (t *expiryTimer) armBy(when int64) {
	if when >= t.at.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || when >= t.at.Load() {
		return
	}
	t.at.Store(when)
	// A duration ends after 292 years: for a later deadline the timer fires then, and is armed again.
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

// close stops the timer and waits for a call of it that has begun.
func (t *expiryTimer) close() {
	t.mu.Lock()
	t.closed = true
	if t.timer != nil {
		t.timer.Stop()
	}
	t.mu.Unlock()
	t.running.Wait()
}
