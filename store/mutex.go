package store

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// mutex is the lock of a shard. Unlike sync.Mutex it allows to stop waiting: a client that waits for the shard of a
// script gets BUSY when the script runs too long. The zero value is unlocked.
type mutex struct {
	state atomic.Uint32
	wake  atomic.Pointer[chan struct{}] // holds a token when a waiter may try again; nil until a goroutine has waited
}

// The states of a mutex. It is contended while a goroutine may be waiting.
const (
	unlocked = iota
	locked
	contended
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
	if m.state.Swap(unlocked) == contended {
		select {
		case *m.wake.Load() <- struct{}{}:
		default: // a token is there already
		}
	}
}

// lockUnless waits for the lock until stop is closed, and reports whether it has it. A nil channel never stops it.
func (m *mutex) lockUnless(stop <-chan struct{}) bool {
	wake := m.wakeChannel()
	for m.state.Swap(contended) != unlocked {
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
