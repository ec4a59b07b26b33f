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
//   - There is no replication; WAIT answers that no replica has acknowledged.
//
// # How connections are served
//
// For those who work on this package. All work for a client, whatever has caused it (bytes, a wake-up, a timeout, a kill, the end),
// goes through conn.serve and conn.end. They may run long or wait for a shard; a panic in them ends that connection and nothing else.
// All other goroutines, and the functions that timers call, are guarded in the same way: see rescue.go.
// A socket on Linux belongs to a loop, which calls them from one place, loop.serve. Its connection is always in one of these states:
//
//		                blocking command           the client takes nothing
//		    blocked <-------------------- reading ---------------------> stalled --- QUIT, protocol error ---> closing
//		       |  ----------------------->   |   <----------------------                                          |
//		       |    served, timed out        |          all is sent                                    all is sent |
//		       |                             |                                                                    |
//		       |       held up for two looks | of the watchdog (from any state, while it is served)               |
//		       |                             v                                                                    |
//		       |                         detached ---> reading, blocked or stalled, once its command is over      |
//		       |                             |                                                                    |
//		       +---- gone or killed ---------+---> ended <--------------------------------------------------------+
//
//	  - reading: the loop waits for input (EPOLLIN).
//	  - blocked: only for the end of the client (EPOLLRDHUP); what it sends is not read.
//	  - stalled, closing: only until the client takes more (EPOLLOUT).
//	  - detached: the loop was handed over to a new goroutine. The one that ran it serves this connection alone, to the end of its command,
//	    then gives it back, or ends it. Signals that come meanwhile wait.
//	  - ended: the descriptor is closed, then what the session holds is given up.
//
// A loop is asleep in Go's poller; awake, serving one connection after the other; or closed. When the watchdog sees it serve the same
// connection at two looks, 5 ms apart, another goroutine goes on with the loop. So a command that runs long, or waits for a shard, holds
// up nobody who does not need that shard; and the script that all wait for can be killed.
// A loop that hardly rests for 100 ms, because what it serves takes long, gives half of its connections to another one.
//
// Other goroutines touch two things of a connection, each with a lock of its own: its outbox (messages, replies of blocked commands) and
// its socket (signals, the descriptor). Connections that are no sockets, and all those of other systems, have a goroutine each, which
// calls the same two functions.
package server
