package admin

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/persistence"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errReloadOption = errors.New("ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.")
	errReload       = errors.New("ERR Error trying to load the RDB dump, check server logs.")
	errReloadSave   = errors.New("ERR")
)

// debugReload saves all databases and loads them again: DEBUG RELOAD [MERGE] [NOFLUSH] [NOSAVE]. A server with a file
// writes that, or with NOSAVE loads what it has. One without makes the same file in memory, so that the options, which
// say what to do with the file's keys and the present ones, make no difference.
func debugReload(c *command.Call) resp.Value {
	saves, flushes := true, true
	for i := 2; i < c.Len(); i++ {
		saves = saves && !c.Is(i, "nosave")
		flushes = flushes && !c.Is(i, "noflush")
		if !c.Is(i, "merge") && !c.Is(i, "noflush") && !c.Is(i, "nosave") {
			return c.Fail(errReloadOption)
		}
	}
	disk := persistence.Of(c.Env())
	if !saves && disk.Keeps() {
		return reloadFromDisk(c, disk, !flushes)
	}
	if saves {
		if err := disk.SaveIn(c.Tx); err != nil {
			return c.Fail(errReloadSave)
		}
	}
	if err := reload(c); err != nil {
		c.Env().Log.Error("DEBUG RELOAD", "error", err)
		return c.Fail(errReload)
	}
	if flushes {
		renewEngine(c)
	}
	if saves {
		c.Env().Stats.Saves.Changes.Store(c.Tx.Dirty())
	}
	return resp.OK
}

// reloadFromDisk loads the RDB file. If keeps is set, keys that it does not have stay.
func reloadFromDisk(c *command.Call, disk *persistence.Disk, keeps bool) resp.Value {
	if err := disk.LoadIn(c.Tx, keeps); err != nil {
		c.Env().Log.Error("DEBUG RELOAD", "error", err)
		return c.Fail(errReload)
	}
	c.Env().Stats.Saves.Changes.Store(c.Tx.Dirty())
	return resp.OK
}

// reload gives all keys the values that they have in an RDB file of now. To clients nothing changes, so there are no
// events; keys whose time has come go.
func reload(c *command.Call) error {
	data := rdbfile.Append(nil, c.Tx, persistence.Facts(c.Env(), c.Tx))
	file, err := rdbfile.Read(data, c.Env().Store.Thresholds())
	if err != nil {
		return err
	}
	databases := make([]map[string]store.Value, c.Env().Store.Databases())
	for _, k := range file.Keys {
		if databases[k.DB] == nil {
			databases[k.DB] = map[string]store.Value{}
		}
		databases[k.DB][string(k.Name)] = k.Value
	}
	for db, values := range databases {
		c.Tx.In(db, func() {
			err = errors.Join(err, c.Tx.Renew(func(key []byte, _ store.Value) (store.Value, error) {
				if v := values[string(key)]; v != nil {
					return v, nil
				}
				return nil, errNotInFile
			}))
		})
	}
	return err
}

// errNotInFile would be a bug.
var errNotInFile = errors.New("a key is missing in the file")
