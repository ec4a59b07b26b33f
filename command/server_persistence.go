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
	c.Env().Stats.saves.saved(c)
	return resp.OK
}

func bgsave(c *Call) resp.Value {
	if c.Len() > 2 || c.Len() == 2 && !c.Is(1, "schedule") {
		return c.Fail(errSyntax)
	}
	stats := &c.Env().Stats.saves
	stats.saved(c)
	stats.background.Store(true)
	return resp.Status("Background saving started")
}

func bgRewriteAOF(c *Call) resp.Value {
	stats := &c.Env().Stats.saves
	stats.rewrites.Add(1)
	stats.rewritten.Store(true)
	return resp.Status("Background append only file rewriting started")
}

func lastSave(c *Call) resp.Value { return resp.Int(c.Env().lastSave()) }

// lastSave is when SAVE was last called, in seconds since the epoch; before that, when the server started.
func (e *Env) lastSave() int64 { return max(e.Started.Unix(), e.Stats.saves.at.Load()) }
