package config

// ignoredHidden are parameters that CONFIG GET shows by their name only. Tests of Redis and Valkey set some of them.
var ignoredHidden = []parameter{
	{name: "cluster-message-gossip-perc", since: "valkey-9.0", value: "10", kind: integerValue(1, 100), hidden: true},
	{name: "cluster-ping-interval", since: "7.4 valkey-8.0", value: "0", kind: integerValue(0, maxInt), hidden: true},
	{name: "cluster-slot-migration-max-archived-tasks", since: "8.4", value: "32", kind: integerValue(1, maxInt32),
		hidden: true},
	{name: "debug-context", since: "valkey-8.1", hidden: true},
	{name: "enable-debug-assert", since: "valkey-8.0", value: "no", mutable: immutable, kind: yesNoValue, hidden: true},
	{name: "events-per-io-thread", since: "<valkey-9.0", value: "2", kind: integerValue(0, maxInt32), hidden: true},
	{name: "io-threads-always-active", since: "valkey-9.1", value: "no", kind: yesNoValue, hidden: true},
	{name: "lazyexpire-nested-arbitrary-keys", since: "8.2", value: "yes", kind: yesNoValue, hidden: true},
	{name: "loading-process-events-interval-bytes", value: "2097152", other: &otherDefault{"8.0", "524288"},
		kind: integerValue(1024, maxInt32), hidden: true},
	{name: "lua-enable-deprecated-api", since: "redis", value: "no", mutable: immutable, kind: yesNoValue, hidden: true},
	{name: "lua-enable-deprecated-api", since: "valkey", value: "no", mutable: protected, kind: yesNoValue, hidden: true},
	{name: "lua-enable-insecure-api", since: "valkey-8.1", value: "no", mutable: protected, kind: yesNoValue,
		hidden: true},
	{name: "min-io-threads-avoid-copy-reply", since: "valkey-9.0", value: "7", kind: integerValue(0, maxInt32),
		hidden: true},
	{name: "min-string-size-avoid-copy-reply", since: "valkey-9.0", value: "16384", kind: integerValue(0, maxInt32),
		hidden: true},
	{name: "min-string-size-avoid-copy-reply-threaded", since: "valkey-9.0", value: "65536",
		kind: integerValue(0, maxInt32), hidden: true},
	{name: "repl-rdb-channel", since: "8.0", value: "yes", kind: yesNoValue, hidden: true},
	{name: "use-exit-on-panic", value: "no", kind: yesNoValue, hidden: true},
	{name: "watchdog-period", value: "0", kind: integerValue(0, maxInt32), hidden: true},
}
