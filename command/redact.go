package command

import (
	"slices"
)

// redactedArg replaces a secret argument.
var redactedArg = []byte("(redacted)")

// Secrets says which arguments of a command are secret, such as passwords.
type Secrets struct {
	From    int      // the position of the first secret argument or of the first option
	Options []Option // the options from there on; nil if all arguments from there on are secret
}

// Option is an option of a command and its values.
type Option struct {
	Word   string // the option's name in lower case, or AnyWord
	Values int    // the number of arguments that follow it
	Secret bool   // the values are secret
}

// AnyWord is the Word of an option that matches every argument.
const AnyWord = ""

// redacted returns the arguments as the slow log and MONITOR show them.
func (c *Call) redacted() [][]byte { return c.Cmd.Redact(c.Args) }

// Redact returns the arguments of a call with "(redacted)" for each secret one. It returns args itself if the command
// has no secrets.
func (c *Command) Redact(args [][]byte) [][]byte {
	if c.Secret == nil {
		return args
	}
	args = slices.Clone(args)
	c.Secret.redact(args)
	return args
}

// redact overwrites the secret arguments. An option whose values are not all there hides none, as in Redis.
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

// option returns the first option that matches an argument, the zero Option if none does.
func (s *Secrets) option(arg []byte) Option {
	for _, o := range s.Options {
		if o.Word == AnyWord || EqualFold(arg, o.Word) {
			return o
		}
	}
	return Option{}
}
