package admin

// The sections Server and Clients. The version is that of the server that this one stands for, since client libraries
// choose commands by it; minilockd_version is its own.

import (
	"cmp"
	"fmt"
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
	{"redis_mode", func(r *infoReport) any { return r.mode("redis") }},
	{"server_mode", func(r *infoReport) any { return r.mode("valkey") }},
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
	{"tcp_port", func(r *infoReport) any { return cmp.Or(r.Env().Port, r.Env().TLSPort) }},
	{"server_time_usec", func(r *infoReport) any { return r.Tx.Time().UnixMicro() }},
	{"uptime_in_seconds", func(r *infoReport) any { return int64(r.uptime().Seconds()) }},
	{"uptime_in_days", func(r *infoReport) any { return int64(r.uptime().Hours()) / 24 }},
	{"hz", func(r *infoReport) any { return r.Env().Config.Get("hz") }},
	{"configured_hz", func(r *infoReport) any { return r.Env().Config.Get("hz") }},
	only("valkey", infoField{"clients_hz", func(r *infoReport) any { return r.Env().Config.Get("hz") }}),
	{"lru_clock", func(r *infoReport) any { return r.Tx.Time().Unix() & (1<<24 - 1) }},
	{"executable", func(*infoReport) any { path, _ := os.Executable(); return path }},
	{"config_file", func(r *infoReport) any { return r.Env().Config.File() }},
	{"io_threads_active", func(r *infoReport) any { return min(1, r.Env().Config.IOThreads()-1) }},
	only("valkey", infoField{"availability_zone", func(r *infoReport) any {
		return r.Env().Config.Get("availability-zone")
	}}),
	only("7.2", infoField{"listener0", func(r *infoReport) any { return r.listener("tcp", r.Env().Port) }}),
	only("7.2", infoField{"listener2", func(r *infoReport) any { return r.listener("tls", r.Env().TLSPort) }}),
}

// mode is that of the server, for the field of the product that it says it is.
func (r *infoReport) mode(product string) any {
	if r.Env().Identity().Product != product {
		return nil
	}
	return modeName(r.Env())
}

// listener describes the listener on a port; nil without one.
func (r *infoReport) listener(kind string, port int) any {
	if port == 0 {
		return nil
	}
	text := "name=" + kind
	for _, address := range strings.Fields(r.Env().Config.Get("bind")) {
		text += ",bind=" + address
	}
	return fmt.Sprintf("%s,port=%d", text, port)
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
	only("7.4 valkey-8.0", infoField{"pubsub_clients", func(r *infoReport) any {
		return r.countClients((*command.Session).Subscribed)
	}}),
	only("7.4 valkey-8.0", infoField{"watching_clients", func(r *infoReport) any {
		return r.countClients(func(s *command.Session) bool { return s.Watched() > 0 })
	}}),
	constant("clients_in_timeout_table", 0),
	only("7.4 valkey-8.0", infoField{"total_watched_keys", func(r *infoReport) any {
		return r.Env().Store.WatchedKeys()
	}}),
	only("7.2", infoField{"total_blocking_keys", func(r *infoReport) any { return r.Tx.BlockingKeys() }}),
	only("7.2", infoField{"total_blocking_keys_on_nokey", func(r *infoReport) any {
		return r.Tx.BlockingKeysWhenGone()
	}}),
	only("valkey-8.1", infoField{"paused_reason", func(r *infoReport) any { return r.pausedReason() }}),
	only("valkey-8.1", infoField{"paused_actions", func(r *infoReport) any { return pausedActions[r.Env().Paused()] }}),
	only("valkey-8.1", infoField{"paused_timeout_milliseconds", func(r *infoReport) any {
		return r.Env().PausedFor().Milliseconds()
	}}),
}

// pausedActions are the commands that a pause stops.
var pausedActions = [...]string{command.PauseNothing: "none", command.PauseWrites: "write", command.PauseAll: "all"}

// pausedReason says why commands are paused.
func (r *infoReport) pausedReason() string {
	if r.Env().Paused() == command.PauseNothing {
		return "none"
	}
	return "client_pause"
}

// infoTLS is the section of a server without certificates.
var infoTLS = []infoField{
	constant("tls_server_cert_serial", "none"),
	constant("tls_server_cert_expires_in_seconds", 0),
	constant("tls_client_cert_serial", "none"),
	constant("tls_client_cert_expires_in_seconds", 0),
	constant("tls_ca_cert_serial", "none"),
	constant("tls_ca_cert_expires_in_seconds", 0),
}

// infoThreads shows all that is served as the work of one thread.
var infoThreads = []infoField{
	{"io_thread_0", func(r *infoReport) any {
		clients := r.countClients(func(*command.Session) bool { return true })
		return fmt.Sprintf("clients=%d,reads=%d,writes=%d", clients, r.flow().Total.Reads, r.flow().Total.Writes)
	}},
}

// infoModules lists the modules that the emulated server always has, not the parts of this one.
var infoModules = []infoField{
	only("valkey-9.1", constant("module", "name=lua,ver=1,api=1,filters=0,usedby=[],using=[],"+
		"options=[handle-repl-async-load|handle-atomic-slot-migration]")),
}

// infoEngines are the engines of scripts: Lua alone.
var infoEngines = []infoField{
	constant("engines_count", 1),
	constant("engines_total_used_memory", 0),
	constant("engines_total_memory_overhead", 0),
	constant("engine_0", "name=LUA,module=lua,abi_version=4,used_memory=0,memory_overhead=0"),
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
