package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/redisconf"
)

// Template returns what new users are made of. It reads acl-pubsub-default each time that a user is made or reset.
func (c *Config) Template() acl.Template {
	return acl.Template{Commands: c.commands, OpenChannels: c.openChannels.Load}
}

var errUserTwice = errors.New("Duplicate user found. A user can only be defined once in config files")

// Users returns the users that redis.conf declares, in the order of its lines. The caller must not change them.
func (c *Config) Users() []acl.Declared { return c.users }

// StartUsers returns the users of a server that starts with these parameters.
func (c *Config) StartUsers() *acl.Users {
	users := acl.NewUsers(c.Template())
	users.SetPassword(c.Password())
	users.Add(c.Users())
	return users
}

// loadUser checks a line "user name rule …" of redis.conf and keeps it until the server starts. The error is what
// Redis prints below the line.
func (c *Config) loadUser(args []string) error {
	if len(args) == 0 {
		return redisconf.ErrDirective
	}
	name := args[0]
	user, err := c.Template().Declare(name, args[1:])
	if slices.ContainsFunc(c.users, func(u acl.Declared) bool { return u.Name == name }) {
		err = errUserTwice
	}
	if err != nil {
		return fmt.Errorf("Error in user declaration '%s': %s", name, strings.TrimPrefix(err.Error(), "ERR "))
	}
	c.users = append(c.users, user)
	return nil
}
