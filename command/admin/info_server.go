package admin

// The sections Server and Clients. The version is that of the server that this one stands for, since client libraries
// choose commands by it; minilockd_version is its own.

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/version"
)

var infoServer = []infoField{
	{"redis_version", func(r *infoReport) any { return r.server().RedisVersion() }},
	only("valkey", constant("server_name", "valkey")),
	only("valkey", infoField{"valkey_version", func(r *infoReport) any { return r.server().Version }}),
	only("valkey", constant("valkey_release_stage", "ga")),
	{"minilockd_version", func(*infoReport) any { return version.Module() }},
	constant("redis_git_sha1", "00000000"),
	constant("redis_git_dirty", 0),
	{"redis_build_id", func(*infoReport) any { return version.BuildID() }},
	only("redis", constant("redis_mode", "standalone")),
	only("valkey", constant("server_mode", "standalone")),
	constant("os", systemName()),
	constant("arch_bits", strconv.IntSize),
	constant("monotonic_clock", "Go runtime"),
	{"multiplexing_api", func(*infoReport) any { return multiplexing() }},
	only("redis", constant("atomicvar_api", "sync/atomic")),
	constant("gcc_version", "0.0.0"),
	{"go_version", func(*infoReport) any { return runtime.Version() }},
	{"process_id", func(*infoReport) any { return os.Getpid() }},
	constant("process_supervised", "no"),
	{"run_id", func(r *infoReport) any { return r.Env().RunID() }},
	{"tcp_port", func(r *infoReport) any { return r.Env().Port }},
	{"server_time_usec", func(r *infoReport) any { return r.Tx.Time().UnixMicro() }},
	{"uptime_in_seconds", func(r *infoReport) any { return int64(r.uptime().Seconds()) }},
	{"uptime_in_days", func(r *infoReport) any { return int64(r.uptime().Hours()) / 24 }},
	{"hz", func(r *infoReport) any { return r.Env().Config.Get("hz") }},
	{"configured_hz", func(r *infoReport) any { return r.Env().Config.Get("hz") }},
	{"lru_clock", func(r *infoReport) any { return r.Tx.Time().Unix() & (1<<24 - 1) }},
	{"executable", func(*infoReport) any { path, _ := os.Executable(); return path }},
	{"config_file", func(r *infoReport) any { return r.Env().Config.File() }},
	{"io_threads_active", func(r *infoReport) any { return min(1, r.Env().Config.IOThreads()-1) }},
}

// uptime returns the time since the start, on the clock of the server: a test that advances the clock advances it.
func (r *infoReport) uptime() time.Duration { return r.Tx.Time().Sub(r.Env().Started()) }

var infoClients = []infoField{
	{"connected_clients", func(r *infoReport) any {
		return r.countClients(func(*command.Session) bool { return true })
	}},
	constant("cluster_connections", 0),
	{"maxclients", func(r *infoReport) any { return r.Env().Config.MaxClients() }},
	constant("client_recent_max_input_buffer", 0),
	constant("client_recent_max_output_buffer", 0),
	{"blocked_clients", func(r *infoReport) any { return r.countClients((*command.Session).Blocked) }},
	{"tracking_clients", func(r *infoReport) any { return r.tracking().Clients }},
	constant("clients_in_timeout_table", 0),
}

// countClients counts the connected clients for which counts returns true.
func (r *infoReport) countClients(counts func(*command.Session) bool) (n int) {
	r.Env().Clients.Each(func(s *command.Session) {
		if counts(s) {
			n++
		}
	})
	return n
}

// multiplexing returns how connections are served; see package server. On other systems than Linux each connection has
// a goroutine, and the Go runtime does the polling.
func multiplexing() string {
	if runtime.GOOS == "linux" {
		return "epoll"
	}
	return "goroutines"
}

// systemName is the name of the system as uname prints it, with that of the processor in Go. Clients look for the word
// "Windows", as Redisson does.
func systemName() string {
	name := runtime.GOOS
	return strings.ToUpper(name[:1]) + name[1:] + " " + runtime.GOARCH
}
