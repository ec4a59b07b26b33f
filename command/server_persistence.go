package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

// There are no files: these commands answer as a Redis does that has nothing to save.
var persistenceCommands = []Command{
	{Name: "bgrewriteaof", Arity: 1, Flags: Admin | NoScript | NoAsyncLoading, Since: "1.0.0",
		Summary: "Answers as if it rewrote the append-only file in the background; there are no files.", Run: bgRewriteAOF},
	{Name: "bgsave", Usage: "[SCHEDULE]", Arity: -1, Flags: Admin | NoScript | NoAsyncLoading, Keys: Whole, Since: "1.0.0",
		Summary: "Answers as if it saved the databases in the background; there are no files.", Run: bgsave},
	{Name: "lastsave", Arity: 1, Flags: Loading | Stale | Fast, Categories: "admin dangerous", Since: "1.0.0",
		Tips:    "nondeterministic_output",
		Summary: "Tells when SAVE or BGSAVE was last called.", Run: lastSave},
	{Name: "save", Arity: 1, Flags: Admin | NoScript | NoAsyncLoading | NoMulti, Keys: Whole, Since: "1.0.0",
		Summary: "Answers as if it saved the databases; there are no files.", Run: save},
}

func save(c *Call) resp.Value {
	saved(c)
	return resp.OK
}

// saved counts a save.
func saved(c *Call) { c.Env().Stats.Saves.Add(c.Tx.Time().Unix(), c.Tx.Dirty()) }

func bgsave(c *Call) resp.Value {
	if c.Len() > 2 || c.Len() == 2 && !c.Is(1, "schedule") {
		return c.Fail(errSyntax)
	}
	saved(c)
	c.Env().Stats.Saves.Background.Store(true)
	return resp.Status("Background saving started")
}

func bgRewriteAOF(c *Call) resp.Value {
	saves := &c.Env().Stats.Saves
	saves.Rewrites.Add(1)
	saves.Rewritten.Store(true)
	return resp.Status("Background append only file rewriting started")
}

func lastSave(c *Call) resp.Value { return resp.Int(c.Env().lastSave()) }

// lastSave is when SAVE was last called, in seconds since the epoch; before that, when the server started.
func (e *Env) lastSave() int64 { return max(e.Started.Unix(), e.Stats.Saves.At.Load()) }
