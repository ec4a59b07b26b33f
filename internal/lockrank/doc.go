// Package lockrank holds the order in which a goroutine may lock the mutexes of a process. Each mutex has a rank as its
// type parameter, and the list Order has the ranks: a goroutine that holds one may lock those that come after it, and
// no others, so no two goroutines can wait for each other. Two mutexes of one rank are never held together, but for
// shards.
//
// Built with the tag lockrank, each mutex checks that, and a violation ends the process with a report of where both
// were locked. Without the tag the types are those of package sync.
//
// To add a mutex, give it a rank of its own in Order, at its place and with a reason, and run
// go test ./internal/lockrank -rewrite, which writes the list in docs/design.md. The fields say what they guard.
package lockrank
