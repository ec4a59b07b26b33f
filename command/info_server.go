package command

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

func infoServer(r *infoReport) {
	e, now := r.Env(), r.Tx.Time()
	uptime := int64(now.Sub(e.Started).Seconds())
	executable, _ := os.Executable()
	r.line("redis_version", RedisVersion)
	r.line("minilockd_version", Version())
	r.line("redis_mode", "standalone")
	r.line("os", runtime.GOOS+" "+runtime.GOARCH)
	r.line("arch_bits", strconv.IntSize)
	r.line("go_version", runtime.Version())
	r.line("process_id", os.Getpid())
	r.line("run_id", e.RunID)
	r.line("tcp_port", e.Port)
	r.line("server_time_usec", now.UnixMicro())
	r.line("uptime_in_seconds", uptime)
	r.line("uptime_in_days", uptime/(24*60*60))
	r.line("executable", executable)
	r.line("config_file", "")
}

func infoClients(r *infoReport) {
	connected, blocked := 0, 0
	r.Env().Clients.Each(func(s *Session) {
		connected++
		if s.parked.Load() != nil {
			blocked++
		}
	})
	r.line("connected_clients", connected)
	r.line("cluster_connections", 0)
	r.line("maxclients", r.Env().Config.MaxClients())
	r.line("blocked_clients", blocked)
	r.line("tracking_clients", r.Env().tracking.counts().clients)
	r.line("clients_in_timeout_table", 0)
}

// infoPersistence is that of a server without files.
func infoPersistence(r *infoReport) {
	r.line("loading", 0)
	r.line("async_loading", 0)
	r.line("rdb_changes_since_last_save", r.Tx.Dirty())
	r.line("rdb_bgsave_in_progress", 0)
	r.line("rdb_last_save_time", r.Env().lastSave())
	r.line("rdb_last_bgsave_status", "ok")
	r.line("aof_enabled", 0)
	r.line("aof_rewrite_in_progress", 0)
	r.line("aof_rewrite_scheduled", 0)
	r.line("aof_last_bgrewrite_status", "ok")
	r.line("aof_last_write_status", "ok")
}

// infoReplication is that of a master nobody replicates.
func infoReplication(r *infoReport) {
	r.line("role", "master")
	r.line("connected_slaves", 0)
	if r.Env().Config.lonely() {
		r.line("min_slaves_good_slaves", 0)
	}
	r.line("master_failover_state", "no-failover")
	r.line("master_replid", r.Env().RunID)
	r.line("master_replid2", strings.Repeat("0", 40))
	r.line("master_repl_offset", 0)
	r.line("second_repl_offset", -1)
	r.line("repl_backlog_active", 0)
	r.line("repl_backlog_size", 1<<20)
	r.line("repl_backlog_first_byte_offset", 0)
	r.line("repl_backlog_histlen", 0)
}

func infoCluster(r *infoReport) { r.line("cluster_enabled", 0) }
