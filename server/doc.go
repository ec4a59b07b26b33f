// Package server runs minilockd, a Redis server in pure Go, inside the process that imports it.
//
// # Basics
//
// StartT starts a server for a test on a free port and closes it when the test ends:
//
//	func TestOrders(t *testing.T) {
//		srv := server.StartT(t)
//		client := redis.NewClient(&redis.Options{Addr: srv.Addr()})
//		…
//	}
//
// Start is the same with Options, for anything but a test. A process may run any number of servers; they share nothing.
// Time passes as in Redis. Server.Advance moves the server's clock forward, so that a test need not wait for a lease of
// thirty seconds. A lock client must use the same clock:
//
//	locks := lock.New(client, lock.WithClock(srv.Clock()))
//	h, err := locks.Mutex("order:42").Lock(ctx)
//	srv.Advance(time.Hour) // h was renewed and is still held
//
// # For tests
//
//   - StartN starts several servers with one clock, for locks on a majority of them.
//   - Server.Dial connects in memory. In a bubble of testing/synctest a server listens nowhere, and its clock is that
//     of the bubble: a lease lapses when the test sleeps, which takes no real time.
//   - Server.Do runs a command, and its Result converts itself: srv.Do(ctx, "HGET", "h", "f").Int().
//   - Server.Faults makes commands go wrong.
//   - Server.Commands has the commands that the server has received; a failed test prints the last of them.
//
// # Caveats
//
//   - Nothing is written to disk: the data lives as long as the server.
//   - There is no replication; WAIT returns 0.
package server
