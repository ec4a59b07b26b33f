package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// OBJECT shows what Redis knows about a key in addition to its value. Values here are not kept as Redis keeps them, so
// ENCODING and REFCOUNT derive from the type, the size and the thresholds what a Redis would reply (OBJECT ENCODING
// command page). Clients and Redis' own tests depend on these replies.

var objectCommands = []command.Command{
	{Name: "object", Usage: "subcommand [argument ...]", Arity: -2, Since: "2.2.3",
		Summary: "Inspects the values of keys.", Sub: []command.Command{
			{Name: "encoding", Usage: "key", Arity: 3, Flags: command.ReadOnly, Keys: secondArg, Access: "RO",
				Since: "2.2.3", Tips: "nondeterministic_output",
				Summary: "Returns how the value of a key is kept in memory.", Run: object(Encoding)},
			{Name: "freq", Usage: "key", Arity: 3, Flags: command.ReadOnly, Keys: secondArg, Access: "RO",
				Since: "4.0.0", Tips: "nondeterministic_output",
				Summary: "Returns how often a key is used, if the eviction policy counts that.",
				Run:     object(frequency)},
			{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "6.2.0",
				Summary: "Lists the subcommands.", Run: command.Help},
			{Name: "idletime", Usage: "key", Arity: 3, Flags: command.ReadOnly, Keys: secondArg, Access: "RO",
				Since: "2.2.3", Tips: "nondeterministic_output",
				Summary: "Returns how long a key has not been used, in seconds.", Run: object(idleTime)},
			{Name: "refcount", Usage: "key", Arity: 3, Flags: command.ReadOnly, Keys: secondArg, Access: "RO",
				Since: "2.2.3", Tips: "nondeterministic_output",
				Summary: "Returns how often the value of a key is referred to.", Run: object(RefCount)},
		}},
}

// secondArg is the key of a subcommand: the argument after its name.
var secondArg = command.Keys{First: 2, Last: 2, Step: 1}

// LRU and LFU data share 24 bits in Redis, so only one of the two subcommands works at a time.
var (
	errNoLFU = errors.New("ERR An LFU maxmemory policy is not selected, access frequency not tracked. " +
		policySwitchNote)
	errLFU = errors.New("ERR An LFU maxmemory policy is selected, idle time not tracked. " + policySwitchNote)
)

// policySwitchNote ends both errors.
const policySwitchNote = "Please note that when switching between policies at runtime LRU and LFU data " +
	"will take some time to adjust."

// object returns the handler of OBJECT subcommand key. It replies null for a missing key, and reading it here does not
// mark the key as used, nor count as hit or miss.
func object(reply func(*command.Call, store.Entry) resp.Value) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		e := c.Tx.Lookup(c.Key(2), store.Inspect)
		if !e.Exists() {
			return resp.Null
		}
		return reply(c, e)
	}
}

// RefCount returns the reference count of a value: 1, or the maximum for integers from 0 to 9999, which Redis shares.
// With maxmemory set, a policy that needs the age of each value prevents that, and so do values that hold their key.
func RefCount(c *command.Call, e store.Entry) resp.Value {
	const shared, sharedIntegers = 1<<31 - 1, 10000
	limits := c.Env().Store.Limits()
	s, ok := e.Value().(*store.String)
	if ok && (limits.Memory == 0 || !limits.Policy.Ages()) && !c.Does(emulate.EmbedsBesideKey) {
		if n, ok := intEncoded(s); ok && 0 <= n && n < sharedIntegers {
			return resp.Int(shared)
		}
	}
	return resp.One
}

// idleTime is OBJECT IDLETIME: the seconds since the last use, which an LFU policy does not keep. For a missing key the
// reply is null even then.
func idleTime(c *command.Call, e store.Entry) resp.Value {
	if c.Env().Store.Limits().Policy.CountsUses() {
		return c.Fail(errLFU)
	}
	return resp.Int(c.Tx.Idle(e))
}

// frequency is OBJECT FREQ: the LFU counter (0 to 255), which only an LFU policy keeps. It grows with the logarithm of
// the number of uses and decreases over time (lfu-log-factor, lfu-decay-time).
func frequency(c *command.Call, e store.Entry) resp.Value {
	if !c.Env().Store.Limits().Policy.CountsUses() {
		return c.Fail(errNoLFU)
	}
	return resp.Int(c.Tx.Frequency(e))
}

// Encoding is OBJECT ENCODING: the name of the encoding that Redis would choose. DEBUG OBJECT prints it, too.
func Encoding(c *command.Call, e store.Entry) resp.Value {
	switch v := e.Value().(type) {
	case *store.String:
		return resp.BulkString(stringEncoding(c, e, v))
	case *store.List:
		return resp.BulkString(either(v.Small() && c.Does(emulate.EncodesSmallLists), "listpack", "quicklist"))
	case *store.Set:
		if v.Short() && c.Does(emulate.EncodesSmallSets) {
			return resp.BulkString("listpack")
		}
		return resp.BulkString(either(v.Packed(), "intset", "hashtable"))
	case *store.ZSet:
		return resp.BulkString(either(v.Packed(), "listpack", "skiplist"))
	case *store.Hash:
		if v.PackedWithDeadlines() {
			return resp.BulkString("listpackex")
		}
		return resp.BulkString(either(v.Packed(), "listpack", "hashtable"))
	}
	return resp.BulkString("stream")
}

// either returns a if first is true, else b.
func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// stringEncoding returns the encoding of a string: int, embstr if it is short, or raw. A string that was changed in
// place (as by APPEND) stays raw.
func stringEncoding(c *command.Call, e store.Entry, s *store.String) string {
	if _, ok := intEncoded(s); ok {
		return "int"
	}
	return either(len(s.Bytes()) <= embeddedMax(c, e) && !s.Raw(), "embstr", "raw")
}

// embeddedMax is the length up to which a string is in one piece of memory with its header. Later servers put the key
// into that piece, too: its header is larger from 32 bytes on, and it may need room for an expiry.
func embeddedMax(c *command.Call, e store.Entry) int {
	const longKey = 32
	_, expires := e.ExpireAt()
	switch short := e.KeyLen() < longKey; {
	case c.Does(emulate.EmbedsLonger) && short:
		return 113 - e.KeyLen()
	case c.Does(emulate.EmbedsLonger):
		return 111 - e.KeyLen()
	case c.Does(emulate.EmbedsBesideKey) && short && expires:
		return 33 - e.KeyLen()
	case c.Does(emulate.EmbedsBesideKey):
		return 41 - e.KeyLen()
	}
	return 44
}

// intEncoded returns the integer that Redis stores in place of a string, if it does: not for raw strings, nor for
// results of INCRBYFLOAT.
func intEncoded(s *store.String) (n int64, ok bool) {
	if s.Raw() || s.Text() {
		return 0, false
	}
	n, err := command.ParseInt(s.Bytes())
	return n, err == nil
}
