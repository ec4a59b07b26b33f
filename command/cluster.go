package command

import (
	"errors"

	"github.com/minilockd/minilockd/internal/resp"
)

// clusterCommands are what clients ask in order to find out whether they talk to a cluster.
var clusterCommands = []Command{
	{Name: "asking", Arity: 1, Flags: Fast, Categories: "connection", Since: "3.0.0",
		Summary: "Belongs to Redis Cluster.", Run: noCluster},
	{Name: "cluster", Arity: -2, Since: "3.0.0", Summary: "Commands of Redis Cluster, which this is not.", Sub: []Command{
		{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "5.0.0",
			Summary: "Lists the subcommands.", Run: noCluster},
		{Name: "info", Arity: 2, Flags: Stale, Since: "3.0.0", Summary: "Would tell the state of the node.", Run: noCluster},
		{Name: "keyslot", Usage: "key", Arity: 3, Flags: Stale, Since: "3.0.0", Summary: "Would tell the slot of a key.", Run: noCluster},
		{Name: "myid", Arity: 2, Flags: Stale, Since: "3.0.0", Summary: "Would tell the ID of the node.", Run: noCluster},
		{Name: "nodes", Arity: 2, Flags: Stale, Since: "3.0.0", Summary: "Would list the nodes.", Run: noCluster},
		{Name: "reset", Usage: "[HARD | SOFT]", Arity: -2, Flags: Admin | NoScript | Stale, Since: "3.0.0",
			Summary: "Would reset the node.", Run: noCluster},
		{Name: "shards", Arity: 2, Flags: Stale, Since: "7.0.0", Summary: "Would list the shards and their slots.", Run: noCluster},
		{Name: "slots", Arity: 2, Flags: Stale, Since: "3.0.0", Summary: "Would list the slots and their nodes.", Run: noCluster},
	}},
	{Name: "readonly", Arity: 1, Flags: Loading | Stale | Fast, Categories: "connection", Since: "3.0.0",
		Summary: "Belongs to Redis Cluster.", Run: noCluster},
	{Name: "readwrite", Arity: 1, Flags: Loading | Stale | Fast, Categories: "connection", Since: "3.0.0",
		Summary: "Belongs to Redis Cluster.", Run: noCluster},
}

var errNoCluster = errors.New("ERR This instance has cluster support disabled")

func noCluster(c *Call) resp.Value { return c.Fail(errNoCluster) }
