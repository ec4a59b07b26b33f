// Package catalog is the table of all commands. It is a part of the server, not an API.
package catalog

import (
	"slices"
	"sync"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/admin"
	"github.com/minilockd/minilockd/command/data"
)

// Table is the table of all commands, one for all servers of the process.
var Table = sync.OnceValue(func() *command.Table {
	return command.NewTable(slices.Concat(data.Families(), admin.Families())...)
})
