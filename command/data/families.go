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

// blocksInScripts is the change of commands that scripts may call since they do not block there.
var blocksInScripts = []command.Change{{Since: "7.2", Loses: command.NoScript}}

// specialReply is the change of commands whose reply a proxy must put together from those of several nodes.
func specialReply(request string) []command.Change {
	return []command.Change{{Since: "7.2", Tips: "nondeterministic_output " + request + " response_policy:special"}}
}
