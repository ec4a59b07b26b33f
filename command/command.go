package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

// Command is one row of the table.
type Command struct {
	Name  string // lower case
	Usage string // the arguments in the notation of redis-cli's HELP: "key [NX | XX] [GET]"
	Arity int    // number of words with the name; negative: at least so many
	Flags Flags
	Keys  Keys
	Specs []KeySpec // what COMMAND INFO tells of the keys, where that is more than Keys says
	Group string    // set by the family
	// Categories are the ACL categories in place of that of the group, separated by blanks; those that flags tell are added.
	Categories string
	Since      string // first version of Redis that has it
	Summary    string
	Run        func(*Call) resp.Value
	// Prepare, if there is one, looks at the call before its shards are locked.
	Prepare func(*Call) error
	Sub     []Command // subcommands; then Run is nil

	refusal error    // what every call is refused with, as if a setting forbade it; nil for most
	secret  *secrets // the words that must not be logged; nil if all may be

	parent string // the container's name, for a subcommand
	index  names  // of Sub
	number int    // among all of the table
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
	// Watches marks EXEC, which looks at what the session watches.
	Watches
	// Escapes marks commands that may touch keys they did not declare: see store.Tx.Do.
	Escapes
	// HoldsShard marks commands that hold a shard though they may name no key: what needs all shards does not happen meanwhile.
	HoldsShard
	// MayReplicate marks commands that write no key and yet are not for read-only scripts.
	MayReplicate
	// Brief marks commands that take a constant time though Redis does not call them fast.
	Brief
	// InSubscribed commands are allowed to a RESP2 client that has subscriptions.
	InSubscribed
)

func (f Flags) has(flag Flags) bool { return f&flag != 0 }

var flagNames = []struct {
	flag Flags
	name string
}{
	{Write, "write"}, {ReadOnly, "readonly"}, {DenyOOM, "denyoom"}, {Admin, "admin"}, {PubSub, "pubsub"}, {NoScript, "noscript"},
	{Blocking, "blocking"}, {Loading, "loading"}, {Stale, "stale"}, {Fast, "fast"}, {NoAuth, "no_auth"},
	{NoMandatoryKeys, "no_mandatory_keys"}, {NoAsyncLoading, "no_async_loading"}, {NoMulti, "no_multi"}, {MovableKeys, "movablekeys"},
	{AllowBusy, "allow_busy"}, {SkipMonitor, "skip_monitor"}, {SkipSlowlog, "skip_slowlog"}, {Asking, "asking"},
}

// FullName is the name with that of the container: "config|get".
func (c *Command) FullName() string {
	if c.parent != "" {
		return c.parent + "|" + c.Name
	}
	return c.Name
}

// fits reports whether a call with n words has the right number of them.
func (c *Command) fits(n int) bool {
	if c.Arity < 0 {
		return n >= -c.Arity
	}
	return n == c.Arity
}
