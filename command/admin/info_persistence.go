package admin

import (
	"github.com/minilockd/minilockd/command/persistence"
	"github.com/minilockd/minilockd/internal/stats"
)

// infoPersistence is the section of the RDB file. In a server without one SAVE and BGSAVE succeed at once, and so does
// BGREWRITEAOF in any server: a client that waits for a save goes on.
var infoPersistence = []infoField{
	constant("loading", 0),
	constant("async_loading", 0),
	constant("current_cow_peak", 0),
	constant("current_cow_size", 0),
	constant("current_cow_size_age", 0),
	constant("current_fork_perc", "0.00"),
	constant("current_save_keys_processed", 0),
	constant("current_save_keys_total", 0),
	{"rdb_changes_since_last_save", func(r *infoReport) any { return r.Tx.Dirty() - r.saves().Changes.Load() }},
	{"rdb_bgsave_in_progress", func(r *infoReport) any { return zeroOne(r.background().Running) }},
	{"rdb_last_save_time", func(r *infoReport) any { return persistence.LastSave(r.Env()) }},
	{"rdb_last_bgsave_status", func(r *infoReport) any { return okOrErr(r.background().Failed) }},
	{"rdb_last_bgsave_time_sec", func(r *infoReport) any { return r.background().Duration }},
	{"rdb_current_bgsave_time_sec", func(r *infoReport) any { return r.background().For }},
	{"rdb_saves", func(r *infoReport) any { return r.saves().Count.Load() }},
	constant("rdb_last_cow_size", 0),
	constant("rdb_last_load_keys_expired", 0),
	constant("rdb_last_load_keys_loaded", 0),
	constant("aof_enabled", 0),
	constant("aof_rewrite_in_progress", 0),
	constant("aof_rewrite_scheduled", 0),
	{"aof_last_rewrite_time_sec", func(r *infoReport) any { return lastDuration(r.saves().Rewritten.Load()) }},
	constant("aof_current_rewrite_time_sec", -1),
	constant("aof_last_bgrewrite_status", "ok"),
	{"aof_rewrites", func(r *infoReport) any { return r.saves().Rewrites.Load() }},
	constant("aof_rewrites_consecutive_failures", 0),
	constant("aof_last_write_status", "ok"),
	constant("aof_last_cow_size", 0),
	constant("module_fork_in_progress", 0),
	constant("module_fork_last_cow_size", 0),
	only("valkey-9.0", constant("slot_migration_fork_in_progress", 0)),
}

// background returns what is known of saves in the background.
func (r *infoReport) background() persistence.Status {
	return persistence.Of(r.Env()).Status(r.Tx.Time())
}

func okOrErr(failed bool) string {
	if failed {
		return "err"
	}
	return "ok"
}

// saves returns the counters of SAVE and the like.
func (r *infoReport) saves() *stats.Saves { return &r.Env().Stats.Saves }

// lastDuration returns the seconds that the last save needed: 0, or -1 if there never was one.
func lastDuration(ever bool) int {
	if ever {
		return 0
	}
	return -1
}
