package command

import (
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
)

// Command is one row of the table: every fact about a command, and its handler. A row does not change once NewTable has
// taken it.
type Command struct {
	Name string // in lower case
	// Usage is the arguments in the notation of redis-cli's HELP: "key [NX | XX] [GET]". In a family's row braces say
	// since when some are there: see usage.For.
	Usage string
	Arity int // as in COMMAND INFO: the number of arguments with the name; negative is a minimum
	Flags Flags
	Keys  Keys
	Specs []KeySpec // the key specifications, where they do not follow from Keys and Access
	// Access has the flags of the key specifications ("RW access update"): one list for all keys, or a list for each
	// part of Keys, separated by commas.
	Access string
	// AccessOf returns Access for commands whose options decide; nil for others.
	AccessOf func(args [][]byte) string
	Channels Channels
	// Databases says which databases the command uses, if that is not the selected one alone.
	Databases Databases
	Group     string // of COMMAND DOCS; set by the Family
	Module    string // of COMMAND DOCS; set by the Family, "" for Redis' own commands
	// Categories are ACL categories, separated by blanks, that replace that of the group. Those that follow from Flags
	// are added.
	Categories string
	// Since is the first version that has the command, in a family's row those of Redis and Valkey: "8.0.0 valkey-9.0.0"
	// (emulate.Server.Has).
	Since   string
	Changes []Change // what has changed since, the oldest first
	// Tips are for clients and proxies of a cluster, separated by blanks (Redis documentation: command tips).
	Tips    string
	Summary string
	// Run is the handler. It is nil for a container that can't be called without a subcommand.
	Run func(*Call) resp.Value
	// Prepare runs before the shards are locked, such as to compile a script; nil for most.
	Prepare func(*Call) error
	// Script returns the flags that the script which argument 1 names has declared; nil for commands that run none.
	Script func(e *Env, arg []byte) luaeval.Flags
	Sub    []Command // the subcommands of a container

	// Unavailable is the error reply to every call of a command that a server setting forbids; nil for most.
	Unavailable error
	// Secret selects the arguments that MONITOR and the slow log redact; nil for none.
	Secret *Secrets

	container *Command  // of a subcommand
	marked    string    // see MarkedUsage
	lacks     []string  // the tokens among the arguments that the server does not know
	index     nameIndex // of Sub
	Number    int       // index into stats.Stripe, set by NewTable
	rule      *acl.Command
}

// Flags says how a command may be used. Those that COMMAND INFO shows have Redis' names and meaning.
type Flags uint32

// The flags: first those of COMMAND INFO, then, from Dangerous on, those of this server.
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
	SkipMonitor    // MONITOR shows the call before the commands that it runs, not after
	SkipSlowlog    // the slow log has the commands that it runs instead
	SkipCommandLog // the same where the slow log is a part of COMMANDLOG
	Asking
	OfModule  // the command belongs to a module; set by the Family
	Dangerous // ACL category @dangerous

	// Immediate commands run within MULTI instead of being queued.
	Immediate
	// RunsQueued marks EXEC, which locks and is checked like the queued commands.
	RunsQueued
	// EndsMulti marks the commands that end a transaction. When memory is over the limit all others are rejected within
	// MULTI, since the queue would grow.
	EndsMulti
	// MayRestart marks commands that may use keys which their arguments do not name, and then run again: see
	// store.Tx.Do.
	MayRestart
	// HoldsShard marks commands that must hold a shard even if they name no key, so that no transaction which holds all
	// shards runs at the same time.
	HoldsShard
	// MayReplicate marks commands that Redis propagates to replicas though they write no key, such as PUBLISH: read-only
	// scripts may not call them, and CLIENT PAUSE WRITE stops them.
	MayReplicate
	// Brief marks commands of constant time that do not have Redis' flag fast.
	Brief
	// KeepsCaching marks the container whose subcommands do not use up CLIENT CACHING.
	KeepsCaching
	// InSubscribed commands are allowed to a RESP2 client in subscribed mode.
	InSubscribed
	// Control marks the commands by which a test controls the server: neither CLIENT PAUSE nor Hooks stop them.
	Control
)

// Databases says which databases a command uses besides the selected one.
type Databases struct {
	Args        func(args [][]byte) []int // the positions of the arguments that name one; nil for none
	All         bool
	NotSelected bool // it does not use the selected one
	Selects     bool // it selects the one that argument 1 names
}

// Positions returns Databases.Args for a command whose arguments at these positions name databases.
func Positions(positions ...int) func([][]byte) []int {
	return func([][]byte) []int { return positions }
}

// Channels says which arguments of a command are Pub/Sub channels that ACL rules must allow. UNSUBSCRIBE and its
// variants have none.
type Channels struct {
	Last     int  // index of the last channel, negative from the end; the first is argument 1. 0: no channels.
	Patterns bool // they are patterns
}

// Has reports whether one of the flags in flag is set.
func (f Flags) Has(flag Flags) bool { return f&flag != 0 }

var flagNames = []struct {
	flag Flags
	name string
}{
	{Write, "write"}, {ReadOnly, "readonly"}, {DenyOOM, "denyoom"}, {OfModule, "module"}, {Admin, "admin"},
	{PubSub, "pubsub"}, {NoScript, "noscript"}, {Blocking, "blocking"}, {Loading, "loading"}, {Stale, "stale"},
	{Fast, "fast"},
	{NoAuth, "no_auth"}, {NoMandatoryKeys, "no_mandatory_keys"}, {NoAsyncLoading, "no_async_loading"},
	{NoMulti, "no_multi"}, {MovableKeys, "movablekeys"}, {AllowBusy, "allow_busy"}, {SkipMonitor, "skip_monitor"},
	{SkipSlowlog, "skip_slowlog"}, {SkipCommandLog, "skip_commandlog"}, {Asking, "asking"},
}

// Names returns the flags that COMMAND INFO shows, in Redis' order.
func (f Flags) Names() (names []string) {
	for _, n := range flagNames {
		if f.Has(n.flag) {
			names = append(names, n.name)
		}
	}
	return names
}

// FullName returns the name with that of the container: "config|get".
func (c *Command) FullName() string {
	if c.container != nil {
		return c.container.Name + "|" + c.Name
	}
	return c.Name
}

// arityOK reports whether the command may be called with n arguments, the name included.
func (c *Command) arityOK(n int) bool {
	if c.Arity < 0 {
		return n >= -c.Arity
	}
	return n == c.Arity
}
