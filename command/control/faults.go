package control

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/faults"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/words"
)

// Faults are the rules of a server, which knows the names of commands.
type Faults struct {
	*faults.Rules
	env     *command.Env
	delayed [2]delayedMessages // on the server's clock, and on real time
}

// newFaults returns the rules of a server, which call need with the hooks that they need now.
func newFaults(env *command.Env, need func(command.HookSet)) *Faults {
	f := &Faults{env: env, Rules: faults.NewRules(func(about fault.Subject) { need(hooksFor(about)) })}
	f.delayed[0].init(env.PubSub, env.Clock)
	f.delayed[1].init(env.PubSub, clock.Real{})
	return f
}

// hooksFor returns the hooks that rules about some subjects need. The calls of connections that are silent are held.
func hooksFor(about fault.Subject) (set command.HookSet) {
	if about&(fault.Calls|fault.Connections) != 0 {
		set |= command.HookCalls
	}
	if about&fault.Messages != 0 {
		set |= command.HookMessages
	}
	if about&fault.Connections != 0 {
		set |= command.HookConnections
	}
	return set
}

// Add adds a rule behind all others and returns its id, or an error if it could never hit anything: see
// fault.Rule.Check; also if there is no such command or ACL category. A misspelt name would make a test pass that tests
// nothing.
func (f *Faults) Add(rule fault.Rule) (id int64, err error) {
	rule.Command = strings.ToLower(rule.Command)
	if err := rule.Check(); err != nil {
		return 0, err
	}
	category, isCategory := strings.CutPrefix(rule.Command, "@")
	cmd := f.env.Table.Get(rule.Command)
	switch {
	case rule.Command == "@all":
		rule.Command = ""
	case isCategory && !slices.Contains(command.Categories, category):
		return 0, words.Errorf("ERR Unknown category '%s'", category)
	case isCategory, rule.Command == "":
	case cmd == nil:
		return 0, words.Errorf("ERR unknown command '%s'", rule.Command)
	case cmd.Flags.Has(command.Control):
		return 0, words.Errorf("ERR no fault happens to '%s'", rule.Command)
	}
	return f.Rules.Add(rule), nil
}

// before asks the rules about a call.
func (f *Faults) before(c *command.Call) command.Verdict {
	if hold := silence(c); hold != nil {
		return command.Verdict{Hold: hold, Again: true}
	}
	t := describe(c)
	hit, takeBack, ok := f.Next(t)
	if c.FromScript() {
		c.Tx.OnUndo(takeBack) // the script will make the call again
	}
	if !ok {
		return command.Verdict{}
	}
	f.log(&hit, &t.Client, "command", t.Command)
	return f.verdict(&hit, c)
}

// describe tells the rules what they may ask about a call.
func describe(c *command.Call) *faults.Target {
	return &faults.Target{Subject: fault.Calls, Client: client(c.Session), Now: c.Env().Clock.Now(),
		Command: c.Cmd.FullName(), Scripted: c.FromScript(), InCategory: c.Cmd.InCategory, Keys: c.Keys,
		Script: c.ScriptName}
}

// client tells the rules what they may ask about a client; s is nil for none.
func client(s *command.Session) faults.Client {
	if s == nil {
		return faults.Client{}
	}
	return faults.Client{ID: s.ID, Name: s.Name(), Addr: s.Addr, Created: s.Created}
}

// log logs that a fault happens, and to what.
func (f *Faults) log(hit *faults.Hit, c *faults.Client, what, name string) {
	f.env.Log.Info("fault", "rule", hit.ID, "fault", hit.Action.String(), what, name, "client", c.ID)
}

// verdict returns what the core is to make of a call.
func (f *Faults) verdict(hit *faults.Hit, c *command.Call) command.Verdict {
	a := &hit.Action
	switch a.Kind {
	case fault.KindError:
		return command.Verdict{Err: errors.New(a.Text)}
	case fault.KindMoved, fault.KindAsk:
		return command.Verdict{Err: fmt.Errorf("%s %d %s", a.Name(), hashtag.Slot(c.Keys()[0]), a.Text)}
	case fault.KindDelay:
		return command.Verdict{Hold: f.delay(hit)}
	case fault.KindHang:
		return command.Verdict{Hold: until(hit.Removed)}
	case fault.KindClose:
		return command.Verdict{Close: true}
	case fault.KindLoseReply, fault.KindCutReply:
		return command.Verdict{Cut: true, Bytes: a.Bytes}
	case fault.KindTwice:
		return command.Verdict{Twice: true}
	}
	return command.Verdict{Restrict: restriction(hit)}
}

// restriction returns that of StopReading or Throttle; nil for other actions.
func restriction(hit *faults.Hit) *command.Restriction {
	switch hit.Action.Kind {
	case fault.KindStopReading:
		return &command.Restriction{NoReading: true, Until: hit.Removed}
	case fault.KindThrottle:
		return &command.Restriction{Rate: hit.Action.Bytes, Until: hit.Removed}
	}
	return nil
}

// delay holds a call for the delay of a hit.
func (f *Faults) delay(hit *faults.Hit) command.Hold {
	var clk clock.Clock = f.env.Clock
	if hit.Action.RealTime {
		clk = clock.Real{}
	}
	return func(resume func()) (cancel func()) { return clk.AfterFunc(hit.Delay, resume).Stop }
}

// until holds a call until a channel is closed, as when its rule is removed.
func until(done <-chan struct{}) command.Hold {
	return func(resume func()) (cancel func()) {
		canceled := make(chan struct{})
		go func() {
			select {
			case <-done:
				resume()
			case <-canceled:
			}
		}()
		return sync.OnceFunc(func() { close(canceled) })
	}
}
