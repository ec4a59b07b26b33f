// Package data holds the commands of the data types: their rows and handlers. The files of a family share a prefix
// (hashes.go, hashes_expire.go). A handler reads its arguments, reads and changes values through the transaction of the
// call (Call.Tx), and returns a reply. It takes no lock. It reports each change itself: the event, the number of changes, and whether
// clients that watch the key must know, differ by command.
//
// The handlers follow the command pages of redis.io; where a page says less than a server does, they follow
// redis-server 7.0.15, or the version that introduced the command. The order of the checks in a handler is that of
// Redis whenever a client can see it: by the error it gets, or by a hit, a miss or an event.
package data
