package sentinel

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// Families returns the commands that sentinels alone have, or have in a form of their own, by the group of COMMAND
// DOCS.
func Families() []command.Family {
	return []command.Family{
		{Group: "sentinel", Rows: []command.Command{sentinelCommand}},
		{Group: "server", Rows: []command.Command{roleCommand}},
		{Group: "pubsub", Rows: []command.Command{publishCommand}},
	}
}

var roleCommand = command.Command{Name: "role", Arity: 1,
	Flags:      command.NoScript | command.Loading | command.Stale | command.Fast,
	Categories: "admin dangerous", Since: "2.8.12", Summary: "Tells the role in replication.", Run: role}

var publishCommand = command.Command{Name: "publish", Usage: "channel message", Arity: 3,
	Flags: command.PubSub | command.Loading | command.Stale | command.Fast | command.MayReplicate, Since: "2.0.0",
	Channels: command.Channels{Last: 1}, Summary: "Takes what a sentinel says of itself.", Run: publish}

var sentinelCommand = command.Command{Name: "sentinel", Arity: -2, Flags: command.Admin, Since: "2.8.4",
	Summary: "A container for Redis Sentinel commands.",
	Sub: []command.Command{
		row("ckquorum", "master-name", 3, "2.8.4", "Tells whether a failover would be possible.", ckQuorum),
		row("config", "<GET pattern | SET parameter value>", -3, "6.2.0", "Shows or sets parameters.", config),
		row("debug", "[parameter value [parameter value ...]]", -2, "7.0.0", "Shows or sets times.", debug),
		{Name: "failover", Usage: "master-name", Arity: 3, Flags: command.Admin | command.NoMulti, Since: "2.8.4",
			Summary: "Makes a replica the master, without asking other sentinels.", Run: failover},
		row("flushconfig", "", 2, "2.8.4", "Writes the configuration to a file: there is none.", flushConfig),
		row("get-master-addr-by-name", "master-name", 3, "2.8.4", "Tells the address of a master.", addrByName),
		row("get-primary-addr-by-name", "primary-name", 3, "valkey-8.0", "Tells the address of a master.", addrByName),
		row("help", "", 2, "6.2.0", "Returns helpful text about the different subcommands.", command.Help),
		row("is-master-down-by-addr", "ip port current-epoch runid", 6, "2.8.4",
			"Tells whether a master is down, and votes.", isDown),
		row("is-primary-down-by-addr", "ip port current-epoch runid", 6, "valkey-8.0",
			"Tells whether a master is down, and votes.", isDown),
		row("master", "master-name", 3, "2.8.4", "Describes a master.", showMaster),
		row("masters", "", 2, "2.8.4", "Describes all masters.", showMasters),
		row("monitor", "name ip port quorum", 6, "2.8.4", "Watches a master.", monitor),
		row("myid", "", 2, "6.2.0", "Tells the ID of the sentinel.", myID),
		row("pending-scripts", "", 2, "2.8.4", "Lists scripts that run: none do.", pendingScripts),
		row("primary", "primary-name", 3, "valkey-8.0", "Describes a master.", showMaster),
		row("primaries", "", 2, "valkey-8.0", "Describes all masters.", showMasters),
		row("remove", "master-name", 3, "2.8.4", "Watches a master no more.", remove),
		row("replicas", "master-name", 3, "5.0.0", "Describes the replicas of a master.", showReplicas),
		row("reset", "pattern", 3, "2.8.4", "Forgets the replicas and sentinels of masters.", reset),
		row("sentinels", "master-name", 3, "2.8.4", "Describes the other sentinels of a master.", showSentinels),
		row("set", "master-name option value [option value ...]", -5, "2.8.4", "Sets parameters of a master.", set),
		row("simulate-failure", "[CRASH-AFTER-ELECTION] [CRASH-AFTER-PROMOTION] [HELP]", -3, "3.2.0",
			"Ends the sentinel during a failover.", simulateFailure),
		row("slaves", "master-name", 3, "2.8.0", "Describes the replicas of a master.", showReplicas),
	}}

func row(name, usage string, arity int, since, summary string, run func(*command.Call) resp.Value) command.Command {
	return command.Command{Name: name, Usage: usage, Arity: arity, Flags: command.Admin, Since: since, Summary: summary,
		Run: run}
}
