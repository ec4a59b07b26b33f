package store

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// mutex is the lock of a shard. Unlike with sync.Mutex a goroutine can stop waiting for it: a client that waits for the
// shard of a script gets BUSY when the script runs too long. The zero value is unlocked.
type mutex struct {
	state atomic.Uint32
	wake  atomic.Pointer[chan struct{}] // holds a token when a waiter may try again; nil until a goroutine had to wait
}

// The states of a mutex. In the last one a goroutine may be waiting: only then Unlock sends a token.
const (
	unlocked = iota
	locked
	lockedWithWaiters
)

func (m *mutex) TryLock() bool {
	if !m.state.CompareAndSwap(unlocked, locked) {
		return false
	}
	lockrank.Locked[lockrank.Shard](m)
	return true
}

func (m *mutex) Unlock() {
	lockrank.Unlocked[lockrank.Shard](m)
	if m.state.Swap(unlocked) == lockedWithWaiters {
		select {
		case *m.wake.Load() <- struct{}{}:
		default: // a token is there already
		}
	}
}

// lockUnless waits for the lock until stop is closed, and reports whether it has it. A nil channel never stops it.
func (m *mutex) lockUnless(stop <-chan struct{}) bool {
	wake := m.wakeChannel()
	for m.state.Swap(lockedWithWaiters) != unlocked {
		select {
		case <-wake:
		case <-stop:
			return false
		}
	}
	lockrank.Locked[lockrank.Shard](m)
	return true
}

func (m *mutex) wakeChannel() <-chan struct{} {
	if m.wake.Load() == nil {
		c := make(chan struct{}, 1)
		m.wake.CompareAndSwap(nil, &c)
	}
	return *m.wake.Load()
}
