package control

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/faults"
)

// connected asks the rules about a new connection.
func (f *Faults) connected(s *command.Session) command.Verdict {
	t := &faults.Target{Subject: fault.Connections, Client: client(s), Now: s.Created}
	hit, _, ok := f.Next(t)
	if !ok {
		return command.Verdict{}
	}
	f.log(&hit, &t.Client, "address", s.Addr)
	if hit.Action.Kind == fault.KindSilent {
		s.HookData = silentUntil(hit.Removed)
	}
	return command.Verdict{Close: hit.Action.Kind == fault.KindRefuse, Restrict: restriction(&hit)}
}

// silentUntil is the HookData of a session whose calls are held until the channel is closed. The commands of this
// package run all the same: else a test that has no other connection could not remove the rule.
type silentUntil <-chan struct{}

// silence returns what holds a call of a connection that is silent; nil for others.
func silence(c *command.Call) command.Hold {
	removed, ok := c.Session.HookData.(silentUntil)
	if !ok {
		return nil
	}
	select {
	case <-removed:
		c.Session.HookData = nil
		return nil
	default:
		return until(removed)
	}
}
