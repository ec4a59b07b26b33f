//go:build lockrank

package lockrank

import "sync"

// Mutex is a mutex of a rank.
type Mutex[R Rank] struct{ mu sync.Mutex }

// Lock locks m.
func (m *Mutex[R]) Lock() {
	Waits[R](m)
	m.mu.Lock()
	Locked[R](m)
}

// TryLock locks m if it is free. It does not wait, so it may be called out of order.
func (m *Mutex[R]) TryLock() bool {
	if !m.mu.TryLock() {
		return false
	}
	Locked[R](m)
	return true
}

// Unlock unlocks m.
func (m *Mutex[R]) Unlock() {
	Unlocked[R](m)
	m.mu.Unlock()
}

// RWMutex is a readers-writer mutex of a rank.
type RWMutex[R Rank] struct{ mu sync.RWMutex }

// Lock locks m for writing.
func (m *RWMutex[R]) Lock() {
	Waits[R](m)
	m.mu.Lock()
	Locked[R](m)
}

// Unlock unlocks m.
func (m *RWMutex[R]) Unlock() {
	Unlocked[R](m)
	m.mu.Unlock()
}

// RLock locks m for reading.
func (m *RWMutex[R]) RLock() {
	Waits[R](m)
	m.mu.RLock()
	Locked[R](m)
}

// RUnlock unlocks m after RLock.
func (m *RWMutex[R]) RUnlock() {
	Unlocked[R](m)
	m.mu.RUnlock()
}
