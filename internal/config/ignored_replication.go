package config

// ignoredReplication are parameters of masters and replicas. This server is a master that never has replicas.
var ignoredReplication = []parameter{
	{name: "masterauth", kind: bytesValue},
	{name: "masteruser"},
	{name: "repl-backlog-size", value: "1048576", kind: within(16384, maxInt, memoryValue(1))},
	{name: "repl-backlog-ttl", value: "3600", kind: integerValue(0, maxInt)},
	{name: "repl-disable-tcp-nodelay", value: "no", kind: yesNoValue},
	{name: "repl-diskless-load", value: "disabled", kind: oneOfValue("disabled", "on-empty-db", "swapdb")},
	{name: "repl-diskless-sync", value: "yes", kind: yesNoValue},
	{name: "repl-diskless-sync-delay", value: "5", kind: integerValue(0, maxInt32)},
	{name: "repl-diskless-sync-max-replicas", value: "0", kind: integerValue(0, maxInt32)},
	{name: "repl-ping-replica-period", alias: "repl-ping-slave-period", value: "10", kind: integerValue(1, maxInt32)},
	{name: "repl-timeout", value: "60", kind: integerValue(1, maxInt32)},
	{name: "replica-announce-ip", alias: "slave-announce-ip"},
	{name: "replica-announce-port", alias: "slave-announce-port", value: "0", kind: integerValue(0, 65535)},
	{name: "replica-announced", value: "yes", kind: yesNoValue},
	{name: "replica-ignore-disk-write-errors", value: "no", kind: yesNoValue},
	{name: "replica-ignore-maxmemory", alias: "slave-ignore-maxmemory", value: "yes", kind: yesNoValue},
	{name: "replica-lazy-flush", alias: "slave-lazy-flush", value: "no", kind: yesNoValue},
	{name: "replica-priority", alias: "slave-priority", value: "100", kind: integerValue(0, maxInt32)},
	{name: "replica-read-only", alias: "slave-read-only", value: "yes", kind: yesNoValue},
	{name: "replica-serve-stale-data", alias: "slave-serve-stale-data", value: "yes", kind: yesNoValue},
}
