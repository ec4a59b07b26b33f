// Package data holds the commands of the data types: their rows and handlers. The files of a family share a prefix
// (hashes.go, hashes_expire.go). A handler reads its arguments, reads and changes values through the transaction of
// the call (Call.Tx), and returns a reply. It takes no lock. It reports each change itself: the event, the number of
// changes, and whether clients that watch the key must know, differ by command.
//
// The handlers follow the command pages of redis.io; where a page says less than a server does, they follow
// redis-server 7.0.15, or the version that introduced the command. The order of the checks in a handler is that of
// Redis whenever a client can see it: by the error it gets, or by a hit, a miss or an event.
//
// # How a handler reads
//
// Its comment gives the syntax, of which the row above has the exact form, and what is not plain from the page of the
// command. Most handlers have these steps, in the order that Redis has for the command:
//
//	count, err := c.Index(2)            // the arguments; an error is the reply
//	l, err := writeList(c, key)         // the value, or WRONGTYPE; nil if the key is missing
//	removed := l.Remove(elem, count, …) // the change, which no other client sees before the transaction ends
//	c.Tx.Report(key, store.Change{…})   // its event and number of changes; the key is modified for WATCH
//	c.DropEmpty(key, l.Len())           // an empty collection is deleted, with the event "del"
//	return resp.Int(int64(removed))
//
// The functions named read… look a key up as a read in Redis does: it counts as hit or miss and marks the key as
// used. Those named write… prepare the value for changes, so that a script that restarts can take them back, and do
// not count as hit or miss. Those named make… also create a missing key. Only what these two return may be changed.
//
// A handler that has more than one form (LPUSH and RPUSH; SINTER and SUNION) is made by a function that takes the
// difference as an argument and returns the handler.
package data
