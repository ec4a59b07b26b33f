// Package server runs minilockd, a Redis server in pure Go, inside the process that imports it.
//
// # Basics
//
// StartT gives a test a server of its own on a free port and closes it when the test ends:
//
//	func TestOrders(t *testing.T) {
//		srv := server.StartT(t)
//		client := redis.NewClient(&redis.Options{Addr: srv.Addr()})
//		…
//	}
//
// Start is the same with Options, for anything but a test. A process may run as many servers as it likes; they share nothing.
// Time passes by itself, as in Redis; Server.Advance moves it on, so that a lease of thirty seconds need not be waited for. A lock
// client has to live in the same time:
//
//	locks := lock.New(client, lock.WithClock(srv.Clock()))
//	h, err := locks.Mutex("order:42").Lock(ctx)
//	srv.Advance(time.Hour) // h is renewed on the way, and still held
//
// # Caveats
//
//   - Nothing is written to disk: the data lives as long as the server.
//   - There is one user, "default", and no replication; WAIT answers that no replica has acknowledged.
package server
