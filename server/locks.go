package server

import (
	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/locks"
)

// Locks shows the locks on the server. The commands LOCK.LIST, LOCK.HISTORY and so on do the same over a connection.
// All methods are safe for concurrent use.
type Locks interface {
	// List returns the locks of all databases whose names fit a pattern, as of KEYS, sorted by database and name. They are
	// those of one moment.
	List(pattern string) []locks.Lock
	// Get returns a lock of database 0; ok is false if there is none of that name.
	Get(name string) (l locks.Lock, ok bool)
	// Held returns the locks of all databases that have holders: none should be left at the end of a test.
	Held() []locks.Lock
	// Deadlocks returns the cycles of owners that wait for each other. A lock without a queue needs history on for that.
	Deadlocks() []locks.Deadlock
	// Track turns the history on, with room for count events, or off for 0. It begins anew if it was on. What only the
	// calls of clients tell is known while it is on: since when a lock is held and by which connection, and who waits.
	Track(count int)
	// History returns what has happened to a lock of database 0, or to all locks of all databases for the name "", the
	// oldest event first. It is empty while history is off.
	History(name string) []locks.Event
	// Watch calls f with each event from now on, one after the other, in a goroutine of its own, while history is on. When
	// stop returns, f runs no more; f must not call stop.
	Watch(f func(locks.Event)) (stop func())
}

// Locks returns the view of the server's locks.
func (s *Server) Locks() Locks { return s.env.Hooks.(*control.Hooks).Locks }
