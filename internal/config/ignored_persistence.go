package config

// ignoredPersistence are parameters of the AOF files, which this server does not have, and of details of the RDB file.
var ignoredPersistence = []parameter{
	{name: "aof-disable-auto-gc", hiding: "7.2", value: "no", kind: yesNoValue},
	{name: "aof-load-truncated", value: "yes", kind: yesNoValue},
	{name: "aof-rewrite-incremental-fsync", value: "yes", kind: yesNoValue},
	{name: "aof-timestamp-enabled", value: "no", kind: yesNoValue},
	{name: "aof-use-rdb-preamble", value: "yes", kind: yesNoValue},
	{name: "aof_rewrite_cpulist", newer: &name{"7.2", "aof-rewrite-cpulist"}, mutable: immutable},
	{name: "appenddirname", value: "appendonlydir", mutable: immutable,
		kind: notEmpty("appenddirname", baseNameValue("appenddirname", "dirname"))},
	{name: "appendfilename", value: "appendonly.aof", mutable: immutable,
		kind: notEmpty("appendfilename", baseNameValue("appendfilename", "filename"))},
	{name: "appendfsync", value: "everysec", kind: oneOfValue("everysec", "always", "no")},
	{name: "auto-aof-rewrite-min-size", value: "67108864", kinds: memoryInRange, kind: memoryValue(0)},
	{name: "auto-aof-rewrite-percentage", value: "100", kind: integerValue(0, maxInt32)},
	{name: "key-load-delay", value: "0", kind: integerValue(minInt32, maxInt32), hidden: true},
	{name: "no-appendfsync-on-rewrite", value: "no", kind: yesNoValue},
	{name: "rdb-del-sync-files", value: "no", kind: yesNoValue},
	{name: "rdb-key-save-delay", value: "0", kind: integerValue(minInt32, maxInt32), hidden: true},
	{name: "rdb-save-incremental-fsync", value: "yes", kind: yesNoValue},
	{name: "rdbcompression", value: "yes", kind: yesNoValue},
	{name: "sanitize-dump-payload", since: "<valkey-9.1 redis", value: "no", kind: oneOfValue("no", "yes", "clients")},
}
