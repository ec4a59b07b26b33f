package config

import "sync/atomic"

// replicationParameters are those of masters and replicas that package command/replication reads.
var replicationParameters = []parameter{
	{name: "masterauth", newer: &name{"valkey-8.0", "primaryauth"}, kind: bytesValue},
	{name: "masteruser", newer: &name{"valkey-8.0", "primaryuser"}},
	{name: "repl-backlog-size", value: "1048576", other: &otherDefault{"valkey-8.0", "10485760"},
		kinds: memoryInRange, kind: within(16384, maxInt, memoryValue(1)),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.backlog })},
	{name: "repl-ping-replica-period", alias: "repl-ping-slave-period", value: "10", kind: integerValue(1, maxInt32)},
	{name: "replica-announce-ip", alias: "slave-announce-ip"},
	{name: "replica-announce-port", alias: "slave-announce-port", value: "0", kind: integerValue(0, 65535)},
	{name: "replica-announced", value: "yes", kind: yesNoValue},
	{name: "replica-priority", alias: "slave-priority", value: "100", kind: integerValue(0, maxInt32)},
	{name: "replica-read-only", alias: "slave-read-only", value: "yes", kind: yesNoValue},
	{name: "replica-serve-stale-data", alias: "slave-serve-stale-data", value: "yes", kind: yesNoValue},
	{name: "replicaof", alias: "slaveof", mutable: immutable, words: true, kind: replicaOfValue},
}
