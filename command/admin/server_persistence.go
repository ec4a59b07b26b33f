package admin

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// persistenceCommands are the commands about files. There are none: all succeed at once and only count themselves, for
// INFO and LASTSAVE.
var persistenceCommands = []command.Command{
	{Name: "bgrewriteaof", Arity: 1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading, Since: "1.0.0",
		Summary: "Answers as if it rewrote the append-only file in the background; there are no files.",
		Run:     bgRewriteAOF},
	{Name: "bgsave", Usage: "[SCHEDULE]", Arity: -1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading,
		Keys: command.Whole, Since: "1.0.0",
		Summary: "Answers as if it saved the databases in the background; there are no files.", Run: bgsave},
	{Name: "lastsave", Arity: 1, Flags: command.Loading | command.Stale | command.Fast, Categories: "admin dangerous",
		Since: "1.0.0", Tips: "nondeterministic_output",
		Summary: "Tells when SAVE or BGSAVE was last called.", Run: lastSave},
	{Name: "save", Arity: 1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading | command.NoMulti,
		Keys: command.Whole, Since: "1.0.0",
		Summary: "Answers as if it saved the databases; there are no files.", Run: save},
}

// save counts a save: SAVE. Like Redis it is not allowed within MULTI.
func save(c *command.Call) resp.Value {
	saved(c)
	return resp.OK
}

// saved counts a save. INFO shows the changes of the data since then.
func saved(c *command.Call) { c.Env().Stats.Saves.Add(c.Tx.Time().Unix(), c.Tx.Dirty()) }

// bgsave counts a save: BGSAVE [SCHEDULE]. Unlike in Redis it never fails because another one runs.
func bgsave(c *command.Call) resp.Value {
	if c.Len() > 2 || c.Len() == 2 && !c.Is(1, "schedule") {
		return c.Fail(command.ErrSyntax)
	}
	saved(c)
	c.Env().Stats.Saves.Background.Store(true)
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
func lastSave(c *command.Call) resp.Value { return resp.Int(lastSaveTime(c.Env())) }

// lastSaveTime returns when SAVE or BGSAVE was last called, in seconds since the epoch; before the first call it is
// when the server started, as in Redis.
func lastSaveTime(e *command.Env) int64 { return max(e.Started().Unix(), e.Stats.Saves.At.Load()) }
