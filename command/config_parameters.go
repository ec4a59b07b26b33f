package command

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/minilockd/minilockd/store"
)

// parameter is one line of redis.conf that means something here.
type parameter struct {
	name    string
	alias   string // an older name, shown and set as well
	value   string // the default
	mutable mutability
	binary  bool // the value may have a NUL in it; of others it is the end
	hidden  bool // not shown where a pattern is asked for
	kind    kind
	merge   func(old, value string) string // where a value names only a part of the whole
	follow  func(c *Config, value string)  // keeps a field of Config in step
	show    func(value string) string      // what CONFIG GET prints, if that is not all
	refusal error                          // what CONFIG SET says of another value, if pinned; nil for errConfigImmutable
}

// mutability says whether CONFIG SET may change a parameter.
type mutability uint8

const (
	settable  mutability = iota
	pinned               // only to the value that it has: others are not implemented
	immutable            // not even that, as in Redis
	protected            // not by clients, unless enable-protected-configs says so, which it can't here
)

// meaningfulParameters are those that change what the server does, or say what it can't do.
var meaningfulParameters = []parameter{
	{name: "requirepass", binary: true, kind: textValue, follow: func(c *Config, v string) { c.password.Store(&v) }},
	{name: "maxclients", value: "10000", kind: integerValue(1, 1<<32-1), follow: func(c *Config, v string) { c.maxClients.Store(number(v)) }},
	{name: "timeout", value: "0", kind: integerValue(0, 1<<31-1), follow: func(c *Config, v string) { c.timeout.Store(number(v)) }},
	{name: "proto-max-bulk-len", value: "536870912", kind: memoryValue(1 << 20), follow: func(c *Config, v string) { c.maxBulk.Store(number(v)) }},
	{name: "client-output-buffer-limit", binary: true, value: "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60", kind: outputLimitsValue,
		merge: mergeOutputLimits, follow: (*Config).followOutputLimits},
	{name: "notify-keyspace-events", kind: eventsValue, show: shownEvents, follow: func(c *Config, v string) { c.events.Store(parseEvents(v)) }},
	{name: "slowlog-log-slower-than", value: "10000", kind: integerValue(-1, 1<<63-1), follow: func(c *Config, v string) { c.slowerThan.Store(number(v)); c.chooseTiming() }},
	{name: "latency-monitor-threshold", value: "0", kind: integerValue(0, 1<<63-1), follow: func(c *Config, v string) { c.latency.Store(number(v)); c.chooseTiming() }},
	{name: "latency-tracking", value: "no", kind: yesNoValue, follow: func(c *Config, v string) { c.histograms.Store(v == "yes"); c.chooseTiming() }},
	{name: "slowlog-max-len", value: "128", kind: integerValue(0, 1<<63-1), follow: func(c *Config, v string) { c.slowLogLen.Store(number(v)) }},
	{name: "busy-reply-threshold", alias: "lua-time-limit", value: "5000", kind: integerValue(0, 1<<63-1), follow: func(c *Config, v string) { c.busyAfter.Store(number(v)) }},
	{name: "min-replicas-to-write", alias: "min-slaves-to-write", value: "0", kind: integerValue(0, 1<<31-1), follow: func(c *Config, v string) { c.replicas.Store(number(v)) }},
	{name: "min-replicas-max-lag", alias: "min-slaves-max-lag", value: "10", kind: integerValue(0, 1<<31-1), follow: func(c *Config, v string) { c.replicaLag.Store(number(v)) }},
	{name: "tracking-table-max-keys", value: "1000000", kind: integerValue(0, 1<<63-1), follow: func(c *Config, v string) { c.trackedKeys.Store(number(v)) }},
	{name: "acl-pubsub-default", value: "resetchannels", kind: oneOfValue("allchannels", "resetchannels"), follow: func(c *Config, v string) { c.openChannels.Store(v == "allchannels") }},
	{name: "acllog-max-len", value: "128", kind: integerValue(0, 1<<63-1), follow: func(c *Config, v string) { c.aclLogLen.Store(number(v)) }},
	{name: "stop-writes-on-bgsave-error", value: "yes", kind: yesNoValue},

	// Config.limits reads these; see Env.applyLimits.
	{name: "maxmemory", value: "0", kind: unsignedMemoryValue},
	{name: "maxmemory-policy", value: "noeviction", kind: oneOfValue("volatile-lru", "volatile-lfu", "volatile-random",
		"volatile-ttl", "allkeys-lru", "allkeys-lfu", "allkeys-random", "noeviction")},
	{name: "maxmemory-samples", value: "5", kind: integerValue(1, 1<<31-1)},
	{name: "lfu-log-factor", value: "10", kind: integerValue(0, 1<<31-1)},
	{name: "lfu-decay-time", value: "1", kind: integerValue(0, 1<<31-1)},

	// Memory is given back at once, and by the garbage collector: these make no difference.
	{name: "maxmemory-eviction-tenacity", value: "10", kind: integerValue(0, 100)},
	{name: "lazyfree-lazy-eviction", value: "no", kind: yesNoValue},
	{name: "lazyfree-lazy-expire", value: "no", kind: yesNoValue},
	{name: "lazyfree-lazy-server-del", value: "no", kind: yesNoValue},
	{name: "lazyfree-lazy-user-del", value: "no", kind: yesNoValue},
	{name: "lazyfree-lazy-user-flush", value: "no", kind: yesNoValue},

	{name: "hash-max-listpack-entries", alias: "hash-max-ziplist-entries", value: "512", kind: integerValue(0, 1<<63-1),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.HashEntries })},
	{name: "hash-max-listpack-value", alias: "hash-max-ziplist-value", value: "64", kind: memoryValue(0),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.HashValue })},
	{name: "hll-sparse-max-bytes", value: "3000", kind: memoryValue(0), follow: func(c *Config, v string) { c.maxSparse.Store(number(v)) }},
	{name: "list-compress-depth", value: "0", kind: integerValue(0, 1<<31-1)},
	{name: "list-max-listpack-size", alias: "list-max-ziplist-size", value: "-2", kind: integerValue(-1<<31, 1<<31-1),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.ListSize })},
	{name: "set-max-intset-entries", value: "512", kind: integerValue(0, 1<<63-1),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.SetInts })},
	{name: "stream-node-max-bytes", value: "4096", kind: memoryValue(0),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.StreamBytes })},
	{name: "stream-node-max-entries", value: "100", kind: integerValue(0, 1<<63-1),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.StreamEntries })},
	{name: "zset-max-listpack-entries", alias: "zset-max-ziplist-entries", value: "128", kind: integerValue(0, 1<<63-1),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.ZSetEntries })},
	{name: "zset-max-listpack-value", alias: "zset-max-ziplist-value", value: "64", kind: memoryValue(0),
		follow: followedBy(func(t *store.Thresholds) *atomic.Int64 { return &t.ZSetValue })},

	{name: "appendonly", value: "no", mutable: pinned, kind: yesNoValue},
	{name: "bind", value: "127.0.0.1", mutable: pinned, kind: textValue},
	{name: "maxmemory-clients", value: "0", mutable: pinned, kind: memoryOrPercentValue},
	{name: "port", value: "0", mutable: pinned, kind: integerValue(0, 65535), refusal: errConfigPort},
	{name: "protected-mode", value: "no", mutable: pinned, kind: yesNoValue},
	{name: "tls-port", value: "0", mutable: pinned, kind: integerValue(0, 65535)},

	{name: "cluster-enabled", value: "no", mutable: immutable},
	{name: "databases", value: "16", mutable: immutable},
	{name: "enable-debug-command", value: "yes", mutable: immutable},
	{name: "replicaof", alias: "slaveof", mutable: immutable},
	{name: "unixsocket", mutable: immutable},
}

var parameters = slices.Concat(meaningfulParameters, inertParameters)

var parameterIndex, parameterNames = indexParameters()

// indexParameters finds parameters by name and alias, and lists both sorted.
func indexParameters() (index map[string]*parameter, names []string) {
	index = make(map[string]*parameter)
	for i := range parameters {
		p := &parameters[i]
		for _, name := range []string{p.name, p.alias} {
			if name != "" {
				index[name] = p
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return index, names
}

// followedBy keeps a threshold in step with its parameter.
func followedBy(threshold func(*store.Thresholds) *atomic.Int64) func(*Config, string) {
	return func(c *Config, value string) { threshold(c.thresholds).Store(number(value)) }
}

// parameterNamed finds a parameter by its name or alias, in any letter case; nil if there is none.
func parameterNamed(name string) *parameter { return parameterIndex[strings.ToLower(name)] }

// number reads what the kind integer has let through.
func number(canonical string) int64 {
	n, _ := strconv.ParseInt(canonical, 10, 64)
	return n
}
