package admin

// DEBUG has the subcommands that the tests of Redis and of client libraries use. As in Redis it is no container:
// COMMAND knows no subcommands, and they have a table of their own here. DEBUG holds all shards.

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// debugCommand is a subcommand of DEBUG. DEBUG is no container in Redis, so these have no rows of their own, and no
// ACL rule can name one.
type debugCommand struct {
	usage       string // the name first
	least, most int    // words, DEBUG included; most is 0 where there is no bound
	summary     string
	run         func(*command.Call) resp.Value
}

// debugCommands are those of Redis that need neither replicas nor files.
var debugCommands = []debugCommand{
	{"CHANGE-REPL-ID", 2, 2, "Does nothing: there are no replicas.", debugNothing},
	{"DIGEST", 2, 2, "Prints a hash of all data.", debugDigest},
	{"DIGEST-VALUE <key> [<key> ...]", 2, 0, "Prints a hash of the value of each key.", debugDigestValue},
	{"ERROR <string>", 3, 3, "Answers an error with <string> as its text.", debugError},
	{"HTSTATS <dbid>", 3, 3, "Tells how the keys of a database are spread over its tables.", debugHTStats},
	{"HTSTATS-KEY <key>", 3, 3, "Tells how the elements of a value are spread over its table.", debugHTStatsKey},
	{"LISTPACK <key>", 3, 3, "Writes the elements of a small value to the log.", debugListpack},
	{"LOADAOF", 2, 2, "Does the same as RELOAD.", debugReload},
	{"LOG <message>", 3, 3, "Writes <message> to the server's log.", debugLog},
	{"OBJECT <key>", 3, 3, "Tells how the value of a key is kept.", debugObject},
	{"PAUSE-CRON <0|1>", 3, 3, "Does nothing: there is no such job.", debugNothing},
	{"POPULATE <count> [<prefix>] [<size>]", 3, 5, "Creates <count> strings.", debugPopulate},
	{"PROTOCOL <type>", 3, 3, "Answers a value of a type of the protocol.", debugProtocol},
	{"QUICKLIST <key> [<0|1>]", 3, 4, "Writes the elements of a list to the log.", debugQuicklist},
	{"QUICKLIST-PACKED-THRESHOLD <size>", 3, 3,
		"Sets from what size on an element of a list is dumped in a node of its own. 0 restores the default.",
		debugPlainSize},
	{"RELOAD [MERGE | NOFLUSH | NOSAVE ...]", 2, 0, "Writes every value as DUMP does and reads it back.", debugReload},
	{"SET-ACTIVE-EXPIRE <0|1>", 3, 3, "0 leaves expired keys until a command uses them.",
		debugActiveExpire},
	{"SET-DISABLE-DENY-SCRIPTS <0|1>", 3, 3,
		"1 lets scripts call commands that they may not call otherwise, except some that can't run there.", debugNoScript},
	{"SET-SKIP-CHECKSUM-VALIDATION <0|1>", 3, 3, "1 lets RESTORE take payloads with wrong checksums.",
		debugSkipChecksum},
	{"SLEEP <seconds>", 3, 3, "Stops all commands that need keys for <seconds>. Decimals are allowed.", debugSleep},
}

// runDebug runs a subcommand of DEBUG. As in Redis an unknown one and a wrong number of arguments have the same error.
func runDebug(c *command.Call) resp.Value {
	if c.Is(1, "help") && c.Len() == 2 {
		return debugHelp()
	}
	for i := range debugCommands {
		d := &debugCommands[i]
		name, _, _ := strings.Cut(d.usage, " ")
		if c.Is(1, name) && c.Len() >= d.least && (d.most == 0 || c.Len() <= d.most) {
			return d.run(c)
		}
	}
	return resp.Error("ERR unknown subcommand or wrong number of arguments for '" + command.Clip(c.Arg(1), 128) +
		"'. Try DEBUG HELP.")
}

// debugHelp returns the subcommands with their usage: DEBUG HELP. command.Help can't make it, since there are no rows.
func debugHelp() resp.Value {
	lines := []resp.Value{resp.Status("DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")}
	for _, d := range debugCommands {
		lines = append(lines, resp.Status(d.usage), resp.Status("    "+d.summary))
	}
	return resp.Array(append(lines, resp.Status("HELP"), resp.Status("    Prints this help."))...)
}

// debugNothing is the handler of subcommands for what does not exist here.
func debugNothing(*command.Call) resp.Value { return resp.OK }

// debugError returns its argument as an error reply, so that clients can test how they handle one.
func debugError(c *command.Call) resp.Value { return resp.Error(string(c.Arg(2))) }

// debugLog writes a message to the log, at the level of warnings: Redis logs it as LL_WARNING.
func debugLog(c *command.Call) resp.Value {
	c.Env().Log.Warn("DEBUG LOG", "message", string(c.Arg(2)))
	return resp.OK
}

// flag parses argument i as a boolean number. An argument that is not an integer is 0, as for atoi in C.
func flag(c *command.Call, i int) bool {
	n, _ := strconv.Atoi(string(c.Arg(i)))
	return n != 0
}

// debugActiveExpire turns the removal of expired keys by timer off and on. While it is off, keys still expire for
// every command that uses them.
func debugActiveExpire(c *command.Call) resp.Value {
	c.Env().Store.SetActiveExpiry(flag(c, 2))
	return resp.OK
}

// debugSkipChecksum turns the check of checksums by RESTORE off and on.
func debugSkipChecksum(c *command.Call) resp.Value {
	c.Env().SkipChecksum.Store(flag(c, 2))
	return resp.OK
}

// debugNoScript lets scripts call commands with the flag noscript, or denies that again.
func debugNoScript(c *command.Call) resp.Value {
	c.Env().NoScriptIgnored.Store(flag(c, 2))
	return resp.OK
}

// debugSleep holds all shards for a number of seconds on the server's clock, so that a test can end it by advancing the
// clock. It ends with the server. An argument that is not a number is 0.
func debugSleep(c *command.Call) resp.Value {
	seconds, err := strconv.ParseFloat(string(c.Arg(2)), 64)
	if err == nil && seconds > 0 {
		done := make(chan struct{})
		timer := c.Env().Clock.AfterFunc(time.Duration(seconds*float64(time.Second)), func() { close(done) })
		defer timer.Stop()
		select {
		case <-done:
		case <-c.Env().Stopped():
		}
	}
	return resp.OK
}

// debugPopulate creates the keys prefix:0, prefix:1 and so on that do not exist yet, with the values value:0, value:1
// and so on, cut or padded with zero bytes if a size is given. Existing keys are not changed.
func debugPopulate(c *command.Call) resp.Value {
	count, err := c.AtLeast(2, 0, command.ErrNotPositive)
	prefix, size := []byte("key"), 0
	if err == nil && c.Len() > 3 {
		prefix = c.Arg(3)
	}
	if err == nil && c.Len() > 4 {
		size, err = c.AtLeast(4, 0, command.ErrNotPositive)
	}
	if err != nil {
		return c.Fail(err)
	}
	for i := range count {
		populate(c, append(slices.Clone(prefix), ":"+strconv.Itoa(i)...), "value:"+strconv.Itoa(i), size)
	}
	return resp.OK
}

// populate creates one string, unless the key exists.
func populate(c *command.Call, key []byte, text string, size int) {
	if c.Tx.Lookup(key, store.NoStats).Exists() {
		return
	}
	value := []byte(text)
	if size > 0 {
		value = make([]byte, min(size, store.MaxStringSize))
		copy(value, text)
	}
	c.Tx.SetString(key, value, false)
}
