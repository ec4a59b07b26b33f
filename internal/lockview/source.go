// Package lockview finds the locks in the keys of a Redis server, and follows them on a server of this process.
//
//	Read (reader.go)    the locks of one database, from a Source: this server, or any Redis over a connection
//	Tracker             what data does not tell: since when, by which connection, who waits, and the history
//
// It reads only, and never runs a script.
package lockview

import (
	"context"
	"time"

	"github.com/minilockd/minilockd/locks"
)

// Source is one database of a server. Its methods return errors of the connection.
type Source interface {
	// Now returns the time of the server's clock.
	Now(ctx context.Context) (time.Time, error)
	// Names returns the names of all keys, in any order.
	Names(ctx context.Context) ([]string, error)
	// Read calls f with the value of each key, in their order. It need not read all of them at one moment.
	Read(ctx context.Context, names []string, f func(i int, v Value)) error
	// Subscribers returns the clients that subscribe to channels that begin with "redisson_", by channel. Their fields may
	// be unknown, but not their number.
	Subscribers(ctx context.Context) (map[string][]locks.Client, error)
}

// Type is the type of a Value.
type Type uint8

// The types.
const (
	None Type = iota // no key, of a type that no lock has, or too large for one
	String
	Hash
	List
	SortedSet
)

// Value is what a key holds.
type Value struct {
	Type  Type
	Text  string   // of String
	Elems []string // fields and values in turn, elements, or members and scores in turn
	TTL   int64    // in ms, -1 for none
}

// The largest values that a lock may have; Source skips larger ones unread.
const (
	MaxText  = 256
	MaxElems = 20_000
)
