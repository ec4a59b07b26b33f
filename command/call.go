package command

import (
	"math"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// Call is one command on its way through a handler. Its arguments are slices of the request, valid until the handler
// returns: what is stored is copied.
type Call struct {
	Tx      *store.Tx
	Cmd     *Command
	Args    [][]byte // Args[0] is the name, Args[1] that of the subcommand if Cmd is one
	Session *Session

	nested   bool            // within EXEC or a script
	scripted bool            // within a script
	script   *luaeval.Script // of EVAL and its kin, once prepared

	errorCounted bool // the reply is the error of a command that a script called
}

// Arg is argument i of the call.
func (c *Call) Arg(i int) []byte { return c.Args[i] }

// Key is argument i, read as a key.
func (c *Call) Key(i int) []byte { return c.Args[i] }

// Rest is the arguments from i on.
func (c *Call) Rest(i int) [][]byte { return c.Args[i:] }

// Len is the number of words, the name included.
func (c *Call) Len() int { return len(c.Args) }

// Env is what the server gives its commands.
func (c *Call) Env() *Env { return c.Session.env }

// Is reports whether there is an argument i and it is the given one, in any letter case.
func (c *Call) Is(i int, word string) bool {
	return 0 <= i && i < len(c.Args) && len(c.Args[i]) == len(word) && EqualFold(c.Args[i], word)
}

// EqualFold compares ASCII letters without regard to case.
func EqualFold(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i := range len(word) {
		if b[i] != word[i] && lower(b[i]) != lower(word[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// Nested reports whether the call is within EXEC or a script.
func (c *Call) Nested() bool { return c.nested }

// Scripted reports whether a script makes the call.
func (c *Call) Scripted() bool { return c.scripted }

// Fail is the reply for an error whose text is Redis'.
func (c *Call) Fail(err error) resp.Value { return resp.Error(err.Error()) }

// Int reads argument i as a 64-bit integer.
func (c *Call) Int(i int) (int64, error) { return ParseInt(c.Args[i]) }

// Float reads argument i as a double; "inf" is one, "nan" is not.
func (c *Call) Float(i int) (float64, error) { return ParseFloat(c.Args[i]) }

// Index reads argument i as an int, for ranges and counts.
func (c *Call) Index(i int) (int, error) {
	n, err := ParseInt(c.Args[i])
	return ClampInt(n), err
}

// ClampInt is the int nearest to n, which differs where ints have 32 bits: no range or count that matters is as large
// there.
func ClampInt(n int64) int { return int(min(max(n, math.MinInt), math.MaxInt)) }

// ParseInt is num.ParseInt with Redis' error.
func ParseInt(b []byte) (int64, error) {
	if n, ok := num.ParseInt(b); ok {
		return n, nil
	}
	return 0, ErrNotInteger
}

// ParseFloat is num.ParseFloat with Redis' error.
func ParseFloat(b []byte) (float64, error) {
	if f, ok := num.ParseFloat(b); ok {
		return f, nil
	}
	return 0, ErrNotFloat
}

// Changed tells that the key was changed by this command, with the event's name.
func (c *Call) Changed(key []byte, class store.EventClass, event string) {
	c.Tx.Report(key, store.Change{Class: class, Event: event, Count: 1})
}

// DropEmpty removes a key whose value has lost its last element, with the event "del".
func (c *Call) DropEmpty(key []byte, length int) {
	if length == 0 {
		c.Tx.Delete(key)
		c.Tx.Report(key, store.Change{Class: store.EventGeneric, Event: "del"})
	}
}

// Holds reports whether the transaction holds the shard of a key that the call did not declare. If not, the call is
// going to run again with every shard locked, and should return: its row says MayRestart.
func (c *Call) Holds(key []byte) bool {
	if c.Tx.Holds(key) {
		return true
	}
	c.Tx.Restart()
	return false
}
