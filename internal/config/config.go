package config

import (
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// Config holds the parameters that CONFIG GET shows. It is safe for concurrent use. The values are texts, in the form
// of CONFIG GET. What every command or every write needs is also kept as a number or flag that costs one atomic load;
// parameter.apply sets it whenever the text changes.
type Config struct {
	mu     lockrank.Mutex[lockrank.Config] // guards values, and writes of the atomic fields
	values map[string]string               // by name; a parameter that is missing has its default
	params *parameterSet

	saveLoaded bool           // Load has got a line of save
	keepsFile  bool           // see KeepFile
	users      []acl.Declared // of redis.conf; not changed once the server has started
	commands   *acl.Commands
	file       string         // the path of redis.conf; see SetFile
	logLevel   *slog.LevelVar // set to loglevel, if it is not nil
	applyTLS   func(TLS, bool) error

	protectedMode atomic.Bool // protected-mode

	password   atomic.Pointer[string]
	events     atomic.Uint32 // notify-keyspace-events as bits; see Events
	maxClients atomic.Int64
	ioThreads  atomic.Int64
	timeout    atomic.Int64 // in seconds, 0 for none
	maxBulk    atomic.Int64 // proto-max-bulk-len
	outputs    atomic.Pointer[outputLimits]
	busyAfter  atomic.Int64 // busy-reply-threshold in ms
	slowerThan atomic.Int64 // slowlog-log-slower-than in µs, -1 for never
	slowLogLen atomic.Int64 // slowlog-max-len
	large      [stats.LargeKinds]struct{ bytes, length atomic.Int64 }
	maxSparse  atomic.Int64 // hll-sparse-max-bytes
	thresholds *store.Thresholds

	replicas     atomic.Int64 // min-replicas-to-write
	backlog      atomic.Int64 // repl-backlog-size
	replicaLag   atomic.Int64 // min-replicas-max-lag in seconds; 0 means that no replicas are required
	aclLogLen    atomic.Int64 // acllog-max-len
	latency      atomic.Int64 // latency-monitor-threshold in ms, 0 for none
	trackedKeys  atomic.Int64 // tracking-table-max-keys
	histograms   atomic.Bool  // latency-tracking
	timing       atomic.Int32 // a Timing
	openChannels atomic.Bool  // acl-pubsub-default
}

// New returns the default settings of a server. The ACL rules of declared users are checked against the given commands.
// No other goroutine knows the Config yet, so the defaults are applied without the lock.
func New(s *emulate.Server, commands *acl.Commands) *Config {
	c := &Config{params: parametersOf(s), commands: commands, values: make(map[string]string),
		thresholds: store.NewThresholds()}
	for i := range c.params.rows {
		if p := &c.params.rows[i]; p.apply != nil {
			p.apply(c, p.value)
		}
	}
	c.values["emulate"] = s.Name
	return c
}

// Password returns requirepass; empty means that clients need none.
func (c *Config) Password() string { return *c.password.Load() }

// File returns the path that SetFile has set; "" if there is none.
func (c *Config) File() string { return c.file }

// SetFile sets the path of redis.conf, which INFO shows. It is called before the server starts.
func (c *Config) SetFile(name string) { c.file = name }

// ProtectedMode reports whether clients of other machines are rejected while the default user needs no password
// (protected-mode).
func (c *Config) ProtectedMode() bool { return c.protectedMode.Load() }

// MaxClients returns the number of connections that may be open at a time (maxclients).
func (c *Config) MaxClients() int64 { return c.maxClients.Load() }

// IOThreads returns the smallest number of threads that serve connections (io-threads).
func (c *Config) IOThreads() int64 { return c.ioThreads.Load() }

// Timeout returns after how many idle seconds a client is closed (timeout); 0 is never.
func (c *Config) Timeout() int64 { return c.timeout.Load() }

// MaxBulk returns the length in bytes of the longest argument and the longest string (proto-max-bulk-len).
func (c *Config) MaxBulk() int64 { return c.maxBulk.Load() }

// BusyAfter returns how long a script may run before other clients get BUSY (busy-reply-threshold). Larger values than
// a time.Duration holds are cut to it.
func (c *Config) BusyAfter() time.Duration {
	return time.Duration(min(c.busyAfter.Load(), math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
}

// Thresholds returns the sizes at which values change their encoding (hash-max-listpack-entries and the like).
func (c *Config) Thresholds() *store.Thresholds { return c.thresholds }

// Events returns notify-keyspace-events as bits: those of store.EventClass, and Keyspace and Keyevent.
func (c *Config) Events() uint32 { return c.events.Load() }

// SlowerThan returns the shortest duration for the slow log, in µs (slowlog-log-slower-than); -1 logs no call.
func (c *Config) SlowerThan() int64 { return c.slowerThan.Load() }

// SlowLogLen returns the number of entries that the slow log keeps (slowlog-max-len).
func (c *Config) SlowLogLen() int64 { return c.slowLogLen.Load() }

// LargeLimit says which calls of a kind COMMANDLOG keeps: those of at least so many bytes, none for -1, and so many.
type LargeLimit struct{ Bytes, Length int64 }

// LargeCalls returns the limit for a kind of call (commandlog-request-larger-than and the like).
func (c *Config) LargeCalls(kind stats.Large) LargeLimit {
	l := &c.large[kind]
	return LargeLimit{l.bytes.Load(), l.length.Load()}
}

// LatencyThreshold returns the shortest duration in ms for the latency monitor (latency-monitor-threshold); 0 turns it
// off.
func (c *Config) LatencyThreshold() int64 { return c.latency.Load() }

// Histograms reports whether the durations of calls are counted by command (latency-tracking).
func (c *Config) Histograms() bool { return c.histograms.Load() }

// MaxSparse returns the length in bytes above which a sparse HLL becomes dense (hll-sparse-max-bytes).
func (c *Config) MaxSparse() int64 { return c.maxSparse.Load() }

// TrackedKeys returns the number of keys that the tracking table holds (tracking-table-max-keys); 0 is no limit.
func (c *Config) TrackedKeys() int64 { return c.trackedKeys.Load() }

// ACLLogLen returns the number of entries that ACL LOG keeps (acllog-max-len).
func (c *Config) ACLLogLen() int64 { return c.aclLogLen.Load() }

// NeedsReplicas reports whether a master rejects writes while it has too few replicas (min-replicas-to-write).
func (c *Config) NeedsReplicas() bool { return c.replicas.Load() > 0 && c.replicaLag.Load() > 0 }

// BacklogSize returns repl-backlog-size in bytes.
func (c *Config) BacklogSize() int64 { return c.backlog.Load() }

// MinReplicas returns min-replicas-to-write.
func (c *Config) MinReplicas() int64 { return c.replicas.Load() }

// MaxReplicaLag returns min-replicas-max-lag in seconds.
func (c *Config) MaxReplicaLag() int64 { return c.replicaLag.Load() }

// Limits returns the parameters about memory as one consistent set, for the store.
func (c *Config) Limits() store.Limits {
	c.mu.Lock()
	defer c.mu.Unlock()
	return store.Limits{
		Memory:       number(c.valueByNameLocked("maxmemory")),
		Policy:       store.PolicyNamed(c.valueByNameLocked("maxmemory-policy")),
		Samples:      int(number(c.valueByNameLocked("maxmemory-samples"))),
		LFULogFactor: int(number(c.valueByNameLocked("lfu-log-factor"))),
		LFUDecay:     int(number(c.valueByNameLocked("lfu-decay-time"))),
		Importing:    c.isLocked("import-mode", "yes"),
	}
}

// SetFixed sets what only the server knows, such as the port, whether or not CONFIG SET may change it. It does not
// check the value, and panics if there is no such parameter.
func (c *Config) SetFixed(name, value string) {
	p := c.params.named(name)
	if p == nil {
		panic(fmt.Sprintf("config: no parameter %q", name))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.storeLocked(p, value)
}

// valueLocked returns the value of a parameter, or its default.
func (c *Config) valueLocked(p *parameter) string {
	if value, ok := c.values[p.name]; ok {
		return value
	}
	return p.value
}

// valueByNameLocked is valueLocked by name. There must be such a parameter.
func (c *Config) valueByNameLocked(name string) string { return c.valueLocked(c.params.named(name)) }

// Get returns a parameter as CONFIG GET shows it. It panics if there is no such parameter.
func (c *Config) Get(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.params.named(name)
	return p.display(c.valueLocked(p))
}

// is reports whether the emulated server has a parameter and that is set to value.
func (c *Config) is(name, value string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isLocked(name, value)
}

func (c *Config) isLocked(name, value string) bool {
	p := c.params.named(name)
	return p != nil && c.valueLocked(p) == value
}

// storeLocked sets a parameter to a checked value, and applies it.
func (c *Config) storeLocked(p *parameter, value string) {
	c.values[p.name] = value
	if p.apply != nil {
		p.apply(c, value)
	}
}

// Setting is one pair of CONFIG SET.
type Setting struct {
	Name    string // as the client wrote it; Set converts it to lower case
	Value   string
	param   *parameter
	changed bool // the value differs from the one before
}

// Changes reports whether Set has given the parameter of that name another value by this setting. Setting it to the
// value that it has is no change.
func (s *Setting) Changes(name string) bool { return s.changed && s.param.name == name }

// Set sets all the parameters, or none, and returns a function that sets them back. The error is the reply of CONFIG
// SET. As in Redis all names are checked before any value.
func (c *Config) Set(settings []Setting) (undo func(), err error) {
	seen := make(map[string]bool, len(settings))
	for i := range settings {
		s := &settings[i]
		name := strings.ToLower(s.Name)
		switch s.param = c.params.named(name); {
		case s.param == nil:
			return nil, words.Errorf("ERR Unknown option or number of arguments for CONFIG SET - '%s'", s.Name)
		case s.param.mutable == immutable:
			return nil, s.fail(errImmutable)
		case s.param.mutable == protected:
			return nil, s.fail(errProtected)
		case seen[name]:
			return nil, s.fail(errDuplicate)
		}
		seen[name] = true
	}
	for i := range settings { // the later errors quote the name in lower case, as in Redis
		settings[i].Name = strings.ToLower(settings[i].Name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkAllLocked(settings); err != nil {
		return nil, err
	}
	return c.restore(c.swapAllLocked(settings)), nil
}

// restore returns a function that sets parameters back to the values before Set, for a transaction that restarts.
func (c *Config) restore(before []Setting) func() {
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.swapAllLocked(before)
		c.restoreTLSLocked(before)
	}
}

// checkAllLocked checks the values and converts them to the form of CONFIG GET. Only when all are valid does it look
// for a pinned parameter or a value that can't be applied, as Redis first parses all values and then applies them.
func (c *Config) checkAllLocked(settings []Setting) (err error) {
	for i := range settings {
		s := &settings[i]
		if s.Value, err = s.param.check(s.Value, c.valueLocked(s.param)); err != nil {
			return s.fail(err)
		}
	}
	for i := range settings {
		s := &settings[i]
		if s.param.mutable == pinned && s.Value != c.valueLocked(s.param) {
			return s.fail(s.param.reason)
		}
		if s.param.late != nil {
			if _, err := s.param.late(s.Value); err != nil {
				return s.fail(err)
			}
		}
	}
	return c.updateTLSLocked(settings)
}

// swapAllLocked sets checked values and returns the former ones. All of these are read before the first is set, since
// a parameter may be among the settings twice, by its name and by its alias.
func (c *Config) swapAllLocked(settings []Setting) (before []Setting) {
	for i := range settings {
		s := &settings[i]
		was := c.valueLocked(s.param)
		s.changed = s.Value != was
		before = append(before, Setting{Name: s.Name, Value: was, param: s.param})
	}
	for _, s := range settings {
		c.storeLocked(s.param, s.Value)
	}
	return before
}

// fail returns the error for a setting, in the words of Redis.
func (s *Setting) fail(err error) error {
	return fmt.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - %w", s.Name, err)
}

// Match returns the parameters for CONFIG GET: the name and the value of each one, aliases included, whose name
// matches one of the patterns, in any letter case. A name is returned once, however many patterns match it. A pattern
// without a wildcard is a name, and is returned as the client wrote it.
func (c *Config) Match(patterns []string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []string
	seen := make(map[string]bool)
	add := func(name string, p *parameter) {
		if !seen[strings.ToLower(name)] {
			seen[strings.ToLower(name)] = true
			found = append(found, name, p.display(c.valueLocked(p)))
		}
	}
	for _, pattern := range patterns {
		if !strings.ContainsAny(pattern, "[*?") {
			if p := c.params.named(pattern); p != nil {
				add(pattern, p)
			}
			continue
		}
		for _, name := range c.params.names {
			if !c.params.named(name).hidden && glob.Match(strings.ToLower(pattern), name) {
				add(name, c.params.named(name))
			}
		}
	}
	return found
}

// check checks a value and converts it to the form of CONFIG GET. now is the present value, for parameters whose
// values are merged into it.
func (p *parameter) check(value, now string) (canonical string, err error) {
	if p.kind == nil {
		return words.UntilNUL(value), nil
	}
	value, err = p.kind(value)
	if err == nil && p.merge != nil {
		value = p.merge(now, value)
	}
	return value, err
}

// display returns the value as CONFIG GET prints it.
func (p *parameter) display(value string) string {
	if p.show == nil {
		return value
	}
	return p.show(value)
}
