//go:build !lockrank

package lockrank

import "sync"

// Mutex is a mutex of a rank.
type Mutex[R Rank] = sync.Mutex

// RWMutex is a readers-writer mutex of a rank.
type RWMutex[R Rank] = sync.RWMutex

// Waits is to be called before the goroutine waits for a mutex of another make. Of those of one rank the one at the
// lowest address is locked first.
func Waits[R Rank, T any](*T) {}

// Locked is to be called when the goroutine has locked it.
func Locked[R Rank, T any](*T) {}

// Unlocked is to be called when the goroutine unlocks it.
func Unlocked[R Rank, T any](*T) {}
