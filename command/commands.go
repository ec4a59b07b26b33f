package command

import (
	"slices"
	"sync"
)

// Commands is the table of all commands, one for all servers of the process.
var Commands = sync.OnceValue(func() *Table {
	return NewTable(slices.Concat(dataFamilies(), adminFamilies())...)
})
