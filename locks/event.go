package locks

import "time"

// EventType is what has happened to a lock.
type EventType string

// The types of events.
const (
	Taken     EventType = "taken"
	Reentered EventType = "re-entered" // by the same owner, or the number of holds has grown
	Renewed   EventType = "renewed"    // the lease was extended
	Released  EventType = "released"   // one hold, or the last one: see Event.Holds
	Lapsed    EventType = "lapsed"     // the lease has ended
	Forced    EventType = "forced"     // someone else removed the holder: ForceUnlock, DEL, FLUSHALL
)

// MaxHistory is the largest number of events that the history of a server can keep.
const MaxHistory = 10_000_000

// Event is a change of one holder of a lock.
type Event struct {
	Type EventType
	Time time.Time // on the server's clock
	DB   int
	Lock string
	Kind Kind   // as far as it is known then
	Mode string // of ReadWrite: "read" or "write"
	// Owner is as of Holder. It is empty for a semaphore.
	Owner string
	// Holds is how many holds the owner has after the event; of a semaphore, how many permits were taken or released.
	Holds int64
	// Lease is what the lease is after the event; 0 if the owner has no hold any more, or for a semaphore.
	Lease time.Duration
	// Client is the connection that made the change; for Lapsed, the one that took the lock.
	Client Client
	// Lost is set for a Lapsed whose client was connected all the same: it may believe that it holds the lock.
	Lost bool
}
