package data

import (
	"bytes"
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// RENAME, MOVE and COPY keep the expiry of a key. MOVE and COPY may address another database: Tx.In runs a function
// there. Both keys are modified for WATCH and have an event.

var moveCommands = []command.Command{
	{Name: "copy", Usage: "source destination [DB destination-db] [REPLACE]", Arity: -3, Flags: writeDenyOOM,
		Databases: command.Databases{Args: copyDatabases},
		Keys:      command.TwoKeys, Access: "RO access, OW update", Since: "6.2.0",
		Summary: "Copies the value and the expiry of a key to another key.", Run: copyKey},
	{Name: "move", Usage: "key db", Arity: 3, Flags: writeFast, Keys: command.OneKey,
		Databases: command.Databases{Args: command.Positions(2)},
		Access:    "RW access update", Since: "1.0.0",
		Summary: "Moves a key to another database.", Run: moveKey},
	{Name: "rename", Usage: "key newkey", Arity: 3, Flags: command.Write, Keys: command.TwoKeys,
		Access: "RW access delete, OW update", Since: "1.0.0",
		Summary: "Renames a key, whatever the new name held before.", Run: rename},
	{Name: "renamenx", Usage: "key newkey", Arity: 3, Flags: writeFast, Keys: command.TwoKeys,
		Access: "RW access delete, OW insert", Since: "1.0.0",
		Summary: "Renames a key, only if the new name does not exist.", Run: renamenx},
}

// errSameKey is for MOVE to the selected database, and for COPY to the same key of the same database. RENAME and
// RENAMENX have no such error.
var errSameKey = errors.New("ERR source and destination objects are the same")

// rename implements RENAME key newkey. It replaces the new key, if it exists, whatever its type, and that key has no
// event "del", as in Redis. A missing key is an error.
func rename(c *command.Call) resp.Value {
	from, to := c.Key(1), c.Key(2)
	if !c.Tx.Lookup(from, store.NoStats).Exists() {
		return c.Fail(command.ErrNoSuchKey)
	}
	renameKey(c, from, to)
	return resp.OK
}

// renamenx implements RENAMENX key newkey: 1 if it has renamed the key. It replies 0 if the new key exists, even if it
// is the old key. A missing key is an error, unlike for MOVE and COPY.
func renamenx(c *command.Call) resp.Value {
	from, to := c.Key(1), c.Key(2)
	if !c.Tx.Lookup(from, store.NoStats).Exists() {
		return c.Fail(command.ErrNoSuchKey)
	}
	if c.Tx.Lookup(to, store.NoStats).Exists() {
		return resp.Zero
	}
	renameKey(c, from, to)
	return resp.One
}

// renameKey moves the value and the expiry of a key, with the events "rename_from" and "rename_to". Renaming a key to
// itself is no change and has no event.
func renameKey(c *command.Call, from, to []byte) {
	if bytes.Equal(from, to) {
		return
	}
	val, when := c.Tx.Take(from)
	old := c.Tx.PutUntil(to, val, when)
	c.Changed(from, store.EventGeneric, "rename_from")
	c.Tx.Report(to, store.Change{Class: store.EventGeneric, Event: "rename_to"})
	c.Tx.ReportOverwritten(to, old)
}

// moveKey implements MOVE key db. It replies 0 if the source does not exist or the target does: MOVE never overwrites
// (command page). The database is checked first, so moving a missing key to its own database is an error. The events
// are "move_from" in the old and "move_to" in the new database.
func moveKey(c *command.Call) resp.Value {
	if c.OneDatabase() {
		return resp.Error("ERR MOVE is not allowed in cluster mode")
	}
	key := c.Key(1)
	db, err := parseDatabase(c, 2)
	switch {
	case err != nil:
		return c.Fail(err)
	case db == c.Tx.DB():
		return c.Fail(errSameKey)
	case !c.Tx.Lookup(key, store.NoStats).Exists() || existsIn(c, db, key):
		return resp.Zero
	}
	val, when := c.Tx.Take(key)
	c.Tx.In(db, func() { c.Tx.PutUntil(key, val, when) })
	c.Changed(key, store.EventGeneric, "move_from")
	c.Tx.In(db, func() { c.Tx.Report(key, store.Change{Class: store.EventGeneric, Event: "move_to"}) })
	return resp.One
}

// existsIn reports whether a key exists in a database.
func existsIn(c *command.Call, db int, key []byte) (found bool) {
	c.Tx.In(db, func() { found = c.Tx.Lookup(key, store.NoStats).Exists() })
	return found
}

// copyOptions are the options of COPY.
type copyOptions struct {
	db      int // the selected database if DB is not given
	replace bool
}

// copyDatabases returns the positions of the values of DB in a COPY; none if its options are invalid.
func copyDatabases(args [][]byte) (positions []int) {
	for i := 3; i < len(args); i++ {
		switch {
		case command.EqualFold(args[i], "replace"):
		case command.EqualFold(args[i], "db") && i+1 < len(args):
			i++
			positions = append(positions, i)
		default:
			return nil
		}
	}
	return positions
}

// parseCopy parses DB and REPLACE. The last DB counts, but each of them must exist.
func parseCopy(c *command.Call) (o copyOptions, err error) {
	o.db = c.Tx.DB()
	for i := 3; i < c.Len(); i++ {
		switch {
		case c.Is(i, "replace"):
			o.replace = true
		case c.Is(i, "db") && i+1 < c.Len():
			i++
			if o.db, err = parseDatabase(c, i); err != nil {
				return o, err
			}
		default:
			return o, command.ErrSyntax
		}
	}
	return o, nil
}

// copyKey implements COPY source destination [DB db] [REPLACE]. It replies 0 if the source is missing, or the
// destination exists and REPLACE is not given (command page). A copy of a key to itself is an error only within one
// database. The source stays, so only the destination has an event, "copy_to".
func copyKey(c *command.Call) resp.Value {
	from, to := c.Key(1), c.Key(2)
	o, err := parseCopy(c)
	if err != nil {
		return c.Fail(err)
	}
	if (o.db != 0 || c.Tx.DB() != 0) && c.OneDatabase() {
		return resp.Error("ERR Copying to another database is not allowed in cluster mode")
	}
	if o.db == c.Tx.DB() && bytes.Equal(from, to) {
		return c.Fail(errSameKey)
	}
	e := c.Tx.Lookup(from, store.ForRead)
	if !e.Exists() || !o.replace && existsIn(c, o.db, to) {
		return resp.Zero
	}
	when, _ := e.ExpireAt()
	val := e.Value().Clone()
	c.Tx.In(o.db, func() {
		old := c.Tx.PutUntil(to, val, when)
		c.Changed(to, store.EventGeneric, "copy_to")
		c.Tx.ReportOverwritten(to, old)
	})
	return resp.One
}
