package config

// ignoredCluster are parameters of the nodes of a cluster. cluster-enabled itself gives an error: see fixedParameters.
var ignoredCluster = []parameter{
	{name: "cluster-allow-pubsubshard-when-down", value: "yes", kind: yesNoValue},
	{name: "cluster-allow-reads-when-down", value: "no", kind: yesNoValue},
	{name: "cluster-allow-replica-migration", value: "yes", kind: yesNoValue},
	{name: "cluster-announce-bus-port", value: "0", kind: integerValue(0, 65535)},
	{name: "cluster-announce-hostname", kind: hostnameValue},
	{name: "cluster-announce-ip"},
	{name: "cluster-announce-port", value: "0", kind: integerValue(0, 65535)},
	{name: "cluster-announce-tls-port", value: "0", kind: integerValue(0, 65535)},
	{name: "cluster-config-file", value: "nodes.conf", mutable: immutable},
	{name: "cluster-link-sendbuf-limit", value: "0", kind: unsignedMemoryValue},
	{name: "cluster-migration-barrier", value: "1", kind: integerValue(0, maxInt32)},
	{name: "cluster-node-timeout", value: "15000", kind: integerValue(0, maxInt)},
	{name: "cluster-port", value: "0", mutable: immutable, kind: integerValue(0, 65535)},
	{name: "cluster-preferred-endpoint-type", value: "ip", kind: oneOfValue("ip", "hostname", "unknown-endpoint")},
	{name: "cluster-replica-no-failover", alias: "cluster-slave-no-failover", value: "no",
		kind: yesNoValue},
	{name: "cluster-replica-validity-factor", alias: "cluster-slave-validity-factor", value: "10",
		kind: integerValue(0, maxInt32)},
	{name: "cluster-require-full-coverage", value: "yes", kind: yesNoValue},
}
