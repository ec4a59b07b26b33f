package admin

// Commands of Redis Cluster. Clients send them to find out whether a server is part of a cluster, so the rows are
// complete and correct: COMMAND, ACL and arity errors work as on a node. Every call gets the error of a Redis with
// cluster-enabled no, also CLUSTER HELP, but not CLUSTER KEYSLOT of newer servers.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/resp"
)

// clusterFlags are the flags of the commands that change the cluster.
const clusterFlags = command.Admin | command.Stale | command.NoAsyncLoading

// clusterCommands are CLUSTER and the commands that only make sense in a cluster.
var clusterCommands = []command.Command{
	{Name: "asking", Arity: 1, Flags: command.Fast, Categories: "connection", Since: "3.0.0",
		Summary: "Belongs to Redis Cluster.", Run: noCluster},
	{Name: "cluster", Arity: -2, Since: "3.0.0",
		Summary: "Commands of Redis Cluster, which this is not.", Sub: []command.Command{
			{Name: "addslots", Usage: "slot [slot ...]", Arity: -3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would give the node slots.", Run: noCluster},
			{Name: "addslotsrange", Usage: "start-slot end-slot [start-slot end-slot ...]", Arity: -4,
				Flags:   clusterFlags,
				Since:   "7.0.0",
				Summary: "Would give the node ranges of slots.", Run: noCluster},
			{Name: "bumpepoch", Arity: 2, Flags: clusterFlags, Since: "3.0.0", Tips: "nondeterministic_output",
				Summary: "Would raise the epoch of the cluster.", Run: noCluster},
			{Name: "cancelslotmigrations", Arity: 2, Flags: clusterFlags, Since: "valkey-9.0.0",
				Summary: "Would stop the migrations of slots to other nodes.", Run: noCluster},
			{Name: "count-failure-reports", Usage: "node-id", Arity: 3, Flags: command.Admin | command.Stale,
				Since:   "3.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Would count the reports that a node has failed.", Run: noCluster},
			{Name: "countkeysinslot", Usage: "slot", Arity: 3, Flags: command.Stale, Since: "3.0.0",
				Summary: "Would count the keys of a slot.", Run: noCluster},
			{Name: "delslots", Usage: "slot [slot ...]", Arity: -3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would take slots from the node.", Run: noCluster},
			{Name: "delslotsrange", Usage: "start-slot end-slot [start-slot end-slot ...]", Arity: -4,
				Flags:   clusterFlags,
				Since:   "7.0.0",
				Summary: "Would take ranges of slots from the node.", Run: noCluster},
			{Name: "failover", Usage: "[FORCE | TAKEOVER]", Arity: -2, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would make a replica the master.", Run: noCluster},
			{Name: "flushslot", Usage: "slot [ASYNC | SYNC]", Arity: -3,
				Flags: command.Admin | command.Write | command.NoAsyncLoading, Categories: "keyspace",
				Since:   "valkey-9.0.0",
				Summary: "Would remove all keys of a slot.", Run: noCluster},
			{Name: "flushslots", Arity: 2, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would take all slots from the node.", Run: noCluster},
			{Name: "forget", Usage: "node-id", Arity: 3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would remove a node from those known.", Run: noCluster},
			{Name: "getkeysinslot", Usage: "slot count", Arity: 4, Flags: command.Stale, Since: "3.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Would list keys of a slot.", Run: noCluster},
			{Name: "getslotmigrations", Arity: 2, Flags: clusterFlags, Since: "valkey-9.0.0",
				Summary: "Would list the migrations of slots.", Run: noCluster},
			{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
				Summary: "Would list the subcommands.", Run: noCluster},
			{Name: "info", Arity: 2, Flags: command.Stale, Since: "3.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Would tell the state of the node.", Run: noCluster},
			{Name: "keyslot", Usage: "key", Arity: 3, Flags: command.Stale, Since: "3.0.0",
				Summary: "Would tell the slot of a key.", Run: clusterKeySlot},
			{Name: "links", Arity: 2, Flags: command.Stale, Since: "7.0.0", Tips: "nondeterministic_output",
				Summary: "Would list the connections to other nodes.", Run: noCluster},
			{Name: "meet", Usage: "ip port [cluster-bus-port]", Arity: -4, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would make another node known.", Run: noCluster},
			{Name: "migrateslots", Usage: "SLOTSRANGE start-slot end-slot [start-slot end-slot ...] NODE node-id",
				Arity: -4, Flags: clusterFlags, Since: "valkey-9.0.0",
				Summary: "Would move slots to another node.", Run: noCluster},
			{Name: "migration", Usage: "<IMPORT start-slot end-slot [start-slot end-slot ...] | " +
				"CANCEL <ID task-id | ALL> | STATUS <ID task-id | ALL>>", Arity: -4, Flags: clusterFlags, Since: "8.4.0",
				Summary: "Would move slots to the node, or tell how far that is.", Run: noCluster},
			{Name: "myid", Arity: 2, Flags: command.Stale, Since: "3.0.0",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Would tell the ID of the node.", Run: noCluster},
			{Name: "myshardid", Arity: 2, Flags: command.Stale, Since: "7.2.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Would tell the ID of the node's shard.", Run: noCluster},
			{Name: "nodes", Arity: 2, Flags: command.Stale, Since: "3.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Would list the nodes.", Run: noCluster},
			{Name: "replicas", Usage: "node-id", Arity: 3, Flags: command.Admin | command.Stale, Since: "5.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Would list the replicas of a node.", Run: noCluster},
			{Name: "replicate", Usage: "<node-id | NO ONE {valkey-9.1}>", Arity: 3, Flags: clusterFlags, Since: "3.0.0",
				Changes: []command.Change{{Since: "valkey-9.1", Arity: -3}},
				Summary: "Would make the node a replica of another.", Run: noCluster},
			{Name: "reset", Usage: "[HARD | SOFT]", Arity: -2, Flags: command.Admin | command.NoScript | command.Stale,
				Since:   "3.0.0",
				Summary: "Would reset the node.", Run: noCluster},
			{Name: "saveconfig", Arity: 2, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would save the node's state to disk.", Run: noCluster},
			{Name: "set-config-epoch", Usage: "config-epoch", Arity: 3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would set the epoch of a new node.", Run: noCluster},
			{Name: "setslot", Usage: "slot <IMPORTING node-id | MIGRATING node-id | NODE node-id | STABLE>", Arity: -4,
				Flags: clusterFlags, Since: "3.0.0",
				Summary: "Would tell which node a slot belongs to.", Run: noCluster},
			{Name: "shards", Arity: 2, Flags: command.Stale, Since: "7.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "7.2", Gains: command.Loading}},
				Summary: "Would list the shards and their slots.", Run: noCluster},
			{Name: "slaves", Usage: "node-id", Arity: 3, Flags: command.Admin | command.Stale, Since: "3.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Would list the replicas of a node.", Run: noCluster},
			{Name: "slot-stats", Usage: "<SLOTSRANGE start-slot end-slot | ORDERBY metric [LIMIT limit] [ASC | DESC]>",
				Arity: -4, Flags: command.Loading | command.Stale, Since: "8.2.0 valkey-8.0.0",
				Tips:    "nondeterministic_output request_policy:all_shards",
				Summary: "Would tell how the slots are used.", Run: noCluster},
			{Name: "slots", Arity: 2, Flags: command.Stale, Since: "3.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "7.2", Gains: command.Loading}},
				Summary: "Would list the slots and their nodes.", Run: noCluster},
			{Name: "syncslots", Usage: "arg [arg ...]", Arity: -3, Flags: clusterFlags, Since: "valkey-9.0.0",
				Summary: "Would transfer slots between nodes.", Run: noCluster},
		}},
	{Name: "clusterscan", Usage: "cursor [MATCH pattern] [COUNT count] [TYPE type] [SLOT slot]", Arity: -2,
		Flags: command.ReadOnly, Specs: []command.KeySpec{{Index: 1, Access: "not_key"}},
		Categories: "keyspace", Since: "valkey-9.1.0",
		Tips:    "nondeterministic_output request_policy:special response_policy:special",
		Summary: "Would go through the keys of the whole cluster.", Run: noCluster},
	{Name: "readonly", Arity: 1, Flags: command.Loading | command.Stale | command.Fast, Categories: "connection",
		Since:   "3.0.0",
		Summary: "Belongs to Redis Cluster.", Run: readOnly(true)},
	{Name: "readwrite", Arity: 1, Flags: command.Loading | command.Stale | command.Fast, Categories: "connection",
		Since:   "3.0.0",
		Summary: "Belongs to Redis Cluster.", Run: readOnly(false)},
}

var errNoCluster = errors.New("ERR This instance has cluster support disabled")

// readOnly returns the handler of READONLY and READWRITE. In Valkey they are for replicas outside of a cluster, too.
func readOnly(on bool) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		if !c.Does(emulate.ReadOnlyAlone) {
			return noCluster(c)
		}
		c.Session.SetReadOnly(on)
		return resp.OK
	}
}

// clusterKeySlot returns the slot of a key, which some servers know outside of a cluster: CLUSTER KEYSLOT key.
func clusterKeySlot(c *command.Call) resp.Value {
	if !c.Does(emulate.KeySlotAlone) {
		return noCluster(c)
	}
	return resp.Int(int64(hashtag.Slot(c.Arg(2))))
}

// noCluster is the handler of most commands of this file.
func noCluster(c *command.Call) resp.Value { return c.Fail(errNoCluster) }
