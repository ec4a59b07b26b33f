package replication

import "github.com/minilockd/minilockd/command"

// Families returns the commands of this package, by the group of COMMAND DOCS.
func Families() []command.Family {
	return []command.Family{
		{Group: "server", Rows: serverCommands},
		{Group: "generic", Rows: waitCommands},
	}
}

var serverCommands = []command.Command{
	{Name: "failover", Usage: "[TO host port [FORCE]] [ABORT] [TIMEOUT milliseconds]", Arity: -1,
		Flags: command.Admin | command.NoScript | command.Stale, Since: "6.2.0",
		Summary: "Makes one of the replicas the master, and this server its replica.", Run: failover},
	{Name: "psync", Usage: "replicationid offset", Arity: -3, Keys: command.Whole,
		Flags: command.Admin | command.NoScript | command.NoAsyncLoading | command.NoMulti, Since: "2.8.0",
		Summary: "Sends a replica what it lacks.", Run: psync},
	{Name: "replconf", Arity: -1,
		Flags: command.Admin | command.NoScript | command.Loading | command.Stale | command.AllowBusy, Since: "3.0.0",
		Summary: "Takes what a replica tells of itself.", Run: replConf},
	{Name: "replicaof", Usage: "host port", Arity: 3, Keys: command.Whole,
		Flags: command.Admin | command.NoScript | command.Stale | command.NoAsyncLoading, Since: "5.0.0",
		Summary: "Makes the server a replica of another one, or a master.", Run: replicaOf},
	{Name: "role", Arity: 1, Flags: command.NoScript | command.Loading | command.Stale | command.Fast,
		Categories: "admin dangerous", Since: "2.8.12",
		Summary: "Tells the role in replication.", Run: role},
	{Name: "slaveof", Usage: "host port", Arity: 3, Keys: command.Whole,
		Flags: command.Admin | command.NoScript | command.Stale | command.NoAsyncLoading, Since: "1.0.0",
		Summary: "The old name of REPLICAOF.", Run: replicaOf},
	{Name: "sync", Arity: 1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading | command.NoMulti,
		Keys:    command.Whole,
		Since:   "1.0.0",
		Summary: "Sends a replica all data.", Run: syncAll},
}

var waitCommands = []command.Command{
	{Name: "wait", Usage: "numreplicas timeout", Arity: 3, Flags: command.NoScript, Categories: "connection",
		Since: "3.0.0", Tips: "request_policy:all_shards response_policy:agg_min",
		Changes: []command.Change{{Since: "7.2", Gains: command.Blocking, Loses: command.NoScript}},
		Summary: "Waits until replicas have what the connection wrote.", Run: wait},
	{Name: "waitaof", Usage: "numlocal numreplicas timeout", Arity: 4, Flags: command.Blocking,
		Categories: "connection",
		Since:      "7.2.0",
		Tips:       "request_policy:all_shards response_policy:agg_min",
		Summary:    "Waits until servers have on disk what the connection wrote: none have.", Run: waitAOF},
}
