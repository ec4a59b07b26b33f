// Package data has the commands of keys and values: strings, hashes, lists, sets, sorted sets, streams, bitmaps,
// HyperLogLogs, geo indexes, and those of the keyspace such as EXPIRE, SCAN and SORT. It is a part of the server, not an
// API.
//
// A command is a row of its family's table and a function in one file. The function gets a command.Call and returns a
// resp.Value; all it may change is in the transaction, Call.Tx. It does not lock, block, write to a connection or read
// the clock. The package knows nothing of command/admin and of the server.
package data

import (
	"github.com/minilockd/minilockd/command"
)

// Flags that many rows share.
const (
	readOnlyFast     = command.ReadOnly | command.Fast
	writeFast        = command.Write | command.Fast
	writeDenyOOM     = command.Write | command.DenyOOM
	writeDenyOOMFast = writeDenyOOM | command.Fast
)

// Families returns the tables of this package, each with the group that COMMAND DOCS shows for it.
func Families() []command.Family {
	return []command.Family{
		{Group: "generic", Rows: keyCommands},
		{Group: "generic", Rows: sortCommands},
		{Group: "generic", Rows: migrateCommands},
		{Group: "geo", Rows: geoCommands},
		{Group: "hash", Rows: hashCommands},
		{Group: "hyperloglog", Rows: hyperloglogCommands},
		{Group: "list", Rows: listCommands},
		{Group: "server", Rows: databaseCommands},
		{Group: "set", Rows: setCommands},
		{Group: "sorted-set", Rows: zsetCommands},
		{Group: "stream", Rows: streamCommands},
		{Group: "string", Rows: stringCommands},
		{Group: "bitmap", Rows: bitmapCommands},
	}
}
