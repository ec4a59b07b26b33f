package admin

import (
	"github.com/minilockd/minilockd/command"
)

// Families are the families of this package.
func Families() []command.Family {
	return []command.Family{
		{Group: "cluster", Rows: clusterCommands},
		{Group: "connection", Rows: connectionCommands},
		{Group: "generic", Rows: waitCommands},
		{Group: "pubsub", Rows: pubsubCommands},
		{Group: "scripting", Rows: scriptingCommands},
		{Group: "server", Rows: serverCommands},
		{Group: "transactions", Rows: transactionCommands},
	}
}
