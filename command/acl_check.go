package command

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/pubsub"
)

// denied says why a user may not make a call.
type denied struct {
	why    acl.Decision
	object string // the command, key or channel
}

// mayCall returns nil if the user of the session may make a call.
func (s *Session) mayCall(cmd *Command, args [][]byte) *denied {
	if s.user.Unlimited() {
		return nil
	}
	return s.check(s.user, cmd, args)
}

// DryRun returns the reply of ACL DRYRUN, "" if the user may make the call.
func (c *Call) DryRun(u *acl.User, cmd *Command, args [][]byte) string {
	who := "This user"
	if c.Does(emulate.UserNamed) {
		who = "User " + u.Name
	}
	return c.Session.check(u, cmd, args).dryRun(who)
}

// check applies the rules of u, in the database that the session has selected. The object of a denial is the name of
// the command, or the argument that is denied.
func (s *Session) check(u *acl.User, cmd *Command, args [][]byte) *denied {
	switch why, pos := u.Check(s.aclCall(cmd, args)); why {
	case acl.Allowed:
		return nil
	case acl.DeniedCommand:
		return &denied{why, cmd.FullName()}
	case acl.DeniedDatabase:
		if pos == 0 {
			return &denied{why, cmp.Or(cmd.container, cmd).Name}
		}
		return &denied{why, string(args[pos])}
	default:
		return &denied{why, string(args[pos])}
	}
}

// aclCall returns the call in the form that package acl checks. Keys and channels are found only if a rule needs them.
func (s *Session) aclCall(c *Command, args [][]byte) *acl.Call {
	return &acl.Call{
		Command: c.rule,
		Args:    args,
		Keys: func() (keys []acl.Key) {
			for _, key := range c.KeysIn(args) {
				keys = append(keys, acl.Key{Pos: key.Pos, Access: permissions(key.Access)})
			}
			return keys
		},
		Channels: func() []int { return c.Channels.positions(len(args)) },
		Patterns: c.Channels.Patterns,

		Databases: func() acl.Databases { return s.databasesOf(c, args) },
	}
}

// databasesOf returns the databases that a call uses: those that it names, if there are such, and the selected one if
// it has keys or uses the data in another way.
func (s *Session) databasesOf(c *Command, args [][]byte) acl.Databases {
	last := s.env.Store.Databases()
	used := acl.Databases{Selected: -1}
	if c.Databases.All {
		used.All = last
	}
	if c.Databases.Args != nil {
		for _, i := range c.Databases.Args(args) {
			if n, err := ParseInt(args[i]); err == nil && 0 <= n && n < int64(last) {
				used.Args = append(used.Args, i)
			}
		}
	}
	keys := c.Keys.First > 0 || c.Keys.Count > 0 || c.Keys.Find != nil
	if !c.Databases.NotSelected && (c.Flags.Has(ReadOnly|Write) || c.Script != nil || keys) {
		used.Selected = s.databaseOfCall()
	}
	return used
}

// databaseOfCall returns the database that is selected for a call: within MULTI that of the last SELECT in the queue.
func (s *Session) databaseOfCall() int {
	if s.multi != nil && s.multi.selects && !s.multi.runs {
		return s.multi.selected
	}
	return s.tx.DB()
}

// permissions returns the permissions that a call needs for a key, by the flags of its key specification.
func permissions(access []string) (a acl.Access) {
	for _, flag := range access {
		switch flag {
		case "access":
			a |= acl.Read
		case "insert", "update", "delete":
			a |= acl.Write
		}
	}
	return a
}

// positions returns the positions of the channels in a call of n arguments.
func (c Channels) positions(n int) (positions []int) {
	last := c.Last
	if last < 0 {
		last += n
	}
	for i := 1; i <= last; i++ {
		positions = append(positions, i)
	}
	return positions
}

// MayReadAnyKey reports whether the user may make a call that reads keys which its arguments do not name.
func (s *Session) MayReadAnyKey(cmd *Command, args [][]byte) bool {
	return s.user.MayReadAnyKey(s.aclCall(cmd, args))
}

// logDenied adds a denied call to ACL LOG.
func (s *Session) logDenied(d *denied, context string) {
	s.LogDenied(acl.LogEntry{Reason: d.why, Context: context, Object: d.object, User: s.user.Name})
}

// LogDenied adds an entry to ACL LOG, with the time and the client.
func (s *Session) LogDenied(r acl.LogEntry) {
	r.At = s.env.Clock.Now()
	r.Client = strings.TrimSuffix(s.Describe(r.At, &s.call), "\n")
	s.env.ACL.Log.Add(r, s.env.Config.ACLLogLen())
}

// MaySubscribe reports whether the rules of u allow all channels and patterns that the session is subscribed to.
func (s *Session) MaySubscribe(u *acl.User) bool {
	names := func(k pubsub.Kind) []string { return s.env.PubSub.Subscriptions(s.subs, k) }
	return u.MaySubscribe(append(names(pubsub.Channel), names(pubsub.Shard)...), names(pubsub.Pattern))
}

// PermitPatterns checks the patterns to which a call subscribes although they are not its arguments, logs a denied one,
// and returns the error reply.
func (c *Call) PermitPatterns(patterns []string) error {
	s := c.Session
	for _, p := range patterns {
		if !s.user.MaySubscribe(nil, []string{p}) {
			d := &denied{why: acl.DeniedChannel, object: p}
			s.logDenied(d, "toplevel")
			return errors.New("NOPERM " + s.reason(d))
		}
	}
	return nil
}

// permit checks a command that a client has sent, logs a denied one, and returns the error reply.
func (s *Session) permit(cmd *Command, args [][]byte) error {
	d := s.mayCall(cmd, args)
	if d == nil {
		return nil
	}
	context := "toplevel"
	if s.multi != nil {
		context = "multi"
	}
	s.logDenied(d, context)
	return errors.New("NOPERM " + s.reason(d))
}

// permitAgain is permit for a call that has blocked: since Redis 7.2 it runs again, when its user may have lost the
// permission. It may run in the goroutine of another client.
func (c *Call) permitAgain() error {
	if !c.Does(emulate.BlockedCallsRunAgain) {
		return nil
	}
	return c.Session.permit(c.Cmd, c.Args)
}

// reason says why the user may not make a call.
func (s *Session) reason(d *denied) string {
	if !s.env.Table.Server.Does(emulate.UserNamed) {
		switch d.why {
		case acl.DeniedKey:
			return "this user has no permissions to access one of the keys used as arguments"
		case acl.DeniedChannel:
			return "this user has no permissions to access one of the channels used as arguments"
		}
		return fmt.Sprintf("this user has no permissions to run the '%s' command", d.object)
	}
	switch d.why {
	case acl.DeniedKey:
		return "No permissions to access a key"
	case acl.DeniedChannel:
		return "No permissions to access a channel"
	case acl.DeniedDatabase:
		return "No permissions to access database"
	}
	return fmt.Sprintf("User %s has no permissions to run the '%s' command", s.user.Name, d.object)
}

// permitQueued is permit for a call of EXEC: the rules may have changed since it was queued.
func (s *Session) permitQueued(cmd *Command, args [][]byte) error {
	d := s.mayCall(cmd, args)
	if d == nil {
		return nil
	}
	s.logDenied(d, "multi")
	reason := "no permission to execute the command or subcommand"
	switch d.why {
	case acl.DeniedKey:
		reason = "no permission to touch the specified keys"
	case acl.DeniedChannel:
		reason = "no permission to access one of the channels used as arguments"
	case acl.DeniedDatabase:
		reason = "no permission to access database"
	}
	return words.Errorf("NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC "+
		"call. This command is no longer allowed for the following reason: %s", reason)
}

// permitFromScript is permit for a call of a script.
func (s *Session) permitFromScript(cmd *Command, args [][]byte) error {
	d := s.mayCall(cmd, args)
	if d == nil {
		return nil
	}
	s.logDenied(d, "lua")
	switch {
	case s.env.Table.Server.Does(emulate.UserNamed):
		return deniedInScript("ERR ACL failure in script: " + s.reason(d))
	case d.why == acl.DeniedKey:
		return deniedInScript("ERR The user executing the script can't access at least one of the keys " +
			"mentioned in the command arguments")
	case d.why == acl.DeniedChannel:
		return deniedInScript("ERR The user executing the script can't publish to the channel mentioned in the command")
	}
	return deniedInScript("ERR The user executing the script can't run this command or subcommand")
}

// deniedInScript is the error of a call that the user of a script may not make.
type deniedInScript string

func (d deniedInScript) Error() string { return string(d) }

// dryRun returns the reply of ACL DRYRUN, "" for nil. who is the subject of the sentence.
func (d *denied) dryRun(who string) string {
	switch {
	case d == nil:
		return ""
	case d.why == acl.DeniedKey:
		return fmt.Sprintf("%s has no permissions to access the '%s' key", who, d.object)
	case d.why == acl.DeniedChannel:
		return fmt.Sprintf("%s has no permissions to access the '%s' channel", who, d.object)
	case d.why == acl.DeniedDatabase:
		return fmt.Sprintf("%s has no permissions to access database %s", who, d.object)
	}
	return fmt.Sprintf("%s has no permissions to run the '%s' command", who, d.object)
}
