package command

import (
	"errors"
	"strings"
)

var (
	errConfigDirective = errors.New("Bad directive or wrong number of arguments")
	errConfigWords     = errors.New("wrong number of arguments")
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
var severalWords = map[string]bool{
	"bind": true, "client-output-buffer-limit": true, "oom-score-adj-values": true, "replicaof": true, "save": true,
}

// onlyShown are parameters that are taken at the start and have no further meaning.
var onlyShown = map[string]bool{"dir": true, "dbfilename": true, "rdbcompression": true, "syslog-enabled": true, "unixsocketperm": true,
	"aclfile": true}

// Load sets a parameter as a line of redis.conf does, before the server starts: those that CONFIG SET may not change as well. The
// error is what Redis says below the line.
func (c *Config) Load(name string, args ...string) error {
	if err := unsupportedDirectives[strings.ToLower(name)]; err != nil {
		return err
	}
	p := parameterNamed(name)
	switch {
	case p == nil && !onlyShown[strings.ToLower(name)]:
		return errConfigDirective
	case p != nil:
		name = p.name
	}
	if len(args) == 0 || len(args) > 1 && !severalWords[name] {
		return errConfigWords
	}
	value := strings.Join(args, " ")
	if p == nil {
		return refuseAtStart(name, value)
	}
	return c.load(p, value)
}

func (c *Config) load(p *parameter, value string) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.kind != nil {
		if value, err = p.check(value, c.values[p.name]); err != nil {
			return err
		}
	}
	if err := refuseAtStart(p.name, value); err != nil {
		return err
	}
	c.store(p, value)
	return nil
}

func refuseAtStart(name, value string) error {
	if refused, found := refusedAtStart[name]; found && !strings.EqualFold(value, refused.allowed) {
		return refused.reason
	}
	return nil
}
