// Package control has the commands by which a test controls what Redis cannot: CLOCK moves the server's time, FAULT
// makes calls, messages and connections go wrong, LOCK shows the locks, TEST the calls and the state. It is a part of
// the server, not an API; Go tests have the same on server.Server.
//
// The names have a dot, as those of Redis modules. The commands run during CLIENT PAUSE and while a script is busy,
// since a test may need them just then.
package control

import (
	"slices"

	"github.com/minilockd/minilockd/command"
)

// since is the first version of minilockd that has the commands: COMMAND DOCS shows that of a module.
const since = "0.1.0"

// Families returns the commands of this package, by module.
func Families() []command.Family {
	return []command.Family{{Module: "clock", Rows: clockCommands},
		{Module: "fault", Rows: slices.Concat(faultCommands, restartCommands, partitionCommands, groupCommands)},
		{Module: "lock", Rows: lockCommands}, {Module: "test", Rows: slices.Concat(testCommands, journalCommands)}}
}
