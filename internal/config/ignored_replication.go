package config

// ignoredReplication are parameters of masters and replicas that change nothing here: a full copy is made at once and
// in memory, and an idle connection is no reason to close it.
var ignoredReplication = []parameter{
	{name: "dual-channel-replication-enabled", since: "valkey-8.0", value: "no", kind: yesNoValue},
	{name: "repl-backlog-ttl", value: "3600", kind: integerValue(0, maxInt)},
	{name: "repl-disable-tcp-nodelay", value: "no", kind: yesNoValue},
	{name: "repl-diskless-load", value: "disabled", kind: oneOfValue("disabled", "on-empty-db", "swapdb"),
		kinds: []otherKind{becomes("valkey-8.0", oneOfValue("disabled", "on-empty-db", "swapdb", "flush-before-load"))}},
	{name: "repl-diskless-sync", value: "yes", kind: yesNoValue},
	{name: "repl-diskless-sync-delay", value: "5", kind: integerValue(0, maxInt32)},
	{name: "repl-diskless-sync-max-replicas", value: "0", kind: integerValue(0, maxInt32)},
	{name: "repl-mptcp", since: "valkey-9.1", value: "no", mutable: immutable, kind: yesNoValue},
	{name: "repl-timeout", value: "60", kind: integerValue(1, maxInt32)},
	{name: "replica-full-sync-buffer-limit", since: "8.0", value: "0", kind: memoryValue(0)},
	{name: "replica-ignore-disk-write-errors", value: "no", kind: yesNoValue},
	{name: "replica-ignore-maxmemory", alias: "slave-ignore-maxmemory", value: "yes", kind: yesNoValue},
	{name: "replica-lazy-flush", alias: "slave-lazy-flush", value: "no", other: lazyInValkey,
		kind: yesNoValue},
}
