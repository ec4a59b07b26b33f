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
	"github.com/minilockd/minilockd/command/sentinel"
	"github.com/minilockd/minilockd/internal/emulate"
)

// Families returns all commands, whichever server has them.
func Families() []command.Family {
	return slices.Concat(data.Families(), admin.Families(), replication.Families(), persistence.Families(),
		cluster.Families(), control.Families())
}

// ofSentinels are the commands that a sentinel has in common with other servers.
var ofSentinels = []string{"acl", "auth", "client", "command", "hello", "info", "ping", "psubscribe", "punsubscribe",
	"quit", "shutdown", "subscribe", "unsubscribe"}

// sentinelFamilies returns the commands of sentinels.
func sentinelFamilies() []command.Family {
	families := sentinel.Families()
	for _, f := range slices.Concat(admin.Families(), persistence.Families()) {
		f.Rows = slices.DeleteFunc(slices.Clone(f.Rows), func(row command.Command) bool {
			return !slices.Contains(ofSentinels, row.Name)
		})
		families = append(families, f)
	}
	return append(families, control.Families()...)
}

// tables are those that Table has built, by server.
var tables, sentinelTables sync.Map

// Table returns the table of the commands that a server has. It is built once; all servers of the process that emulate
// the same one share it. It is safe for concurrent use.
func Table(s *emulate.Server) *command.Table {
	return built(&tables, s, func() *command.Table { return newTable(s, Families()) })
}

// SentinelTable is Table for a sentinel.
func SentinelTable(s *emulate.Server) *command.Table {
	return built(&sentinelTables, s, func() *command.Table {
		return newTable(s, sentinelFamilies()).WithSentinel(sentinel.New)
	})
}

func newTable(s *emulate.Server, families []command.Family) *command.Table {
	return command.NewTable(s, families...).WithHooks(control.NewHooks).WithReplication(replication.NewNode).
		WithPersistence(persistence.New)
}

// built returns what is kept for a server, and builds it first if need be.
func built(kept *sync.Map, s *emulate.Server, build func() *command.Table) *command.Table {
	table, _ := kept.LoadOrStore(s, sync.OnceValue(build))
	return table.(func() *command.Table)()
}
