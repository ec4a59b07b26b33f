// Package locks describes the locks on a Redis server as people think of them: who holds a lock, how often, for how
// much longer, and who waits. A Go test reads them from server.Server.Locks, a client of any language with LOCK.LIST
// and its kin, and "minilockd locks redis://…" prints those of any Redis.
//
// It knows the locks of Redisson and of package lock, which share them, and those of one key that SET NX PX takes.
package locks

import (
	"cmp"
	"time"
)

// Kind is a kind of lock.
type Kind string

// The kinds, with the classes of Redisson. What the data on the server does not tell is in the comments.
const (
	// Plain is RLock. A spin lock has the same data, as has each member of a multi lock or a red lock.
	Plain Kind = "lock"
	// Fair is RFairLock. While nobody waits it has the data of a plain lock: only a server with lock history tells.
	Fair Kind = "fair"
	// ReadWrite is RReadWriteLock.
	ReadWrite Kind = "read-write"
	// Fenced is RFencedLock.
	Fenced Kind = "fenced"
	// FasterMulti is the lock of getMultiLock(group, values): its holders hold values, not the group.
	FasterMulti Kind = "faster-multi"
	// Semaphore is RSemaphore. It is a number that only a client that waits, or the lock history, tells from others.
	Semaphore Kind = "semaphore"
	// Permits is RPermitExpirableSemaphore.
	Permits Kind = "permits"
	// Latch is RCountDownLatch. It is a number, as a semaphore.
	Latch Kind = "latch"
	// RateLimiter is RRateLimiter.
	RateLimiter Kind = "rate-limiter"
	// Token is a key that SET name token NX PX takes, as of redsync, redislock, ShedLock or Spring Integration.
	Token Kind = "token"
)

// NumberName returns what Lock.Number is for a kind of lock: "permits", "count" or "token"; "" if it has no meaning.
func (k Kind) NumberName() string {
	switch k {
	case Semaphore, Permits, RateLimiter:
		return "permits"
	case Latch:
		return "count"
	case Fenced:
		return "token"
	}
	return ""
}

// Forever is a lease without an end.
const Forever time.Duration = -1

// Lock is the state of a lock at one moment.
type Lock struct {
	DB   int // the number of the database
	Name string
	Kind Kind
	Mode string // of ReadWrite: "read" or "write"
	// Holders are sorted by Owner. A semaphore, a latch and a rate limiter do not know theirs.
	Holders []Holder
	// Lease is what is left of it: the longest if the holders have leases of their own. It is 0 if there is no holder.
	Lease time.Duration
	// Number is the free permits of Semaphore, Permits and RateLimiter, the count of Latch, the last token of Fenced.
	Number int64
	// Waiters are in the order of the queue for Fair, else in the order in which they subscribed.
	Waiters []Waiter
}

// Held reports whether somebody holds the lock. A semaphore, a latch and a rate limiter are never held.
func (l *Lock) Held() bool { return len(l.Holders) > 0 }

// Holder is one of those who hold a lock.
type Holder struct {
	// Owner is the client's id and the thread's, "uuid:thread", for Redisson's locks; the id of a permit; or the token.
	Owner string
	Value string // of FasterMulti: the value that is held
	Holds int64
	Write bool          // holds the write lock of ReadWrite
	Lease time.Duration // what is left of the holder's own; 0 if it has lapsed, though others keep the lock
	// Since and Client are known only with lock history: when it was taken, and by which connection.
	Since  time.Time
	Client Client
}

// Waiter is one of those who wait for a lock: a client that failed to take it, and subscribes to its channel.
type Waiter struct {
	// Owner is as of Holder. Only a fair lock, or lock history, tells it; otherwise it is empty.
	Owner string
	// Deadline is when its place in the queue of a fair lock lapses.
	Deadline time.Time
	// Since is when it tried first, known only with lock history.
	Since time.Time
	// Client is the connection that subscribes; unknown if another server than minilockd is read.
	Client Client
}

// Client is a connection. The zero value is an unknown one.
type Client struct {
	ID      int64 // as in CLIENT LIST
	Name    string
	Addr    string
	Library string // name and version that CLIENT SETINFO has told
}

// Deadlock is a cycle: each member waits for a lock that the next one holds, and the last for one of the first.
type Deadlock []Wait

// Wait is a member of a Deadlock.
type Wait struct {
	Owner string // who waits
	Lock  string // the lock that it waits for
	DB    int    // the database of that lock
	Held  string // the name of a lock that Owner holds, for which the member before waits
}

// Compare orders locks by database and name.
func Compare(a, b Lock) int { return cmp.Or(cmp.Compare(a.DB, b.DB), cmp.Compare(a.Name, b.Name)) }
