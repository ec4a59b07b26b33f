package command

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/store"
)

// Config holds the parameters that CONFIG GET shows. It is safe for concurrent use. What is asked for on the way of every
// command, or of every change, is kept in a form that costs one load.
type Config struct {
	mu     sync.Mutex        // guards values, and the order in which the fields below follow them
	values map[string]string // by the parameter's name; what is missing has its default

	password   atomic.Pointer[string]
	events     atomic.Uint32 // what notify-keyspace-events asks for
	maxClients atomic.Int64
	busyAfter  atomic.Int64 // busy-reply-threshold in ms
	slowerThan atomic.Int64 // slowlog-log-slower-than in µs, -1 for never
	slowLogLen atomic.Int64 // slowlog-max-len
	thresholds *store.Thresholds

	skipChecksum atomic.Bool // RESTORE takes any (DEBUG SET-SKIP-CHECKSUM-VALIDATION)
}

var (
	errConfigInteger   = errors.New("argument couldn't be parsed into an integer")
	errConfigMemory    = errors.New("argument must be a memory value")
	errConfigYesNo     = errors.New("argument must be 'yes' or 'no'")
	errConfigEvents    = errors.New("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.")
	errConfigImmutable = errors.New("can't set immutable config")
	errConfigDuplicate = errors.New("duplicate parameter")
)

// NewConfig returns the default settings.
func NewConfig() *Config {
	c := &Config{values: make(map[string]string), thresholds: store.NewThresholds()}
	for i := range parameters {
		c.store(&parameters[i], parameters[i].value)
	}
	return c
}

// Password is what AUTH must give (requirepass); empty means that none is asked for.
func (c *Config) Password() string { return *c.password.Load() }

// MaxClients is how many connections the server accepts at a time (maxclients).
func (c *Config) MaxClients() int64 { return c.maxClients.Load() }

// BusyAfter is how long a script may run before other clients are refused (busy-reply-threshold).
func (c *Config) BusyAfter() time.Duration {
	return time.Duration(min(c.busyAfter.Load(), math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
}

// Thresholds are the sizes at which values change their form (hash-max-listpack-entries and its kin).
func (c *Config) Thresholds() *store.Thresholds { return c.thresholds }

// streamNode is how large the chunks of streams may become.
func (c *Config) streamNode() store.NodeLimits {
	return store.NodeLimits{Bytes: c.thresholds.StreamBytes.Load(), Entries: c.thresholds.StreamEntries.Load()}
}

// timing reports whether the duration of calls is measured. It is not unless slowlog-log-slower-than asks for it: reading
// the clock twice takes longer than a GET.
func (c *Config) timing() bool { return c.slowerThan.Load() >= 0 }

// Fix sets what only the server knows, such as the port, also where CONFIG SET may not. It panics if there is no such
// parameter.
func (c *Config) Fix(name, value string) {
	p := parameterNamed(name)
	if p == nil {
		panic(fmt.Sprintf("command: no parameter %q", name))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.store(p, value)
}

// store sets a parameter; the caller holds mu or is the only one who knows c.
func (c *Config) store(p *parameter, value string) {
	c.values[p.name] = value
	if p.follow != nil {
		p.follow(c, value)
	}
}

// setting is one pair of CONFIG SET.
type setting struct {
	name  string // as the client wrote it
	value string
	param *parameter
}

// setAll sets all the parameters, or none. The error is what CONFIG SET answers.
func (c *Config) setAll(settings []setting) error {
	seen := make(map[string]bool, len(settings))
	for i := range settings {
		s := &settings[i]
		name := strings.ToLower(s.name)
		switch s.param = parameterNamed(name); {
		case s.param == nil:
			return fmt.Errorf("ERR Unknown option or number of arguments for CONFIG SET - '%s'", s.name)
		case s.param.mutable == immutable:
			return s.fail(errConfigImmutable)
		case seen[name]:
			return s.fail(errConfigDuplicate)
		}
		seen[name] = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.setAllLocked(settings)
}

func (c *Config) setAllLocked(settings []setting) error {
	for i := range settings {
		s := &settings[i]
		value, err := s.param.kind(s.value)
		switch {
		case err != nil:
			return s.fail(err)
		case s.param.mutable == pinned && value != c.values[s.param.name]:
			return s.fail(errConfigImmutable)
		}
		s.value = value
	}
	for _, s := range settings {
		c.store(s.param, s.value)
	}
	return nil
}

func (s *setting) fail(err error) error {
	return fmt.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - %w", s.name, err)
}

// match lists the parameters, aliases included, whose names match one of the patterns: name and value in turn, each once.
// A pattern without a star is a name, and is given back as the client wrote it.
func (c *Config) match(patterns []string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []string
	seen := make(map[string]bool)
	add := func(name string, p *parameter) {
		if !seen[strings.ToLower(name)] {
			seen[strings.ToLower(name)] = true
			found = append(found, name, c.values[p.name])
		}
	}
	for _, pattern := range patterns {
		if p := parameterNamed(pattern); p != nil {
			add(pattern, p)
			continue
		}
		for _, name := range parameterNames {
			if glob.Match(strings.ToLower(pattern), name) {
				add(name, parameterNamed(name))
			}
		}
	}
	return found
}
