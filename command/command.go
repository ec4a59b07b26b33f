package command

import (
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
)

// Command is one row of the table.
type Command struct {
	Name  string // lower case
	Usage string // the arguments in the notation of redis-cli's HELP: "key [NX | XX] [GET]"
	Arity int    // number of words with the name; negative: at least so many
	Flags Flags
	Keys  Keys
	Specs []KeySpec // what COMMAND INFO tells of the keys, where that is more than Keys and Access say
	// Access is what becomes of the keys, in the words of Redis' key specifications ("RW access update"): of all of
	// them, or of each of Keys' parts in turn, divided by commas.
	Access string
	// AccessOf is Access for commands whose options decide; nil for others.
	AccessOf func(args [][]byte) string
	Channels Channels
	Group    string // set by the family
	// Categories are the ACL categories in place of that of the group, separated by blanks; those that flags tell are
	// added.
	Categories string
	Since      string // first version of Redis that has it
	// Tips are Redis' hints to proxies, separated by blanks: how replies may differ, which nodes are to be asked, and
	// how their answers are put together (Redis documentation: command tips).
	Tips    string
	Summary string
	Run     func(*Call) resp.Value
	// Prepare, if there is one, looks at the call before its shards are locked.
	Prepare func(*Call) error
	// Script is what the script says about itself that argument 1 of the call names; nil for commands that run none.
	Script func(e *Env, arg []byte) luaeval.Flags
	Sub    []Command // subcommands; then Run is nil

	// Unavailable is what every call is refused with, as if a setting forbade it; nil for most.
	Unavailable error
	// Secret says which arguments must not be logged; nil if all may be.
	Secret *Secrets

	container *Command // of a subcommand
	index     names    // of Sub
	Number    int      // among all of the table
	rule      *acl.Command
}

// Flags say how a command may be used. Those that Redis tells in COMMAND INFO carry its names.
type Flags uint32

// The flags.
const (
	Write Flags = 1 << iota
	ReadOnly
	DenyOOM
	Admin
	PubSub
	NoScript
	Blocking
	Loading
	Stale
	Fast
	NoAuth
	NoMulti
	MovableKeys
	AllowBusy
	NoMandatoryKeys
	NoAsyncLoading
	SkipMonitor // its calls show themselves to MONITOR before what they call
	SkipSlowlog // what its calls run is in the slow log, they are not
	Asking
	Dangerous // ACL category @dangerous

	// Immediate commands run within MULTI instead of being queued.
	Immediate
	// RunsQueued marks EXEC, which does what the queued commands do if no watched key has changed.
	RunsQueued
	// EndsMulti marks the commands that end a transaction. Others are refused there when memory is short, whatever they
	// do, since the queue would grow.
	EndsMulti
	// MayRestart marks commands that may touch keys they did not declare, and then run again: see store.Tx.Do.
	MayRestart
	// HoldsShard marks commands that hold a shard though they may name no key: what needs all shards does not happen
	// meanwhile.
	HoldsShard
	// MayReplicate marks commands that write no key and yet are not for read-only scripts.
	MayReplicate
	// Brief marks commands that take a constant time though Redis does not call them fast.
	Brief
	// KeepsCaching marks containers whose subcommands leave it to the next command what CLIENT CACHING has said.
	KeepsCaching
	// InSubscribed commands are allowed to a RESP2 client that has subscriptions.
	InSubscribed
)

// Channels says which arguments of a command are channels that the user must be allowed to use. No permission is needed
// to stop listening.
type Channels struct {
	Last     int  // position of the last one, negative from the end; the first is argument 1. None if 0.
	Patterns bool // they are patterns
}

func (f Flags) Has(flag Flags) bool { return f&flag != 0 }

var flagNames = []struct {
	flag Flags
	name string
}{
	{Write, "write"}, {ReadOnly, "readonly"}, {DenyOOM, "denyoom"}, {Admin, "admin"}, {PubSub, "pubsub"}, {NoScript, "noscript"},
	{Blocking, "blocking"}, {Loading, "loading"}, {Stale, "stale"}, {Fast, "fast"}, {NoAuth, "no_auth"},
	{NoMandatoryKeys, "no_mandatory_keys"}, {NoAsyncLoading, "no_async_loading"}, {NoMulti, "no_multi"}, {MovableKeys, "movablekeys"},
	{AllowBusy, "allow_busy"}, {SkipMonitor, "skip_monitor"}, {SkipSlowlog, "skip_slowlog"}, {Asking, "asking"},
}

// Names are the flags that COMMAND INFO shows.
func (f Flags) Names() (names []string) {
	for _, n := range flagNames {
		if f.Has(n.flag) {
			names = append(names, n.name)
		}
	}
	return names
}

// FullName is the name with that of the container: "config|get".
func (c *Command) FullName() string {
	if c.container != nil {
		return c.container.Name + "|" + c.Name
	}
	return c.Name
}

// arityOK reports whether a call with n words has the right number of them.
func (c *Command) arityOK(n int) bool {
	if c.Arity < 0 {
		return n >= -c.Arity
	}
	return n == c.Arity
}
