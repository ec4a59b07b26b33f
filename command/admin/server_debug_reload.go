package admin

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errReloadOption = errors.New("ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.")
	errReload       = errors.New("ERR Error trying to load the RDB dump, check server logs.")
)

// debugReload writes every value of all databases as DUMP does and reads it back, which is what remains of saving and
// loading without a file. Keys keep their expiry, those whose time has come go. The options say what to do with a
// file's keys and the present ones, which are always the same here.
func debugReload(c *command.Call) resp.Value {
	saves, flushes := true, true
	for i := 2; i < c.Len(); i++ {
		saves = saves && !c.Is(i, "nosave")
		flushes = flushes && !c.Is(i, "noflush")
		if !c.Is(i, "merge") && !c.Is(i, "noflush") && !c.Is(i, "nosave") {
			return c.Fail(errReloadOption)
		}
	}
	for db := range c.Env().Store.Databases() {
		var err error
		c.Tx.In(db, func() {
			err = c.Tx.Renew(func(key []byte, v store.Value) (store.Value, error) { return reloaded(c, key, v) })
		})
		if err != nil {
			return c.Fail(errReload)
		}
	}
	if flushes {
		renewEngine(c)
	}
	if saves {
		c.Env().Stats.Saves.Changes.Store(c.Tx.Dirty())
	}
	return resp.OK
}

// reloaded returns a value that is decoded from the dump of v, and logs an error, which would be a bug.
func reloaded(c *command.Call, key []byte, v store.Value) (store.Value, error) {
	t, version := c.Env().Store.Thresholds(), c.Env().Table.Server.RDB
	v, err := dump.Decode(dump.Encode(v, version, t), version, 0, t)
	if err != nil {
		c.Env().Log.Error("DEBUG RELOAD", "key", string(key), "error", err)
	}
	return v, err
}
