package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/redisconf"
)

// refusedAtStart says why a server can't start with some values. What is not here is taken, if only to be shown.
var refusedAtStart = map[string]struct {
	allowed string // the only value that can be had
	reason  error
}{
	"daemonize":       {"no", errors.New("minilockd stays in the foreground: it does not go to the background by itself")},
	"appendonly":      {"no", errors.New("minilockd keeps no files: there is no append only file")},
	"cluster-enabled": {"no", errors.New("minilockd has no cluster mode")},
	"tls-port":        {"0", errors.New("minilockd does not speak TLS")},
	"replicaof":       {"no one", errors.New("minilockd can't be a replica")},
	"aclfile":         {"", errors.New("minilockd reads no ACL file")},
}

// unsupportedDirectives are lines of redis.conf that are no parameters, and can't be honoured.
var unsupportedDirectives = map[string]error{
	"loadmodule":     errors.New("minilockd loads no modules"),
	"rename-command": errors.New("minilockd can't rename commands"),
	"sentinel":       errors.New("minilockd has no Sentinel mode"),
	"user":           errors.New("minilockd takes no users from its configuration: use ACL SETUSER"),
}

// severalWords are the parameters whose value is all words of their line.
var severalWords = nameSet("bind client-output-buffer-limit latency-tracking-info-percentiles oom-score-adj-values replicaof save")

func nameSet(list string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// Load sets a parameter as a line of redis.conf does, before the server starts: those that CONFIG SET may not change as well. The
// error is what Redis says below the line. Further lines of save add to the first.
func (c *Config) Load(name string, args ...string) error {
	name = strings.ToLower(name)
	if err := unsupportedDirectives[name]; err != nil && len(args) > 0 {
		return err
	}
	p := parameterNamed(name)
	if p == nil {
		return redisconf.ErrDirective
	}
	if len(args) == 0 || len(args) > 1 && !severalWords[p.name] {
		return errConfigWords
	}
	return c.load(p, strings.Join(args, " "))
}

func (c *Config) load(p *parameter, value string) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.kind != nil {
		if value, err = p.check(value, c.value(p)); err != nil {
			return err
		}
	}
	if p.name == "save" && value != "" && c.saveLoaded {
		value = strings.TrimLeft(c.value(p)+" "+value, " ")
	}
	c.saveLoaded = c.saveLoaded || p.name == "save"
	c.store(p, value)
	return nil
}

// StartError says why a server can't start with a value that Load has taken, nil if it can: for the last line of a name, since an
// earlier one has no effect.
func StartError(name string, args ...string) error {
	value := strings.Join(args, " ")
	if refused, found := refusedAtStart[canonicalName(name)]; found && !strings.EqualFold(value, refused.allowed) {
		return refused.reason
	}
	return nil
}

// Inert reports whether the parameter changes nothing here.
func Inert(name string) bool {
	name = canonicalName(name)
	return slices.ContainsFunc(inertParameters, func(p parameter) bool { return p.name == name })
}

// canonicalName is the name of a parameter that is called by it or by its alias.
func canonicalName(name string) string {
	if p := parameterNamed(name); p != nil {
		return p.name
	}
	return strings.ToLower(name)
}
