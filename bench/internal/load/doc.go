// Package load drives a Redis server as hard as it answers while costing little itself.
//
// A connection carries a fixed number of workers, as a pipelining client carries the threads of its process. Each
// worker goes through the steps of the [Spec] again and again; one step of every worker makes a batch, which is one
// write, and the next batch goes out when the last reply of this one is in. Requests are encoded once and only the
// digits of the key are patched; replies are framed and compared with the prefix that the step expects, no value is
// ever built.
//
// On Linux one thread serves all connections with epoll, so that on a machine of two cores the other one is left to the
// server. Elsewhere it is a goroutine per connection.
package load
