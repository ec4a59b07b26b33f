package command

import (
	"slices"
)

// hidden stands in the logs where a client sent a secret.
var redactedArg = []byte("(redacted)")

// Secrets says which arguments of a command are secret.
type Secrets struct {
	From    int      // the first argument that may be secret, or the first option
	Options []Option // what stands there; none if all arguments from there on are secret
}

// Option is an argument of a command and the values that follow it.
type Option struct {
	Word   string // AnyWord fits every argument
	Values int    // how many arguments follow it
	Secret bool
}

// AnyWord is the Word of an option that every argument fits.
const AnyWord = ""

// redacted is the arguments of the call as the slow log and MONITOR show them: without passwords.
func (c *Call) redacted() [][]byte { return c.Cmd.Redact(c.Args) }

// Redact returns the arguments of a call without its secrets.
func (c *Command) Redact(args [][]byte) [][]byte {
	if c.Secret == nil {
		return args
	}
	args = slices.Clone(args)
	c.Secret.redact(args)
	return args
}

// hide puts hidden in the place of the secret arguments. An option whose values are not all there hides none, as in
// Redis.
func (s *Secrets) redact(args [][]byte) {
	if s.Options == nil {
		for i := s.From; i < len(args); i++ {
			args[i] = redactedArg
		}
		return
	}
	for i := s.From; i < len(args); i++ {
		o := s.option(args[i])
		if o.Values >= len(args)-i {
			return
		}
		for range o.Values {
			i++
			if o.Secret {
				args[i] = redactedArg
			}
		}
	}
}

// option is the row of an argument; an argument without one has no values.
func (s *Secrets) option(arg []byte) Option {
	for _, o := range s.Options {
		if o.Word == AnyWord || EqualFold(arg, o.Word) {
			return o
		}
	}
	return Option{}
}
