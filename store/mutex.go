package store

import "sync/atomic"

// mutex is the lock of a shard. Unlike that of sync it can be waited for until something else happens: a client that waits for the shard
// of a script is told when the script runs too long. The zero value is unlocked.
type mutex struct {
	state atomic.Uint32
	wake  atomic.Pointer[chan struct{}] // holds a token when a waiter may try again; nil until somebody waits
}

// The states of a mutex. It is contended while somebody may be waiting.
const (
	unlocked = iota
	locked
	contended
)

func (m *mutex) TryLock() bool { return m.state.CompareAndSwap(unlocked, locked) }

func (m *mutex) Unlock() {
	if m.state.Swap(unlocked) == contended {
		select {
		case *m.wake.Load() <- struct{}{}:
		default: // a token is there already
		}
	}
}

// lockUnless waits for the lock until stop is closed, and reports whether it has it. A nil channel never stops it.
func (m *mutex) lockUnless(stop <-chan struct{}) bool {
	wake := m.wakeUps()
	for m.state.Swap(contended) != unlocked {
		select {
		case <-wake:
		case <-stop:
			return false
		}
	}
	return true
}

func (m *mutex) wakeUps() <-chan struct{} {
	if m.wake.Load() == nil {
		c := make(chan struct{}, 1)
		m.wake.CompareAndSwap(nil, &c)
	}
	return *m.wake.Load()
}
