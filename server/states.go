package server

// How connections are served. All work for a client, whether for bytes, a wake-up, a timeout, a kill or the end, goes
// through conn.serve and conn.end. They may run long or wait for a shard; a panic in them ends only that connection.
// All other goroutines and timer functions recover from panics, too: see recover.go. A socket on Linux belongs to a
// loop, which calls them from one place, loop.serve. Its connection is always in one of these states:
//
//		                blocking command           the client takes nothing
//		    blocked <-------------------- reading ---------------------> writing --- QUIT, protocol error ---> closing
//		       |  ----------------------->   |   <----------------------                                          |
//		       |    served, timed out        |          all is sent                                    all is sent |
//		       |                             |                                                                    |
//		       |      held up for two rounds | of the watchdog (from any state, while it is served)               |
//		       |                             v                                                                    |
//		       |                         detached ---> reading, blocked or writing, once its command is over      |
//		       |                             |                                                                    |
//		       +---- gone or killed ---------+---> ended <--------------------------------------------------------+
//
//	  - reading: the loop waits for input (EPOLLIN).
//	    With a transfer (transfer.go) that allows nothing to be read, it waits only for the end of the client, or for
//	    nothing until a timer.
//	  - blocked: only for the end of the client (EPOLLRDHUP); what it sends is not read.
//	  - writing, closing: only until the client takes more (EPOLLOUT), or transfer allows more.
//	  - detached: another goroutine runs the loop now. The one that ran it serves this connection alone, to the end of
//	    its command, then returns it to the loop, or ends it. Signals that come before that wait.
//	  - ended: the descriptor is closed, then the session releases what it holds.
//
// A loop sleeps in Go's poller, serves one connection after the other, or is closed. When the watchdog finds it with
// the same connection in two rounds, at an interval of 5 ms, another goroutine takes the loop over. So a command that
// runs long, or waits for a shard, delays only clients that need that shard, and SCRIPT KILL gets through. A loop that
// has been busy for 100 ms with connections that each take long gives half of its connections to another one.
//
// Other goroutines access two parts of a connection, each with its own lock: the outbox (messages, replies of blocked
// commands) and the socket (signals, the descriptor). Connections that are not sockets, and all those on other systems,
// have a goroutine each, which calls the same two functions.
