// Package catalog joins the commands of command/data and command/admin to one table. It is a part of the server, not an
// API: the server and tests take the table from here, since the core of the commands must import neither.
package catalog

import (
	"slices"
	"sync"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/admin"
	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/command/data"
)

// Table returns the table of all commands. It is built once; all servers of the process share it.
var Table = sync.OnceValue(func() *command.Table {
	families := slices.Concat(data.Families(), admin.Families(), control.Families())
	return command.NewTable(families...).WithHooks(control.NewHooks)
})
