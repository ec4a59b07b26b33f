package config

import (
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// Config holds the parameters that CONFIG GET shows. It is safe for concurrent use. What every command or every change
// asks for is kept in a form that costs one load.
type Config struct {
	mu     lockrank.Mutex[lockrank.Config] // guards values, and the order in which the fields below follow them
	values map[string]string               // by the parameter's name; what is missing has its default

	saveLoaded bool           // Load has met a line of save
	users      []acl.Declared // of redis.conf; not changed once the server has started
	commands   *acl.Commands
	file       string         // that the parameters were loaded from; see SetFile
	logLevel   *slog.LevelVar // follows loglevel, if it is not nil

	protectedMode atomic.Bool // protected-mode

	password   atomic.Pointer[string]
	events     atomic.Uint32 // what notify-keyspace-events asks for
	maxClients atomic.Int64
	ioThreads  atomic.Int64
	timeout    atomic.Int64 // in seconds, 0 for none
	maxBulk    atomic.Int64 // proto-max-bulk-len
	outputs    atomic.Pointer[outputLimits]
	busyAfter  atomic.Int64 // busy-reply-threshold in ms
	slowerThan atomic.Int64 // slowlog-log-slower-than in µs, -1 for never
	slowLogLen atomic.Int64 // slowlog-max-len
	maxSparse  atomic.Int64 // hll-sparse-max-bytes
	thresholds *store.Thresholds

	replicas     atomic.Int64 // min-replicas-to-write
	replicaLag   atomic.Int64 // min-replicas-max-lag in seconds; 0 counts as no replicas asked for
	aclLogLen    atomic.Int64 // acllog-max-len
	latency      atomic.Int64 // latency-monitor-threshold in ms, 0 for none
	trackedKeys  atomic.Int64 // tracking-table-max-keys
	histograms   atomic.Bool  // latency-tracking
	timing       atomic.Int32 // a Timing
	openChannels atomic.Bool  // acl-pubsub-default
}

// New returns the default settings. The rules of users are about the given commands.
func New(commands *acl.Commands) *Config {
	c := &Config{commands: commands, values: make(map[string]string), thresholds: store.NewThresholds()}
	for i := range parameters {
		if p := &parameters[i]; p.apply != nil {
			p.apply(c, p.value)
		}
	}
	return c
}

// Password is what AUTH must give (requirepass); empty means that none is asked for.
func (c *Config) Password() string { return *c.password.Load() }

// File names the file that the parameters were loaded from; "" if there is none.
func (c *Config) File() string { return c.file }

// SetFile names the file that the parameters were loaded from, which INFO shows. It is called before the server starts.
func (c *Config) SetFile(name string) { c.file = name }

// ProtectedMode reports whether clients of other machines are turned away while the default user needs no password
// (protected-mode).
func (c *Config) ProtectedMode() bool { return c.protectedMode.Load() }

// MaxClients is how many connections the server accepts at a time (maxclients).
func (c *Config) MaxClients() int64 { return c.maxClients.Load() }

// IOThreads is how many threads serve connections at least (io-threads).
func (c *Config) IOThreads() int64 { return c.ioThreads.Load() }

// Timeout is after how many idle seconds a client is closed (timeout); 0 is never.
func (c *Config) Timeout() int64 { return c.timeout.Load() }

// MaxBulk is the longest word of a request and the longest string, in bytes (proto-max-bulk-len).
func (c *Config) MaxBulk() int64 { return c.maxBulk.Load() }

// BusyAfter is how long a script may run before other clients are refused (busy-reply-threshold).
func (c *Config) BusyAfter() time.Duration {
	return time.Duration(min(c.busyAfter.Load(), math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
}

// Thresholds are the sizes at which values change their encoding (hash-max-listpack-entries and the like).
func (c *Config) Thresholds() *store.Thresholds { return c.thresholds }

// Events is the set of event classes and channels that notify-keyspace-events asks for: store.EventClass, and Keyspace
// and Keyevent.
func (c *Config) Events() uint32 { return c.events.Load() }

// SlowerThan is how long a call must take to enter the slow log, in µs (slowlog-log-slower-than); -1 is none.
func (c *Config) SlowerThan() int64 { return c.slowerThan.Load() }

// SlowLogLen is how many entries the slow log keeps (slowlog-max-len).
func (c *Config) SlowLogLen() int64 { return c.slowLogLen.Load() }

// LatencyThreshold is from how many milliseconds on the latency monitor keeps an event (latency-monitor-threshold); 0
// is none.
func (c *Config) LatencyThreshold() int64 { return c.latency.Load() }

// Histograms reports whether the durations of calls are counted by command (latency-tracking).
func (c *Config) Histograms() bool { return c.histograms.Load() }

// MaxSparse is the longest sparse HyperLogLog, in bytes (hll-sparse-max-bytes).
func (c *Config) MaxSparse() int64 { return c.maxSparse.Load() }

// TrackedKeys is how many keys the tracking table holds (tracking-table-max-keys); 0 is no limit.
func (c *Config) TrackedKeys() int64 { return c.trackedKeys.Load() }

// ACLLogLen is how many refusals ACL LOG keeps (acllog-max-len).
func (c *Config) ACLLogLen() int64 { return c.aclLogLen.Load() }

// LacksReplicas reports whether replicas are asked for, which there are none of: then nothing may be written.
func (c *Config) LacksReplicas() bool { return c.replicas.Load() > 0 && c.replicaLag.Load() > 0 }

// Limits are what the parameters say about memory.
func (c *Config) Limits() store.Limits {
	c.mu.Lock()
	defer c.mu.Unlock()
	return store.Limits{
		Memory:       number(c.valueOfLocked("maxmemory")),
		Policy:       store.PolicyNamed(c.valueOfLocked("maxmemory-policy")),
		Samples:      int(number(c.valueOfLocked("maxmemory-samples"))),
		LFULogFactor: int(number(c.valueOfLocked("lfu-log-factor"))),
		LFUDecay:     int(number(c.valueOfLocked("lfu-decay-time"))),
	}
}

// Fix sets what only the server knows, such as the port, also where CONFIG SET may not. It panics if there is no such
// parameter.
func (c *Config) Fix(name, value string) {
	p := parameterNamed(name)
	if p == nil {
		panic(fmt.Sprintf("config: no parameter %q", name))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.storeLocked(p, value)
}

// value is what a parameter is set to; the caller holds mu.
func (c *Config) valueLocked(p *parameter) string {
	if value, ok := c.values[p.name]; ok {
		return value
	}
	return p.value
}

func (c *Config) valueOfLocked(name string) string { return c.valueLocked(parameterNamed(name)) }

// Get is what CONFIG GET shows of a parameter. It panics if there is no such parameter.
func (c *Config) Get(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := parameterNamed(name)
	return p.display(c.valueLocked(p))
}

// store sets a parameter; the caller holds mu or is the only one who knows c.
func (c *Config) storeLocked(p *parameter, value string) {
	c.values[p.name] = value
	if p.apply != nil {
		p.apply(c, value)
	}
}

// Setting is one pair of CONFIG SET.
type Setting struct {
	Name  string // as the client wrote it; Set brings it into lower case
	Value string
	param *parameter
	moved bool // the value is another than before
}

// Changes reports whether Set has changed the parameter of that name by this setting.
func (s *Setting) Changes(name string) bool { return s.moved && s.param.name == name }

// Set sets all the parameters, or none, and returns a function that undoes it. The error is what CONFIG SET answers.
func (c *Config) Set(settings []Setting) (undo func(), err error) {
	seen := make(map[string]bool, len(settings))
	for i := range settings {
		s := &settings[i]
		name := strings.ToLower(s.Name)
		switch s.param = parameterNamed(name); {
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
	for i := range settings { // as Redis calls it from here on
		settings[i].Name = strings.ToLower(settings[i].Name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkAllLocked(settings); err != nil {
		return nil, err
	}
	return c.restore(c.swapAllLocked(settings)), nil
}

// restore returns a function that sets parameters back to what they were.
func (c *Config) restore(before []Setting) func() {
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.swapAllLocked(before)
	}
}

// checkAllLocked brings the values into the form that is shown, and then looks for those that can't be had here.
func (c *Config) checkAllLocked(settings []Setting) (err error) {
	for i := range settings {
		s := &settings[i]
		if s.Value, err = s.param.check(s.Value, c.valueLocked(s.param)); err != nil {
			return s.fail(err)
		}
	}
	for i := range settings {
		if s := &settings[i]; s.param.mutable == pinned && s.Value != c.valueLocked(s.param) {
			return s.fail(s.param.reason)
		}
	}
	return nil
}

// swapAllLocked sets checked values and returns those that were there before the first: a parameter may be among them
// by its name and again by its alias.
func (c *Config) swapAllLocked(settings []Setting) (before []Setting) {
	for i := range settings {
		s := &settings[i]
		was := c.valueLocked(s.param)
		s.moved = s.Value != was
		before = append(before, Setting{Name: s.Name, Value: was, param: s.param})
	}
	for _, s := range settings {
		c.storeLocked(s.param, s.Value)
	}
	return before
}

func (s *Setting) fail(err error) error {
	return fmt.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - %w", s.Name, err)
}

// Match lists the parameters, aliases included, whose names match one of the patterns: name and value in turn, each
// once. A pattern without a wildcard is a name, and is given back as the client wrote it.
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
			if p := parameterNamed(pattern); p != nil {
				add(pattern, p)
			}
			continue
		}
		for _, name := range parameterNames {
			if !parameterNamed(name).hidden && glob.Match(strings.ToLower(pattern), name) {
				add(name, parameterNamed(name))
			}
		}
	}
	return found
}

// check brings a value for the parameter into the form that is shown. Now is the one that it has.
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

func (p *parameter) display(value string) string {
	if p.show == nil {
		return value
	}
	return p.show(value)
}
