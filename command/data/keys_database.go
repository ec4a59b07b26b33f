package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

// Commands on whole databases. ASYNC and SYNC mean the same here: the store drops a database in one step, and the
// garbage collector frees it. Only INFO shows a difference (lazyfreed_objects).

var databaseCommands = []command.Command{
	{Name: "dbsize", Arity: 1, Flags: readOnlyFast, Keys: command.Whole,
		Since: "1.0.0", Tips: "request_policy:all_shards response_policy:agg_sum",
		Summary: "Returns the number of keys in the selected database.", Run: dbsize},
	{Name: "flushall", Usage: "[ASYNC | SYNC]", Arity: -1, Flags: command.Write | command.Dangerous,
		Databases: command.Databases{All: true},
		Keys:      command.Whole, Since: "1.0.0", Tips: "request_policy:all_shards response_policy:all_succeeded",
		Summary: "Removes all keys from all databases.", Run: flushall},
	{Name: "flushdb", Usage: "[ASYNC | SYNC]", Arity: -1, Flags: command.Write | command.Dangerous,
		Keys: command.Whole, Since: "1.0.0", Tips: "request_policy:all_shards response_policy:all_succeeded",
		Summary: "Removes all keys from the selected database.", Run: flushdb},
	{Name: "swapdb", Usage: "index1 index2", Arity: 3, Flags: writeFast | command.Dangerous,
		Databases: command.Databases{Args: command.Positions(1, 2), NotSelected: true},
		Keys:      command.Whole, Since: "4.0.0",
		Summary: "Exchanges two databases.", Run: swapdb},
}

// These tell which of the two indexes is not an integer of 32 bits. One that is out of range has the error of SELECT.
var (
	errFirstDB  = errors.New("ERR invalid first DB index")
	errSecondDB = errors.New("ERR invalid second DB index")
)

// dbsize implements DBSIZE. It counts keys that have expired but were not removed yet, as Redis does.
func dbsize(c *command.Call) resp.Value { return resp.Int(int64(c.Tx.Size(c.Tx.DB()))) }

// checkFlush checks the arguments of both forms.
func checkFlush(c *command.Call) error {
	if c.Len() == 1 || c.Len() == 2 && (c.Is(1, "async") || c.Is(1, "sync")) {
		return nil
	}
	return command.ErrSyntax
}

// flushdb implements FLUSHDB [ASYNC | SYNC]. Neither here nor in Redis does each key have an event. Clients that cache
// keys are sent an invalidation of everything, also of other databases, as after FLUSHALL.
func flushdb(c *command.Call) resp.Value {
	if err := checkFlush(c); err != nil {
		return c.Fail(err)
	}
	flush(c, c.Tx.DB())
	c.PropagateItself()
	c.Flushed(c.Is(1, "async"))
	return resp.OK
}

// flushall implements FLUSHALL [ASYNC | SYNC]: FLUSHDB of each database in one transaction.
func flushall(c *command.Call) resp.Value {
	if err := checkFlush(c); err != nil {
		return c.Fail(err)
	}
	for db := range c.Env().Store.Databases() {
		flush(c, db)
	}
	c.PropagateItself()
	c.Flushed(c.Is(1, "async"))
	return resp.OK
}

// flush deletes all keys of a database. Each key counts as a change, and clients that watch one of them see it.
func flush(c *command.Call, db int) {
	if n := c.Tx.Flush(db); flushesInBackground(c) {
		c.Session.Add(&c.Env().Stats.LazyFreed, int64(n))
	}
}

// flushesInBackground reports whether the keys of a flush count as freed in the background: with ASYNC, with
// lazyfree-lazy-user-flush, or where the client waits for that anyway.
func flushesInBackground(c *command.Call) bool {
	return c.Is(1, "async") || !c.Nested() && c.Does(emulate.FlushInBackground) ||
		c.Len() == 1 && c.Env().Config.Get("lazyfree-lazy-user-flush") == "yes"
}

// parseDatabase reads argument i as the number of an existing database.
func parseDatabase(c *command.Call, i int) (int, error) {
	n, err := c.Int32(i)
	if err != nil {
		return 0, err
	}
	return int(n), c.CheckDatabases(n)
}

// swapdb implements SWAPDB index1 index2. It has an error of its own for each index that is not an integer; an index
// out of range is one error for both. Exchanging a database with itself counts as a change, too.
func swapdb(c *command.Call) resp.Value {
	if c.Env().Cluster != nil {
		return resp.Error("ERR SWAPDB is not allowed in cluster mode")
	}
	a, err := c.Int32(1)
	if err != nil {
		return c.Fail(errFirstDB)
	}
	b, err := c.Int32(2)
	if err != nil {
		return c.Fail(errSecondDB)
	}
	if err := c.CheckDatabases(a, b); err != nil {
		return c.Fail(err)
	}
	if a != b {
		c.Tx.Swap(int(a), int(b))
		c.Env().AnyChanged(c.Tx)
	}
	c.Tx.CountChanges(1)
	return resp.OK
}
