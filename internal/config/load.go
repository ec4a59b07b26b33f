package config

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/internal/redisconf"
)

// unsupportedDirectives are lines of redis.conf that are no parameters, and can't be honoured.
var unsupportedDirectives = map[string]error{
	"loadmodule":     errors.New("minilockd loads no modules"),
	"rename-command": errors.New("minilockd can't rename commands"),
	"sentinel":       errors.New("minilockd has no Sentinel mode"),
}

// Load sets a parameter as a line of redis.conf does, before the server starts: those that CONFIG SET may not change as
// well. The error is what Redis says below the line. Further lines of save add to the first.
func (c *Config) Load(name string, args ...string) error {
	name = strings.ToLower(name)
	if err := unsupportedDirectives[name]; err != nil && len(args) > 0 {
		return err
	}
	if name == "user" {
		return c.loadUser(args)
	}
	p := parameterNamed(name)
	if p == nil {
		return redisconf.ErrDirective
	}
	if len(args) == 0 || len(args) > 1 && !p.words {
		return errWords
	}
	return c.load(p, strings.Join(args, " "))
}

func (c *Config) load(p *parameter, value string) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if value, err = p.check(value, c.valueLocked(p)); err != nil {
		return err
	}
	if p.name == "save" && value != "" && c.saveLoaded {
		value = strings.TrimLeft(c.valueLocked(p)+" "+value, " ")
	}
	c.saveLoaded = c.saveLoaded || p.name == "save"
	c.storeLocked(p, value)
	return nil
}

// StartError says why a server can't start with what a parameter was loaded with, nil if it can. An earlier value,
// which a later line has replaced, does no harm.
func (c *Config) StartError(name string) error {
	p := parameterNamed(name)
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

// Ignored reports whether the parameter changes nothing here, neither in the server nor in the program that runs it.
func Ignored(name string) bool {
	p := parameterNamed(name)
	return p != nil && p.ignored && !p.process
}
