// Package stats counts what a server does, for INFO, SLOWLOG and LATENCY. It is a part of the server, not an API.
//
// Commands are known by their number only. What a transaction has counted is taken back if the transaction restarts:
// see UndoLog.
package stats
