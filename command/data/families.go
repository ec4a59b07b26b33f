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

// Families returns the tables of this package, each with the group that COMMAND DOCS shows for it. Package catalog
// joins them with those of command/admin. A group may have several tables, and a table is made of those of its files.
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
