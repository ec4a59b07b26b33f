package command

import (
	"math"
	"strings"
)

// inertParameters are of things that this server does not have: files, replicas, a buffer for each client. They are
// remembered, so that programs which set them can go on, and change nothing.
var inertParameters = []parameter{
	{name: "client-query-buffer-limit", value: "1073741824", kind: memoryValue(1 << 20)},
	{name: "dynamic-hz", value: "yes", kind: yesNoValue},
	{name: "hz", value: "10", kind: integerValue(0, math.MaxInt32)},
	{name: "key-load-delay", value: "0", kind: integerValue(math.MinInt32, math.MaxInt32), hidden: true},
	{name: "loglevel", value: "notice", kind: oneOfValue("debug", "verbose", "notice", "warning")},
	{name: "masterauth", kind: textValue},
	{name: "masteruser", kind: textValue},
	{name: "rdb-key-save-delay", value: "0", kind: integerValue(math.MinInt32, math.MaxInt32), hidden: true},
	{name: "repl-backlog-size", value: "1048576", kind: memoryValue(1)},
	{name: "repl-ping-replica-period", alias: "repl-ping-slave-period", value: "10", kind: integerValue(1, math.MaxInt32)},
	{name: "repl-timeout", value: "60", kind: integerValue(1, math.MaxInt32)},
	{name: "sanitize-dump-payload", value: "no", kind: oneOfValue("no", "yes", "clients")},
	{name: "save", kind: saveValue},
	{name: "tcp-keepalive", value: "300", kind: integerValue(0, math.MaxInt32)},

	{name: "always-show-logo", value: "no", mutable: immutable},
	{name: "appenddirname", value: "appendonlydir", mutable: immutable},
	{name: "appendfilename", value: "appendonly.aof", mutable: immutable},
	{name: "daemonize", value: "no", mutable: immutable},
	{name: "io-threads", value: "1", mutable: immutable},
	{name: "logfile", mutable: immutable},
	{name: "pidfile", mutable: immutable},
	{name: "rdbchecksum", value: "yes", mutable: immutable},
	{name: "supervised", value: "no", mutable: immutable},
	{name: "tcp-backlog", value: "511", mutable: immutable},
}

// saveValue takes pairs of seconds and changes.
func saveValue(value string) (string, error) {
	words := strings.Fields(value)
	if len(words)%2 != 0 {
		return "", errConfigSave
	}
	for i, word := range words {
		n, err := parseInt([]byte(word))
		if err != nil || n < int64(1-i%2) {
			return "", errConfigSave
		}
	}
	return strings.Join(words, " "), nil
}
