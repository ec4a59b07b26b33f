package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/redisconf"
)

// declaredUser is a line of redis.conf: user, a name, and rules as ACL SETUSER takes them (Redis' ACL documentation).
type declaredUser struct {
	name  string
	rules []string
}

var errUserTwice = errors.New("Duplicate user found. A user can only be defined once in config files")

// loadUser keeps a user for when the server starts. The error is what Redis says below the line.
func (c *Config) loadUser(args []string) error {
	if len(args) == 0 {
		return redisconf.ErrDirective
	}
	user := declaredUser{name: args[0]}
	if err := c.checkUser(&user, args[1:]); err != nil {
		return fmt.Errorf("Error in user declaration '%s': %s", user.name, strings.TrimPrefix(err.Error(), "ERR "))
	}
	c.users = append(c.users, user)
	return nil
}

func (c *Config) checkUser(user *declaredUser, words []string) (err error) {
	if slices.ContainsFunc(c.users, func(u declaredUser) bool { return u.name == user.name }) {
		return errUserTwice
	}
	if !validUserName(user.name) {
		return errBadUserName
	}
	if user.rules, err = merged(words); err != nil {
		return err
	}
	_, err = (&acl{table: Commands(), config: c}).newRules().applyAll(user.rules)
	return err
}

// declare makes the users of redis.conf. The default user has nothing but what its line says, if there is one.
func (a *acl) declare(users []declaredUser) {
	for _, u := range users {
		_, _ = a.edit(u.name, func(to *aclRules) error {
			if u.name == defaultUserName {
				_ = to.apply("reset")
			}
			_, err := to.applyAll(u.rules) // which has been checked
			return err
		})
	}
}
