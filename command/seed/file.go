package seed

import (
	"fmt"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// loadFile adds the keys and function libraries of an RDB file. Keys and libraries of the same name are replaced. As
// when redis-server starts, keys whose time has come are left out, and there are no events.
func loadFile(env *command.Env, data []byte) (err error) {
	file, err := rdbfile.Read(data, env.Store.Thresholds())
	if err != nil {
		return err
	}
	last := slices.MaxFunc(append(file.Keys, rdbfile.Key{}), func(a, b rdbfile.Key) int { return a.DB - b.DB })
	if has := env.Store.Databases(); last.DB >= has {
		return fmt.Errorf("RDB file: key %q is in database %d, and the server has %d", last.Name, last.DB, has)
	}
	tx := env.Store.NewTx()
	tx.Do(store.All, false, func() {
		if err = env.Scripts.Functions.Restore(file.Functions, luaeval.RestoreReplace); err != nil {
			err = fmt.Errorf("RDB file: a function library: %w", err)
			return
		}
		for i := range file.Keys {
			tx.In(file.Keys[i].DB, func() { put(tx, &file.Keys[i]) })
		}
	}, func() {})
	return err
}

// put stores a key. Clients that watch it, cache it or wait for it are notified.
func put(tx *store.Tx, k *rdbfile.Key) {
	if k.Expires && k.When <= tx.Now() {
		return
	}
	tx.Put(k.Name, k.Value, false)
	if k.Expires {
		tx.SetExpire(k.Name, k.When)
	}
	if k.Idle >= 0 {
		tx.SetIdle(k.Name, k.Idle)
	}
	if k.Freq >= 0 {
		tx.SetFrequency(k.Name, uint8(k.Freq))
	}
	tx.Report(k.Name, store.Change{Count: 1, Wake: true})
}
