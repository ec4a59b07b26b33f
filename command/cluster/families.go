package cluster

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/resp"
)

// Families returns the commands of this package, by the group of COMMAND DOCS.
func Families() []command.Family {
	return []command.Family{{Group: "cluster", Rows: clusterCommands}}
}

// clusterFlags are the flags of the commands that change the cluster.
const clusterFlags = command.Admin | command.Stale | command.NoAsyncLoading

// clusterCommands are CLUSTER and the commands that only make sense in a cluster.
var clusterCommands = []command.Command{
	{Name: "asking", Arity: 1, Flags: command.Fast, Categories: "connection", Since: "3.0.0",
		Summary: "Lets the next command use a slot that moves to this node.", Run: ofNode(asking)},
	{Name: "cluster", Arity: -2, Since: "3.0.0",
		Summary: "Commands of Redis Cluster.", Sub: []command.Command{
			{Name: "addslots", Usage: "slot [slot ...]", Arity: -3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Gives the node slots.", Keys: command.Whole, Run: ofNode(addSlots)},
			{Name: "addslotsrange", Usage: "start-slot end-slot [start-slot end-slot ...]", Arity: -4,
				Flags:   clusterFlags,
				Since:   "7.0.0",
				Summary: "Gives the node ranges of slots.", Keys: command.Whole, Run: ofNode(addSlotsRange)},
			{Name: "bumpepoch", Arity: 2, Flags: clusterFlags, Since: "3.0.0", Tips: "nondeterministic_output",
				Summary: "Raises the node's epoch.", Run: ofNode(bumpEpoch)},
			{Name: "cancelslotmigrations", Arity: 2, Flags: clusterFlags, Since: "valkey-9.0.0",
				Summary: "Would stop the migrations of slots to other nodes.", Run: noCluster},
			{Name: "count-failure-reports", Usage: "node-id", Arity: 3, Flags: command.Admin | command.Stale,
				Since:   "3.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Counts the reports that a node has failed: none are kept.", Run: ofNode(countFailureReports)},
			{Name: "countkeysinslot", Usage: "slot", Arity: 3, Flags: command.Stale, Since: "3.0.0",
				Summary: "Counts the keys of a slot.", Keys: command.Whole, Run: ofNode(countKeysInSlot)},
			{Name: "delslots", Usage: "slot [slot ...]", Arity: -3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Takes slots from the node.", Keys: command.Whole, Run: ofNode(delSlots)},
			{Name: "delslotsrange", Usage: "start-slot end-slot [start-slot end-slot ...]", Arity: -4,
				Flags:   clusterFlags,
				Since:   "7.0.0",
				Summary: "Takes ranges of slots from the node.", Keys: command.Whole, Run: ofNode(delSlotsRange)},
			{Name: "failover", Usage: "[FORCE | TAKEOVER]", Arity: -2, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Makes a replica the master.", Run: ofNode(failover)},
			{Name: "flushslot", Usage: "slot [ASYNC | SYNC]", Arity: -3,
				Flags: command.Admin | command.Write | command.NoAsyncLoading, Categories: "keyspace",
				Since:   "valkey-9.0.0",
				Summary: "Removes all keys of a slot.", Keys: command.Whole, Run: ofNode(flushSlot)},
			{Name: "flushslots", Arity: 2, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Takes all slots from the node.", Keys: command.Whole, Run: ofNode(flushSlots)},
			{Name: "forget", Usage: "node-id", Arity: 3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Removes a node from those known.", Keys: command.Whole, Run: ofNode(forget)},
			{Name: "getkeysinslot", Usage: "slot count", Arity: 4, Flags: command.Stale, Since: "3.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Lists keys of a slot.", Keys: command.Whole, Run: ofNode(getKeysInSlot)},
			{Name: "getslotmigrations", Arity: 2, Flags: clusterFlags, Since: "valkey-9.0.0",
				Summary: "Would list the migrations of slots.", Run: noCluster},
			{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
				Summary: "Lists the subcommands.", Run: ofNode(help)},
			{Name: "info", Arity: 2, Flags: command.Stale, Since: "3.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Tells the state of the cluster as the node sees it.", Run: ofNode(info)},
			{Name: "keyslot", Usage: "key", Arity: 3, Flags: command.Stale, Since: "3.0.0",
				Summary: "Tells the slot of a key.", Run: clusterKeySlot},
			{Name: "links", Arity: 2, Flags: command.Stale, Since: "7.0.0", Tips: "nondeterministic_output",
				Summary: "Lists the connections to other nodes.", Run: ofNode(links)},
			{Name: "meet", Usage: "ip port [cluster-bus-port]", Arity: -4, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Makes another node known.", Keys: command.Whole, Run: ofNode(meet)},
			{Name: "migrateslots", Usage: "SLOTSRANGE start-slot end-slot [start-slot end-slot ...] NODE node-id",
				Arity: -4, Flags: clusterFlags, Since: "valkey-9.0.0",
				Summary: "Would move slots to another node.", Run: noCluster},
			{Name: "migration", Usage: "<IMPORT start-slot end-slot [start-slot end-slot ...] | " +
				"CANCEL <ID task-id | ALL> | STATUS <ID task-id | ALL>>", Arity: -4, Flags: clusterFlags, Since: "8.4.0",
				Summary: "Would move slots to the node, or tell how far that is.", Run: noCluster},
			{Name: "myid", Arity: 2, Flags: command.Stale, Since: "3.0.0",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Tells the ID of the node.", Run: ofNode(myID)},
			{Name: "myshardid", Arity: 2, Flags: command.Stale, Since: "7.2.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Tells the ID of the node's shard.", Run: ofNode(myShardID)},
			{Name: "nodes", Arity: 2, Flags: command.Stale, Since: "3.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
				Summary: "Lists the nodes.", Run: ofNode(nodes)},
			{Name: "replicas", Usage: "node-id", Arity: 3, Flags: command.Admin | command.Stale, Since: "5.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Lists the replicas of a node.", Run: ofNode(replicas)},
			{Name: "replicate", Usage: "<node-id | NO ONE {valkey-9.1}>", Arity: 3, Flags: clusterFlags, Since: "3.0.0",
				Changes: []command.Change{{Since: "valkey-9.1", Arity: -3}},
				Summary: "Makes the node a replica of another.", Keys: command.Whole, Run: ofNode(replicate)},
			{Name: "reset", Usage: "[HARD | SOFT]", Arity: -2, Flags: command.Admin | command.NoScript | command.Stale,
				Since:   "3.0.0",
				Summary: "Resets the node.", Keys: command.Whole, Run: ofNode(reset)},
			{Name: "saveconfig", Arity: 2, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Does nothing: there is no file of nodes.", Run: ofNode(saveConfig)},
			{Name: "set-config-epoch", Usage: "config-epoch", Arity: 3, Flags: clusterFlags, Since: "3.0.0",
				Summary: "Sets the epoch of a new node.", Run: ofNode(setConfigEpoch)},
			{Name: "setslot", Usage: "slot <IMPORTING node-id | MIGRATING node-id | NODE node-id | STABLE>", Arity: -4,
				Flags: clusterFlags, Since: "3.0.0",
				Summary: "Tells which node a slot belongs to, or that it moves.", Keys: command.Whole, Run: ofNode(setSlot)},
			{Name: "shards", Arity: 2, Flags: command.Stale, Since: "7.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "7.2", Gains: command.Loading}},
				Summary: "Lists the shards and their slots.", Run: ofNode(shards)},
			{Name: "slaves", Usage: "node-id", Arity: 3, Flags: command.Admin | command.Stale, Since: "3.0.0",
				Tips:    "nondeterministic_output",
				Summary: "Lists the replicas of a node.", Run: ofNode(replicas)},
			{Name: "slot-stats", Usage: "<SLOTSRANGE start-slot end-slot | ORDERBY metric [LIMIT limit] [ASC | DESC]>",
				Arity: -4, Flags: command.Loading | command.Stale, Since: "8.2.0 valkey-8.0.0",
				Tips:    "nondeterministic_output request_policy:all_shards",
				Summary: "Tells how many keys the slots have.", Keys: command.Whole, Run: ofNode(slotStats)},
			{Name: "slots", Arity: 2, Flags: command.Stale, Since: "3.0.0", Tips: "nondeterministic_output",
				Changes: []command.Change{{Since: "7.2", Gains: command.Loading}},
				Summary: "Lists the slots and their nodes.", Run: ofNode(slots)},
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
		Summary: "Lets the client read from a replica.", Run: readOnly(true)},
	{Name: "readwrite", Arity: 1, Flags: command.Loading | command.Stale | command.Fast, Categories: "connection",
		Since:   "3.0.0",
		Summary: "Ends what READONLY allows.", Run: readOnly(false)},
}

var errNoCluster = errors.New("ERR This instance has cluster support disabled")

// ofNode returns the handler of a command that only a node of a cluster has. A server outside of a cluster has the
// rows, too: COMMAND, ACL and arity errors work as on a node, and every call gets the error of a Redis with
// cluster-enabled no.
func ofNode(run func(*command.Call, *Node) resp.Value) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		if n := NodeOf(c.Env()); n != nil {
			return run(c, n)
		}
		return noCluster(c)
	}
}

// readOnly returns the handler of READONLY and READWRITE. In Valkey they are for replicas outside of a cluster, too.
func readOnly(on bool) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		if NodeOf(c.Env()) == nil && !c.Does(emulate.ReadOnlyAlone) {
			return noCluster(c)
		}
		c.Session.SetReadOnly(on)
		return resp.OK
	}
}

func help(c *command.Call, _ *Node) resp.Value { return command.Help(c) }

// asking lets the next command use a slot that moves to this node: ASKING.
func asking(c *command.Call, _ *Node) resp.Value {
	c.Session.SetAsking()
	return resp.OK
}

// clusterKeySlot returns the slot of a key, which some servers know outside of a cluster: CLUSTER KEYSLOT key.
func clusterKeySlot(c *command.Call) resp.Value {
	if NodeOf(c.Env()) == nil && !c.Does(emulate.KeySlotAlone) {
		return noCluster(c)
	}
	return resp.Int(int64(hashtag.Slot(c.Arg(2))))
}

// noCluster is the handler of the commands that this server does not have as a node either.
func noCluster(c *command.Call) resp.Value { return c.Fail(errNoCluster) }
