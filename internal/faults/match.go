package faults

import (
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/glob"
)

// Target is what a fault may happen to: a call, a message or a new connection. Which fields are set depends on Subject.
type Target struct {
	Subject fault.Subject
	Client  Client    // zero for a message that no client sends
	Now     time.Time // on the server's clock

	// Of a call. The functions are called only if a rule needs them.
	Command    string
	Scripted   bool // a script makes the call
	InCategory func(category string) bool
	Keys       func() [][]byte
	Script     func() string // "" if the call is not one of a script, and runs none

	Channel string // of a message
}

// Client is the client that makes a call, sends a message or connects.
type Client struct {
	ID         int64
	Name, Addr string
	Created    time.Time
}

// fits reports whether the target fits the conditions other than the counted ones.
func (r *activeRule) fits(t *Target) bool {
	if t.Subject != r.Subject() || !r.fitsTime(t) || !r.fitsClient(&t.Client) {
		return false
	}
	switch t.Subject {
	case fault.Messages:
		return glob.Match(r.Channel, t.Channel)
	case fault.Connections:
		return true
	}
	return r.fitsCall(t)
}

// fitsCall checks the conditions on calls.
func (r *activeRule) fitsCall(t *Target) bool {
	return r.Scripted == t.Scripted && r.fitsCommand(t) && (r.Key == "" || r.fitsKey(t.Keys())) &&
		(!r.Action.Redirects() || len(t.Keys()) > 0) && (r.Script == "" || strings.EqualFold(r.Script, t.Script()))
}

// fitsCommand reports whether the rule is for the command, its container or one of its ACL categories.
func (r *activeRule) fitsCommand(t *Target) bool {
	if category, ok := strings.CutPrefix(r.Command, "@"); ok {
		return t.InCategory(category)
	}
	if r.Command == "" || r.Command == t.Command {
		return true
	}
	container, _, _ := strings.Cut(t.Command, "|")
	return r.Command == container // all subcommands
}

// fitsTime checks From, Until and Age, all by the server's clock.
func (r *activeRule) fitsTime(t *Target) bool {
	return !t.Now.Before(r.From) && (r.Until.IsZero() || t.Now.Before(r.Until)) &&
		(r.Age == 0 || t.Now.Sub(t.Client.Created) >= r.Age) // a clock that was set back makes connections younger than 0
}

// fitsClient reports whether the rule is for the client, by its id, name or address.
func (r *activeRule) fitsClient(c *Client) bool {
	return r.Client == "" || r.Client == strconv.FormatInt(c.ID, 10) || glob.Match(r.Client, c.Name) ||
		glob.Match(r.Client, c.Addr)
}

// fitsKey reports whether one of the keys fits: the call of a script with several keys fits by any of them.
func (r *activeRule) fitsKey(keys [][]byte) bool {
	for _, key := range keys {
		if glob.Match(r.Key, string(key)) {
			return true
		}
	}
	return false
}
