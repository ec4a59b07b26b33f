package persistence

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Families returns the commands of this package, by the group of COMMAND DOCS.
func Families() []command.Family { return []command.Family{{Group: "server", Rows: commands}} }

// commands are those about files. In a server without a file all succeed at once and only count themselves, for INFO
// and LASTSAVE. There is no append-only file.
var commands = []command.Command{
	{Name: "bgrewriteaof", Arity: 1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading, Since: "1.0.0",
		Summary: "Answers as if it rewrote the append-only file in the background; there is none.",
		Run:     bgRewriteAOF},
	{Name: "bgsave", Usage: "[SCHEDULE]", Arity: -1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading,
		Keys: command.Whole, Since: "1.0.0",
		Summary: "Saves the databases in the background, if the server was started with dir or dbfilename.", Run: bgsave},
	{Name: "lastsave", Arity: 1, Flags: command.Loading | command.Stale | command.Fast, Categories: "admin dangerous",
		Since: "1.0.0", Tips: "nondeterministic_output",
		Summary: "Tells when the databases were last saved.", Run: lastSave},
	{Name: "save", Arity: 1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading | command.NoMulti,
		Keys: command.Whole, Since: "1.0.0",
		Summary: "Saves the databases, if the server was started with dir or dbfilename.", Run: save},
}

var (
	errSaving = errors.New("ERR Background save already in progress")
	errSave   = errors.New("ERR") // why is in the log
)

// save saves the data: SAVE. Like Redis it is not allowed within MULTI.
func save(c *command.Call) resp.Value {
	d := Of(c.Env())
	path, ok := c.Env().Config.DataFile()
	switch {
	case !ok:
		saved(c)
		return resp.OK
	case d.Running():
		return c.Fail(errSaving)
	}
	if err := d.save(c.Tx, path); err != nil {
		c.Env().Stats.Saves.Count.Add(1)
		return c.Fail(errSave)
	}
	return resp.OK
}

// saved counts a save. INFO shows the changes of the data since then.
func saved(c *command.Call) { c.Env().Stats.Saves.Add(c.Tx.Time().Unix(), c.Tx.Dirty()) }

// bgsave saves the data in the background: BGSAVE [SCHEDULE]. EXEC schedules it, since it may have changed something.
func bgsave(c *command.Call) resp.Value {
	if c.Len() > 2 || c.Len() == 2 && !c.Is(1, "schedule") {
		return c.Fail(command.ErrSyntax)
	}
	d := Of(c.Env())
	path, ok := c.Env().Config.DataFile()
	switch {
	case !ok:
		saved(c)
		d.pretend()
	case d.Running():
		return c.Fail(errSaving)
	case c.Nested():
		c.Tx.Defer(store.EffectFunc(d.schedule))
	case !d.start(c.Tx, path, func() {}):
		return c.Fail(errSaving)
	}
	if c.Nested() {
		return resp.Status("Background saving scheduled")
	}
	return resp.Status("Background saving started")
}

// bgRewriteAOF counts a rewrite of the append-only file: BGREWRITEAOF. It is no save.
func bgRewriteAOF(c *command.Call) resp.Value {
	saves := &c.Env().Stats.Saves
	saves.Rewrites.Add(1)
	saves.Rewritten.Store(true)
	if c.Nested() {
		return resp.Status("Background append only file rewriting scheduled")
	}
	return resp.Status("Background append only file rewriting started")
}

// lastSave returns the time of the last save in seconds since the epoch: LASTSAVE.
func lastSave(c *command.Call) resp.Value { return resp.Int(LastSave(c.Env())) }

// LastSave returns when the data was last saved, in seconds since the epoch; before the first save it is when the
// server started, as in Redis.
func LastSave(e *command.Env) int64 { return max(e.Started().Unix(), e.Stats.Saves.At.Load()) }
