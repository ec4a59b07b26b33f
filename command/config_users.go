package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/redisconf"
)

// template is what users are made of.
func (c *Config) template() acl.Template {
	return acl.Template{Commands: c.commands, OpenChannels: c.openChannels.Load}
}

var errUserTwice = errors.New("Duplicate user found. A user can only be defined once in config files")

// loadUser keeps a user for when the server starts. The error is what Redis says below the line.
func (c *Config) loadUser(args []string) error {
	if len(args) == 0 {
		return redisconf.ErrDirective
	}
	name := args[0]
	user, err := c.template().Declare(name, args[1:])
	if slices.ContainsFunc(c.users, func(u acl.Declared) bool { return u.Name == name }) {
		err = errUserTwice
	}
	if err != nil {
		return fmt.Errorf("Error in user declaration '%s': %s", name, strings.TrimPrefix(err.Error(), "ERR "))
	}
	c.users = append(c.users, user)
	return nil
}
