package seed

import (
	"fmt"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// LoadRDB adds the keys and function libraries of an RDB file. Keys and libraries of the same name are replaced. As
// when redis-server starts, keys whose time has come are left out, and there are no events.
func LoadRDB(env *command.Env, data []byte) error {
	file, err := read(env, data)
	if err != nil {
		return err
	}
	env.Store.Exclusively(func(tx *store.Tx) { err = load(env, tx, file, luaeval.RestoreReplace) })
	return err
}

// Replace replaces all data by an RDB file's, unless mayReplace says otherwise within the transaction. Clients that
// watch or cache keys are notified.
func Replace(env *command.Env, data []byte, mayReplace func() bool) error {
	file, err := read(env, data)
	if err != nil {
		return err
	}
	env.Store.Exclusively(func(tx *store.Tx) {
		if !mayReplace() {
			return
		}
		for db := range env.Store.Databases() {
			tx.Flush(db)
		}
		env.AnyChanged(tx)
		if env.Tracking.Active() {
			tx.Defer(store.EffectFunc(env.Tracking.Flushed))
		}
		err = load(env, tx, file, luaeval.RestoreFlush)
	})
	return err
}

// ReplaceIn replaces all data by an RDB file's in a transaction, which must hold all shards. If keeps is set, what the
// file does not have stays.
func ReplaceIn(env *command.Env, tx *store.Tx, data []byte, keeps bool) error {
	file, err := read(env, data)
	if err != nil {
		return err
	}
	policy := luaeval.RestoreReplace
	if !keeps {
		policy = luaeval.RestoreFlush
		for db := range env.Store.Databases() {
			tx.Flush(db)
		}
	}
	return load(env, tx, file, policy)
}

// read reads a file, and checks that the server has its databases.
func read(env *command.Env, data []byte) (*rdbfile.File, error) {
	file, err := rdbfile.Read(data, env.Store.Thresholds())
	if err != nil {
		return nil, err
	}
	last := slices.MaxFunc(append(file.Keys, rdbfile.Key{}), func(a, b rdbfile.Key) int { return a.DB - b.DB })
	if has := env.Store.Databases(); last.DB >= has {
		return nil, fmt.Errorf("RDB file: key %q is in database %d, and the server has %d", last.Name, last.DB, has)
	}
	return file, nil
}

// load adds what a file has. The transaction must hold all shards.
func load(env *command.Env, tx *store.Tx, file *rdbfile.File, policy luaeval.RestorePolicy) error {
	if err := env.Scripts.Functions.Restore(file.Functions, policy); err != nil {
		return fmt.Errorf("RDB file: a function library: %w", err)
	}
	for i := range file.Keys {
		tx.In(file.Keys[i].DB, func() { put(tx, &file.Keys[i]) })
	}
	env.Replication.DataReplaced()
	return nil
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
