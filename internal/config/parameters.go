package config

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/store"
)

// parameter holds every fact about a parameter of redis.conf: its row. Rows do not change once their set is made;
// values are in Config.
type parameter struct {
	name  string
	since string // which servers have it (emulate.Server.Has)
	alias string // an older name, which CONFIG GET and SET know as well
	newer *name  // its name in some servers, where name is the alias; nil for none
	value string // the default
	kind  kind   // which values are valid; nil for any text

	other *otherDefault // of some servers; nil for none
	kinds []otherKind   // of some servers, the oldest first
	late  kind          // which values are valid, found when all values of a CONFIG SET are; nil for all

	mutable    mutability
	settableIn string // the servers where it is settable all the same (emulate.Server.Has); "" for none
	hidden     bool   // CONFIG GET shows it by its name only, not for a pattern
	hiding     string // the servers that hide it (emulate.Server.Has); "" for none
	words      bool   // its line in redis.conf may have several words
	process    bool   // the program minilockd uses it, not the server
	tls        tlsRole
	ignored    bool // it has no effect in a server; set for ignoredParameters

	reason error // why another value is an error, for pinned and always
	always bool  // a server can't start with another value than the default either

	merge func(old, value string) string // joins a value that sets only some parts with the old value
	apply func(c *Config, value string)  // sets the field of Config that holds it in another form
	show  func(value string) string      // what CONFIG GET prints, if not the value itself
}

// mutability says whether CONFIG SET may change a parameter. As in Redis, immutable and protected parameters can be
// set by a line of redis.conf, when the server starts.
type mutability uint8

const (
	settable  mutability = iota
	pinned               // only to the value that it has; another one gives reason
	immutable            // not even that, as in Redis
	protected            // not by clients: enable-protected-configs has no effect here
)

// MaxDatabases is the largest number of databases: commands that go through all of them must end soon. Redis takes
// more.
const MaxDatabases = 1 << 16

// The bounds of C types in the rows of Redis: long long and int.
const maxInt, maxInt32, minInt32 = 1<<63 - 1, 1<<31 - 1, -1 << 31

// meaningfulParameters change what the server does, or give an error for what it can't do.
var meaningfulParameters = slices.Concat(clientParameters, monitoringParameters, memoryParameters, encodingParameters,
	replicationParameters, compatibilityParameters, tlsParameters, persistenceParameters, fixedParameters)

// clientParameters are about connections, scripts, replicas and ACL.
var clientParameters = []parameter{
	{name: "requirepass", kind: bytesValue, apply: func(c *Config, v string) { c.password.Store(&v) }},
	{name: "protected-mode", value: "no", kind: yesNoValue,
		apply: func(c *Config, v string) { c.protectedMode.Store(v == "yes") }},
	{name: "maxclients", value: "10000", kinds: unsignedInteger, kind: integerValue(1, 1<<32-1),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.maxClients })},
	{name: "timeout", value: "0", kind: integerValue(0, maxInt32),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.timeout })},
	{name: "proto-max-bulk-len", value: "536870912", kinds: memoryInRange, kind: memoryValue(1 << 20),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.maxBulk })},
	{name: "client-output-buffer-limit", words: true, kind: outputLimitsValue,
		value: "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
		merge: mergeOutputLimits, apply: (*Config).applyOutputLimits},
	{name: "busy-reply-threshold", alias: "lua-time-limit", value: "5000", kind: integerValue(0, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.busyAfter })},
	{name: "min-replicas-to-write", alias: "min-slaves-to-write", value: "0", kind: integerValue(0, maxInt32),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.replicas })},
	{name: "min-replicas-max-lag", alias: "min-slaves-max-lag", value: "10", kind: integerValue(0, maxInt32),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.replicaLag })},
	{name: "tracking-table-max-keys", value: "1000000", kinds: unsignedInteger, kind: integerValue(0, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.trackedKeys })},
	{name: "acl-pubsub-default", value: "resetchannels", kind: oneOfValue("allchannels", "resetchannels"),
		apply: func(c *Config, v string) { c.openChannels.Store(v == "allchannels") }},
	{name: "acllog-max-len", value: "128", kind: integerValue(0, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.aclLogLen })},
}

// monitoringParameters are about keyspace events, the slow log and latency.
var monitoringParameters = []parameter{
	{name: "notify-keyspace-events", kind: eventsBefore82, kinds: []otherKind{becomes("8.2", eventsValue)},
		show:  displayEvents,
		apply: func(c *Config, v string) { c.events.Store(parseEvents(v)) }},
	{name: "slowlog-max-len", newer: &name{"valkey-8.1", "commandlog-slow-execution-max-len"}, value: "128",
		kind:  integerValue(0, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.slowLogLen })},
	{name: "slowlog-log-slower-than", newer: &name{"valkey-8.1", "commandlog-execution-slower-than"}, value: "10000",
		kind:  integerValue(-1, maxInt),
		apply: func(c *Config, v string) { c.slowerThan.Store(number(v)); c.chooseTiming() }},
	{name: "commandlog-request-larger-than", since: "valkey-8.1", value: "1048576", kind: integerValue(-1, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.large[stats.LargeRequest].bytes })},
	{name: "commandlog-large-request-max-len", since: "valkey-8.1", value: "128", kind: integerValue(0, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.large[stats.LargeRequest].length })},
	{name: "commandlog-reply-larger-than", since: "valkey-8.1", value: "1048576", kind: integerValue(-1, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.large[stats.LargeReply].bytes })},
	{name: "commandlog-large-reply-max-len", since: "valkey-8.1", value: "128", kind: integerValue(0, maxInt),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.large[stats.LargeReply].length })},
	{name: "latency-monitor-threshold", value: "0", kind: integerValue(0, maxInt),
		apply: func(c *Config, v string) { c.latency.Store(number(v)); c.chooseTiming() }},
	{name: "latency-tracking", value: "no", kind: yesNoValue,
		apply: func(c *Config, v string) { c.histograms.Store(v == "yes"); c.chooseTiming() }},
}

// memoryParameters are those of maxmemory, of importing and of freeing. Config.Limits reads the first six; see
// Env.ApplyLimits. The others have no effect: values are always removed at once, and the garbage collector frees them.
var memoryParameters = []parameter{
	{name: "maxmemory", value: "0", kinds: unsignedMemory, kind: unsignedMemoryValue},
	{name: "maxmemory-policy", value: "noeviction", kind: oneOfValue("volatile-lru", "volatile-lfu", "volatile-random",
		"volatile-ttl", "allkeys-lru", "allkeys-lfu", "allkeys-random", "noeviction")},
	{name: "maxmemory-samples", value: "5", kinds: []otherKind{becomes("7.2", integerValue(1, 64))},
		kind: integerValue(1, maxInt32)},
	{name: "lfu-log-factor", value: "10", kind: integerValue(0, maxInt32)},
	{name: "lfu-decay-time", value: "1", kind: integerValue(0, maxInt32)},
	{name: "import-mode", since: "valkey-8.1", value: "no", kind: yesNoValue},

	{name: "maxmemory-eviction-tenacity", value: "10", kind: integerValue(0, 100)},
	{name: "lazyfree-lazy-eviction", value: "no", other: lazyInValkey, kind: yesNoValue},
	{name: "lazyfree-lazy-expire", value: "no", other: lazyInValkey, kind: yesNoValue},
	{name: "lazyfree-lazy-server-del", value: "no", other: lazyInValkey, kind: yesNoValue},
	{name: "lazyfree-lazy-user-del", value: "no", other: lazyInValkey, kind: yesNoValue},
	{name: "lazyfree-lazy-user-flush", value: "no", other: lazyInValkey, kind: yesNoValue},
}

// lazyInValkey is the default of the parameters of freeing in Valkey.
var lazyInValkey = &otherDefault{"valkey-8.0", "yes"}

// encodingParameters are the sizes at which values change their encoding. They apply to values that are written from
// then on; CONFIG SET converts none.
var encodingParameters = []parameter{
	{name: "hash-max-listpack-entries", alias: "hash-max-ziplist-entries", value: "512",
		kinds: unsignedInteger, kind: integerValue(0, maxInt),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.HashEntries })},
	{name: "hash-max-listpack-value", alias: "hash-max-ziplist-value", value: "64",
		kinds: unsignedMemory, kind: memoryValue(0),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.HashValue })},
	{name: "hll-sparse-max-bytes", value: "3000", kinds: unsignedMemory, kind: memoryValue(0),
		apply: setField(func(c *Config) *atomic.Int64 { return &c.maxSparse })},
	{name: "list-compress-depth", value: "0", kind: integerValue(0, maxInt32)},
	{name: "list-max-listpack-size", alias: "list-max-ziplist-size", value: "-2",
		kind:  integerValue(minInt32, maxInt32),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.ListSize })},
	{name: "set-max-intset-entries", value: "512", kinds: unsignedInteger, kind: integerValue(0, maxInt),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.SetInts })},
	{name: "set-max-listpack-entries", since: "7.2", value: "128", kinds: unsignedInteger, kind: integerValue(0, maxInt),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.SetEntries })},
	{name: "set-max-listpack-value", since: "7.2", value: "64", kinds: unsignedInteger, kind: integerValue(0, maxInt),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.SetValue })},
	{name: "stream-node-max-bytes", value: "4096", kinds: unsignedMemory, kind: memoryValue(0),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.StreamBytes })},
	{name: "stream-node-max-entries", value: "100", kind: integerValue(0, maxInt),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.StreamEntries })},
	{name: "zset-max-listpack-entries", alias: "zset-max-ziplist-entries", value: "128",
		kinds: unsignedInteger, kind: integerValue(0, maxInt),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.ZSetEntries })},
	{name: "zset-max-listpack-value", alias: "zset-max-ziplist-value", value: "64",
		kinds: unsignedMemory, kind: memoryValue(0),
		apply: setThreshold(func(t *store.Thresholds) *atomic.Int64 { return &t.ZSetValue })},
}

// fixedParameters are those that the server was started with, and those of features whose absence must not go
// unnoticed, such as appendonly: setting them is an error.
var fixedParameters = []parameter{
	{name: "bind", value: "127.0.0.1", mutable: pinned, words: true, reason: ErrPlace},
	{name: "port", value: "0", mutable: pinned, kind: integerValue(0, 65535), reason: ErrPort},
	{name: "maxmemory-clients", value: "0", mutable: pinned, kind: memoryOrPercentValue, reason: errEvictClients,
		always: true},
	{name: "appendonly", value: "no", mutable: pinned, kind: yesNoValue, reason: errAppendOnly, always: true},

	{name: "cluster-enabled", value: "no", mutable: immutable, kind: yesNoValue,
		reason: errCluster, always: true},
	{name: "aclfile", mutable: immutable, reason: errACLFile, always: true},
	{name: "daemonize", value: "no", mutable: immutable, kind: yesNoValue, process: true,
		reason: errDaemonize, always: true},

	{name: "emulate", value: emulate.Default, mutable: immutable, kind: oneOfValue(emulate.Names()...), hidden: true},
	{name: "databases", value: "16", mutable: immutable, kind: integerValue(1, MaxDatabases)},
	{name: "io-threads", value: "1", mutable: immutable, settableIn: "valkey-9.0", kind: integerValue(1, 128),
		kinds: []otherKind{becomes("valkey-8.1", integerValue(1, 256))},
		apply: setField(func(c *Config) *atomic.Int64 { return &c.ioThreads })},
	{name: "enable-debug-command", value: "yes", mutable: immutable, kind: oneOfValue("no", "yes", "local")},
	{name: "unixsocket", mutable: immutable},
	{name: "unixsocketgroup", since: "valkey-8.1", mutable: immutable},
	{name: "unixsocketperm", value: "0", mutable: immutable, kind: octalValue(0o777)},
}

// otherDefault is the default in some servers.
type otherDefault struct{ since, value string }

// otherKind is the kind in some servers. It may be made of the kind before.
type otherKind struct {
	since string
	kind  func(before kind) kind
}

// becomes returns the kind for a server that has another one altogether.
func becomes(since string, k kind) otherKind { return otherKind{since, func(kind) kind { return k }} }

// name is a name in some servers.
type name struct{ since, name string }

// parameterSet is the parameters that a server has. It does not change.
type parameterSet struct {
	rows  []parameter
	index map[string]*parameter // by name and alias
	names []string              // and aliases, sorted, for CONFIG GET with a pattern
}

// parameterSets are the sets that parametersOf has made, by server.
var parameterSets sync.Map

// parametersOf returns the parameters that a server has. Servers of the process that emulate the same one share them.
func parametersOf(s *emulate.Server) *parameterSet {
	build, _ := parameterSets.LoadOrStore(s, sync.OnceValue(func() *parameterSet { return newParameterSet(s) }))
	return build.(func() *parameterSet)()
}

func newParameterSet(s *emulate.Server) *parameterSet {
	set := &parameterSet{index: make(map[string]*parameter)}
	for i, p := range slices.Concat(meaningfulParameters, ignoredParameters) {
		if !s.Has(p.since) {
			continue
		}
		p.ignored = i >= len(meaningfulParameters)
		p.becomeThatOf(s)
		set.rows = append(set.rows, p)
	}
	for i := range set.rows {
		p := &set.rows[i]
		for _, name := range []string{p.name, p.alias} {
			if name != "" {
				set.index[name] = p
				set.names = append(set.names, name)
			}
		}
	}
	slices.Sort(set.names)
	return set
}

// becomeThatOf makes the row that of one server.
func (p *parameter) becomeThatOf(s *emulate.Server) {
	if p.other != nil && s.Has(p.other.since) {
		p.value = p.other.value
	}
	if p.newer != nil && s.Has(p.newer.since) {
		p.name, p.alias = p.newer.name, p.name
	}
	for _, k := range p.kinds {
		if s.Has(k.since) {
			p.kind = k.kind(p.kind)
		}
	}
	if p.settableIn != "" && s.Has(p.settableIn) {
		p.mutable = settable
	}
	p.hidden = p.hidden || p.hiding != "" && s.Has(p.hiding)
}

// named returns the parameter with a name or alias, in any letter case; nil if there is none.
func (s *parameterSet) named(name string) *parameter { return s.index[strings.ToLower(name)] }

// setField returns an apply function that stores an integer in a field of Config.
func setField(field func(*Config) *atomic.Int64) func(*Config, string) {
	return func(c *Config, value string) { field(c).Store(number(value)) }
}

// setThreshold returns an apply function that stores an integer in a threshold of the store.
func setThreshold(threshold func(*store.Thresholds) *atomic.Int64) func(*Config, string) {
	return func(c *Config, value string) { threshold(c.thresholds).Store(number(value)) }
}

// number parses a value that integerValue or memoryValue has checked.
func number(canonical string) int64 {
	n, _ := strconv.ParseInt(canonical, 10, 64)
	return n
}
