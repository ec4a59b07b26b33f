// Package load generates load for a Redis server with little CPU time of its own.
//
// A connection has a fixed number of workers, like the threads of a pipelining client. Each worker repeats the steps of
// the [Spec]; one step of every worker makes a batch, which is one write, and the next batch is sent when the last
// reply to this one has come. Requests are encoded once and only the digits of the key are replaced; replies are
// compared with the prefix that the step expects, without decoding values.
//
// On Linux one thread serves all connections with epoll, so that on a machine with two cores the other one is for the
// server. On other systems there is a goroutine for each connection.
package load
