package command

import (
	"errors"
	"fmt"
	"slices"
)

// denied is that a user may not make a call.
type denied struct {
	why    denial
	cmd    *Command
	object string // what he may not use
}

// mayCall returns what keeps the session's user from a call, nil if nothing does.
func (s *Session) mayCall(cmd *Command, args [][]byte) *denied {
	limits := s.user.limits.Load()
	if limits == nil {
		return nil
	}
	why, pos := limits.check(cmd, args)
	switch why {
	case denyNothing:
		return nil
	case denyCommand:
		return &denied{why, cmd, cmd.FullName()}
	}
	return &denied{why, cmd, string(args[pos])}
}

// mayReadAnyKey reports whether the session's user may make a call that reads keys which its words do not name, as the
// elements of a value do: one selector must allow both the call and reading every key.
func (s *Session) mayReadAnyKey(cmd *Command, args [][]byte) bool {
	limits := s.user.limits.Load()
	return limits == nil || slices.ContainsFunc(limits.selectors, func(sel *aclSelector) bool {
		if !sel.readsAllKeys() {
			return false
		}
		why, _ := sel.check(cmd, args)
		return why == denyNothing
	})
}

// refused notes a denial in ACL LOG.
func (s *Session) refused(d *denied, context string) {
	s.env.acl.log.add(aclEntry{reason: d.why.reason(), context: context, object: d.object, user: s.user.name}, s)
}

func (w denial) reason() string {
	return [...]string{denyCommand: "command", denyKey: "key", denyAuth: "auth", denyChannel: "channel"}[w]
}

// permit is mayCall for a command that a client has sent.
func (s *Session) permit(cmd *Command, args [][]byte) error {
	d := s.mayCall(cmd, args)
	if d == nil {
		return nil
	}
	context := "toplevel"
	if s.multi != nil {
		context = "multi"
	}
	s.refused(d, context)
	switch d.why {
	case denyKey:
		return errors.New("NOPERM this user has no permissions to access one of the keys used as arguments")
	case denyChannel:
		return errors.New("NOPERM this user has no permissions to access one of the channels used as arguments")
	}
	return errorf("NOPERM this user has no permissions to run the '%s' command", cmd.FullName())
}

// permitQueued is mayCall for a command that EXEC runs: the rules may have changed since it was queued.
func (s *Session) permitQueued(cmd *Command, args [][]byte) error {
	d := s.mayCall(cmd, args)
	if d == nil {
		return nil
	}
	s.refused(d, "multi")
	reason := "no permission to execute the command or subcommand"
	switch d.why {
	case denyKey:
		reason = "no permission to touch the specified keys"
	case denyChannel:
		reason = "no permission to access one of the channels used as argument to the command"
	}
	return errorf("NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC call. "+
		"This command is no longer allowed for the following reason: %s", reason)
}

// permitScripted is mayCall for a command that a script calls.
func (s *Session) permitScripted(cmd *Command, args [][]byte) error {
	d := s.mayCall(cmd, args)
	if d == nil {
		return nil
	}
	s.refused(d, "lua")
	switch d.why {
	case denyKey:
		return errors.New("ERR The user executing the script can't access at least one of the keys mentioned in the command arguments")
	case denyChannel:
		return errors.New("ERR The user executing the script can't publish to the channel mentioned in the command")
	}
	return errors.New("ERR The user executing the script can't run this command or subcommand")
}

// dryRun is what ACL DRYRUN says of a call; "" if it is allowed.
func (d *denied) dryRun() string {
	switch {
	case d == nil:
		return ""
	case d.why == denyKey:
		return fmt.Sprintf("This user has no permissions to access the '%s' key", d.object)
	case d.why == denyChannel:
		return fmt.Sprintf("This user has no permissions to access the '%s' channel", d.object)
	}
	return fmt.Sprintf("This user has no permissions to run the '%s' command", d.object)
}
