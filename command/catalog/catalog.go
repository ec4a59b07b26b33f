// Package catalog joins the commands of command/data, command/admin, command/replication, command/persistence,
// command/cluster and command/control to one table for each emulated server. It is a part of the server, not an API:
// the server and tests take the table from here, since the core of the commands must import none of them.
package catalog

import (
	"slices"
	"sync"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/admin"
	"github.com/minilockd/minilockd/command/cluster"
	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/command/data"
	"github.com/minilockd/minilockd/command/persistence"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/emulate"
)

// Families returns all commands, whichever server has them.
func Families() []command.Family {
	return slices.Concat(data.Families(), admin.Families(), replication.Families(), persistence.Families(),
		cluster.Families(), control.Families())
}

// tables are those that Table has built, by server.
var tables sync.Map

// Table returns the table of the commands that a server has. It is built once; all servers of the process that emulate
// the same one share it. It is safe for concurrent use.
func Table(s *emulate.Server) *command.Table {
	build, _ := tables.LoadOrStore(s, sync.OnceValue(func() *command.Table {
		return command.NewTable(s, Families()...).WithHooks(control.NewHooks).WithReplication(replication.NewNode).
			WithPersistence(persistence.New)
	}))
	return build.(func() *command.Table)()
}
