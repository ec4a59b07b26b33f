package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/usage"
)

// Change is what the row of a command says otherwise since a version. A field that is zero changes nothing.
type Change struct {
	Since  string // in the notation of emulate.Server.Has
	Arity  int
	Gains  Flags
	Loses  Flags
	Tips   string // all tips, "-" for none
	Access string
	Specs  []KeySpec
	Secret *Secrets
}

// becomeThatOf makes the row that of one server.
func (c *Command) becomeThatOf(s *emulate.Server) {
	c.marked = c.Usage
	c.Usage, c.lacks = usage.For(c.Usage, s.Has)
	for i := range c.Changes {
		if change := &c.Changes[i]; s.Has(change.Since) {
			c.apply(change)
		}
	}
	c.Since = s.Since(c.Since)
}

func (c *Command) apply(change *Change) {
	c.Arity = cmp.Or(change.Arity, c.Arity)
	c.Flags = c.Flags&^change.Loses | change.Gains
	c.Tips = strings.TrimPrefix(cmp.Or(change.Tips, c.Tips), "-")
	c.Access = cmp.Or(change.Access, c.Access)
	c.Secret = cmp.Or(change.Secret, c.Secret)
	if change.Specs != nil {
		c.Specs = change.Specs
	}
}

// MarkedUsage returns the arguments of all servers, with braces that say since when some are there: see usage.For.
func (c *Command) MarkedUsage() string { return c.marked }

// Lacks reports whether the emulated server does not know an option of the command, in any letter case.
func (c *Command) Lacks(option string) bool {
	return slices.ContainsFunc(c.lacks, func(token string) bool { return strings.EqualFold(token, option) })
}
