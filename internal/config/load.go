package config

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/internal/redisconf"
)

// unsupportedDirectives are lines of redis.conf that are not parameters, and that this server can't do.
var unsupportedDirectives = map[string]error{
	"loadmodule":     errors.New("minilockd loads no modules"),
	"rename-command": errors.New("minilockd can't rename commands"),
	"sentinel":       errors.New("minilockd has no Sentinel mode"),
}

// Load sets a parameter as a line of redis.conf does, before the server starts, whether or not CONFIG SET may change
// it. The error is what Redis prints below the line. As in Redis, further lines of save add to the first, and a line
// "user" declares an ACL user.
func (c *Config) Load(name string, args ...string) error {
	name = strings.ToLower(name)
	if err := unsupportedDirectives[name]; err != nil && len(args) > 0 {
		return err
	}
	if name == "user" {
		return c.loadUser(args)
	}
	p := c.params.named(name)
	if p == nil {
		return redisconf.ErrDirective
	}
	if len(args) == 0 || len(args) > 1 && !p.words {
		return errWords
	}
	return c.load(p, strings.Join(args, " "))
}

// load checks a value and sets it. Lines of save are joined; one without pairs, and the first of the file, replace
// what was there.
func (c *Config) load(p *parameter, value string) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if value, err = p.check(value, c.valueLocked(p)); err != nil {
		return err
	}
	if p.late != nil && value != p.value {
		if _, err = p.late(value); err != nil {
			return err
		}
	}
	if p.name == "save" && value != "" && c.saveLoaded {
		value = strings.TrimLeft(c.valueLocked(p)+" "+value, " ")
	}
	c.saveLoaded = c.saveLoaded || p.name == "save"
	c.storeLocked(p, value)
	return nil
}

// StartError returns why a server can't start with the value that a parameter was loaded with, nil if it can. Only the
// last value counts: an earlier line of the file may have set another.
func (c *Config) StartError(name string) error {
	p := c.params.named(name)
	if p == nil || !p.always {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.valueLocked(p) == p.value {
		return nil
	}
	return p.reason
}

// Ignored reports whether the parameter has no effect, neither in the server nor in the program that runs it.
func (c *Config) Ignored(name string) bool {
	p := c.params.named(name)
	return p != nil && p.ignored && !p.process
}
