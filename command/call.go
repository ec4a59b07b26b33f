package command

// A Call is what a handler gets: the arguments, the transaction that holds the shards of its keys, and the session.
// This file has what almost every handler needs; arguments.go and timeouts.go parse the arguments that are less
// common.
//
// Positions are those of Redis' argv: argument 0 is the command's name, and for a subcommand argument 1 is its name.

import (
	"math"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// Call is one call of a command. Its arguments alias the request's buffer, which is reused once the handler has
// returned: a handler copies what it stores. Only the goroutine that runs the transaction may use it.
type Call struct {
	Tx      *store.Tx
	Cmd     *Command
	Args    [][]byte // argv, the names of the command and the subcommand included
	Session *Session

	nested     bool            // called by EXEC or a script
	fromScript bool            // called by a script
	retryIn    time.Duration   // see RetryIn
	whenGone   bool            // see ServeWhenGone
	script     luaeval.Program // that EVAL, EVALSHA or FCALL runs, set by Prepare
	executed   *queue          // by EXEC
	flushed    bool            // invalidations precede the reply
	byServer   bool            // see CallByServer
	local      bool            // redis.set_repl keeps it from the replicas
	replaced   bool            // by what the replicas get instead: see Propagate
	slot       int             // that a script uses in a cluster, plus 1; 0 for none: see JoinsSlot

	errorCounted bool // errorstats has the reply already: a command that the script called returned it
}

// Arg returns argument i.
func (c *Call) Arg(i int) []byte { return c.Args[i] }

// Key returns argument i, which is a key.
func (c *Call) Key(i int) []byte { return c.Args[i] }

// Rest returns the arguments from i on.
func (c *Call) Rest(i int) [][]byte { return c.Args[i:] }

// Len returns the number of arguments, the name included: argc.
func (c *Call) Len() int { return len(c.Args) }

// Env returns the state that all sessions of the server share.
func (c *Call) Env() *Env { return c.Session.env }

// Is reports whether argument i exists and equals literal, ignoring the case of ASCII letters. No argument is an option
// that the emulated server lacks.
func (c *Call) Is(i int, literal string) bool {
	return 0 <= i && i < len(c.Args) && len(c.Args[i]) == len(literal) && EqualFold(c.Args[i], literal) &&
		(c.Cmd.lacks == nil || !c.Cmd.Lacks(literal))
}

// Does reports whether the emulated server behaves so.
func (c *Call) Does(b emulate.Behavior) bool { return c.Session.env.Table.Server.Does(b) }

// EqualFold reports whether b equals literal, ignoring the case of ASCII letters only.
func EqualFold(b []byte, literal string) bool {
	if len(b) != len(literal) {
		return false
	}
	for i := range len(literal) {
		if d := b[i] ^ literal[i]; d != 0 && (d != 'a'-'A' || !isLetter(b[i])) {
			return false
		}
	}
	return true
}

// isLetter reports whether c is an ASCII letter.
func isLetter(c byte) bool { return 'a' <= c|('a'-'A') && c|('a'-'A') <= 'z' }

// Nested reports whether EXEC or a script makes the call.
func (c *Call) Nested() bool { return c.nested }

// FromScript reports whether a script makes the call.
func (c *Call) FromScript() bool { return c.fromScript }

// Double returns a reply in the form that the emulated server has for doubles.
func (c *Call) Double(f float64) resp.Value { return resp.Double(f, c.DoubleForm()) }

// DoubleForm returns that form.
func (c *Call) DoubleForm() resp.DoubleForm { return resp.DoubleForm(c.Does(emulate.ShortDoubles)) }

// Fail returns the error reply for err, whose text begins with the error code: "ERR …".
func (c *Call) Fail(err error) resp.Value { return resp.Error(err.Error()) }

// Int parses argument i as a 64-bit integer; the error is ErrNotInteger.
func (c *Call) Int(i int) (int64, error) { return ParseInt(c.Args[i]) }

// Float parses argument i as a double; the error is ErrNotFloat. "inf" is valid, "nan" is not.
func (c *Call) Float(i int) (float64, error) { return ParseFloat(c.Args[i]) }

// Index parses argument i as an int, for ranges and counts; see ToInt.
func (c *Call) Index(i int) (int, error) {
	n, err := ParseInt(c.Args[i])
	return ToInt(n), err
}

// ToInt converts n to int. Where int has 32 bits it returns the nearest int: no value has that many elements there.
func ToInt(n int64) int { return int(min(max(n, math.MinInt), math.MaxInt)) }

// ParseInt is num.ParseInt with Redis' error, ErrNotInteger.
func ParseInt(b []byte) (int64, error) {
	if n, ok := num.ParseInt(b); ok {
		return n, nil
	}
	return 0, ErrNotInteger
}

// ParseFloat is num.ParseFloat with Redis' error, ErrNotFloat.
func ParseFloat(b []byte) (float64, error) {
	if f, ok := num.ParseFloat(b); ok {
		return f, nil
	}
	return 0, ErrNotFloat
}

// Changed reports that the call has changed a key: it counts one change, marks the watches of the key, invalidates it
// for client tracking, and sends the keyspace event.
func (c *Call) Changed(key []byte, class store.EventClass, event string) {
	c.Tx.Report(key, store.Change{Class: class, Event: event, Count: 1})
}

// DropEmpty deletes a key whose value has length 0, with the event "del": no Redis key holds an empty aggregate.
func (c *Call) DropEmpty(key []byte, length int) {
	if length == 0 {
		c.Tx.Delete(key)
		c.Tx.Report(key, store.Change{Class: store.EventGeneric, Event: "del"})
	}
}

// HoldsOrRestarts reports whether the transaction holds the shard of a key that the arguments do not name, as SORT
// reads by BY and GET. If not, the transaction restarts with every shard locked, and the handler must return; its row
// has MayRestart.
func (c *Call) HoldsOrRestarts(key []byte) bool {
	if c.Tx.Holds(key) {
		return true
	}
	c.Tx.Restart()
	return false
}
