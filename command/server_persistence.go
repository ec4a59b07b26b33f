package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

// There are no files: these commands answer as a Redis does that has nothing to save.
var persistenceCommands = []Command{
	{Name: "bgrewriteaof", Arity: 1, Flags: Admin | NoScript | NoAsyncLoading, Since: "1.0.0",
		Summary: "Would rewrite the append-only file in the background.", Run: bgRewriteAOF},
	{Name: "bgsave", Usage: "[SCHEDULE]", Arity: -1, Flags: Admin | NoScript | NoAsyncLoading, Since: "1.0.0",
		Summary: "Would save the databases to disk in the background.", Run: bgsave},
	{Name: "lastsave", Arity: 1, Flags: Loading | Stale | Fast, Categories: "admin dangerous", Since: "1.0.0",
		Summary: "Tells when SAVE or BGSAVE was last called.", Run: lastSave},
	{Name: "save", Arity: 1, Flags: Admin | NoScript | NoAsyncLoading | NoMulti, Since: "1.0.0",
		Summary: "Would save the databases to disk.", Run: save},
}

func save(c *Call) resp.Value {
	c.Env().Stats.saved.Store(c.Tx.Time().Unix())
	return resp.OK
}

func bgsave(c *Call) resp.Value {
	if c.Len() > 2 || c.Len() == 2 && !c.Is(1, "schedule") {
		return c.Fail(errSyntax)
	}
	save(c)
	return resp.Status("Background saving started")
}

func bgRewriteAOF(*Call) resp.Value {
	return resp.Status("Background append only file rewriting started")
}

func lastSave(c *Call) resp.Value { return resp.Int(c.Env().lastSave()) }

// lastSave is when SAVE was last called, in seconds since the epoch; before that, when the server started.
func (e *Env) lastSave() int64 { return max(e.Started.Unix(), e.Stats.saved.Load()) }
