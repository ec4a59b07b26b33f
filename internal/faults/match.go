package faults

import (
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/glob"
)

// Call is what a rule knows of a call. The functions are called only if a rule needs them.
type Call struct {
	Command    string
	Scripted   bool // a script makes the call
	InCategory func(category string) bool
	Keys       func() [][]byte
	Script     func() string // "" if the call is not one of a script, and runs none
	Client     Client
	Now        time.Time // on the server's clock
}

// Client is the client that makes a call.
type Client struct {
	ID         int64
	Name, Addr string
	Created    time.Time
}

// fits reports whether a call fits the conditions other than the counted ones.
func (r *activeRule) fits(c *Call) bool {
	return r.Scripted == c.Scripted && r.fitsCommand(c) && r.fitsTime(c) && r.fitsClient(&c.Client) &&
		(r.Key == "" || r.fitsKey(c.Keys())) && (r.Script == "" || strings.EqualFold(r.Script, c.Script()))
}

// fitsCommand reports whether the rule is for the command, its container or one of its ACL categories.
func (r *activeRule) fitsCommand(c *Call) bool {
	if category, ok := strings.CutPrefix(r.Command, "@"); ok {
		return c.InCategory(category)
	}
	if r.Command == "" || r.Command == c.Command {
		return true
	}
	container, _, _ := strings.Cut(c.Command, "|")
	return r.Command == container // all subcommands
}

// fitsTime checks From, Until and Age, all by the server's clock.
func (r *activeRule) fitsTime(c *Call) bool {
	return !c.Now.Before(r.From) && (r.Until.IsZero() || c.Now.Before(r.Until)) &&
		(r.Age == 0 || c.Now.Sub(c.Client.Created) >= r.Age) // a clock that was set back makes connections younger than 0
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
