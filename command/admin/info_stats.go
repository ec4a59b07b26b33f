package admin

// The section Stats, and those about commands, errors and keys. Counters start at zero with the server and after
// CONFIG RESETSTAT.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/pubsub"
)

var infoStats = []infoField{
	{"total_connections_received", func(r *infoReport) any { return r.Env().Stats.Connections.Load() }},
	{"total_commands_processed", func(r *infoReport) any { return r.Env().Stats.Calls.Total() }},
	{"instantaneous_ops_per_sec", func(r *infoReport) any { return int64(r.flow().Commands) }},
	{"total_net_input_bytes", func(r *infoReport) any { return r.flow().Total.In }},
	{"total_net_output_bytes", func(r *infoReport) any { return r.flow().Total.Out }},
	constant("total_net_repl_input_bytes", 0),
	constant("total_net_repl_output_bytes", 0),
	only("valkey-9.0", constant("total_net_cluster_slot_import_bytes", 0)),
	only("valkey-9.0", constant("total_net_cluster_slot_export_bytes", 0)),
	{"instantaneous_input_kbps", func(r *infoReport) any { return kbps(r.flow().In) }},
	{"instantaneous_output_kbps", func(r *infoReport) any { return kbps(r.flow().Out) }},
	constant("instantaneous_input_repl_kbps", "0.00"),
	constant("instantaneous_output_repl_kbps", "0.00"),
	{"rejected_connections", func(r *infoReport) any { return r.Env().Stats.Rejected.Load() }},
	ofRole("sync_full", func(r command.Role) any { return r.Syncs.Full }),
	ofRole("sync_partial_ok", func(r command.Role) any { return r.Syncs.Partial }),
	ofRole("sync_partial_err", func(r command.Role) any { return r.Syncs.Refused }),
	only("7.4", infoField{"expired_subkeys", expiredFields}),
	{"expired_keys", func(r *infoReport) any { return r.Env().Store.Expired() }},
	only("valkey-9.0", infoField{"expired_fields", expiredFields}),
	constant("expired_stale_perc", "0.00"),
	only("valkey-9.0", constant("expired_keys_with_volatile_items_stale_perc", "0.00")),
	constant("expired_time_cap_reached_count", 0),
	constant("expire_cycle_cpu_milliseconds", 0),
	{"evicted_keys", func(r *infoReport) any { return r.Env().Store.Evicted() }},
	constant("evicted_clients", 0),
	only("7.4 valkey-8.0", infoField{"evicted_scripts", func(r *infoReport) any { return r.Env().Scripts.Evicted() }}),
	constant("total_eviction_exceeded_time", 0),
	constant("current_eviction_exceeded_time", 0),
	{"keyspace_hits", func(r *infoReport) any { hits, _ := r.Tx.Lookups(); return hits }},
	{"keyspace_misses", func(r *infoReport) any { _, misses := r.Tx.Lookups(); return misses }},
	{"pubsub_channels", func(r *infoReport) any { return len(r.Env().PubSub.Channels(pubsub.Channel, "*")) }},
	{"pubsub_patterns", func(r *infoReport) any { return r.Env().PubSub.Patterns() }},
	{"pubsubshard_channels", func(r *infoReport) any { return len(r.Env().PubSub.Channels(pubsub.Shard, "*")) }},
	constant("latest_fork_usec", 0),
	constant("total_forks", 0),
	constant("migrate_cached_sockets", 0),
	constant("slave_expires_tracked_keys", 0),
	constant("active_defrag_hits", 0),
	constant("active_defrag_misses", 0),
	constant("active_defrag_key_hits", 0),
	constant("active_defrag_key_misses", 0),
	constant("total_active_defrag_time", 0),
	constant("current_active_defrag_time", 0),
	{"tracking_total_keys", func(r *infoReport) any { return r.tracking().Keys }},
	{"tracking_total_items", func(r *infoReport) any { return r.tracking().Items }},
	{"tracking_total_prefixes", func(r *infoReport) any { return r.tracking().Prefixes }},
	constant("unexpected_error_replies", 0),
	{"total_error_replies", func(r *infoReport) any { return r.errorReplies() }},
	constant("dump_payload_sanitizations", 0),
	{"total_reads_processed", func(r *infoReport) any { return r.flow().Total.Reads }},
	{"total_writes_processed", func(r *infoReport) any { return r.flow().Total.Writes }},
	constant("io_threaded_reads_processed", 0),
	constant("io_threaded_writes_processed", 0),
	only("valkey-8.0", constant("io_threaded_freed_objects", 0)),
	only("valkey-8.1", constant("io_threaded_accept_processed", 0)),
	only("valkey-8.1", constant("io_threaded_poll_processed", 0)),
	only("8.2 valkey-8.0", constant("io_threaded_total_prefetch_batches", 0)),
	only("8.2 valkey-8.0", constant("io_threaded_total_prefetch_entries", 0)),
	only("7.4 valkey-8.0", constant("client_query_buffer_limit_disconnections", 0)),
	only("7.4 valkey-8.0", infoField{"client_output_buffer_limit_disconnections",
		func(r *infoReport) any { return r.Env().Stats.Overflowed.Load() }}),
	constant("reply_buffer_shrinks", 0),
	constant("reply_buffer_expands", 0),
	only("7.2", constant("eventloop_cycles", 0)),
	only("7.2", constant("eventloop_duration_sum", 0)),
	only("7.2", constant("eventloop_duration_cmd_sum", 0)),
	only("7.2", constant("instantaneous_eventloop_cycles_per_sec", 0)),
	only("7.2", constant("instantaneous_eventloop_duration_usec", 0)),
	only("7.2", denials("acl_access_denied_auth", acl.DeniedAuth)),
	only("7.2", denials("acl_access_denied_cmd", acl.DeniedCommand)),
	only("7.2", denials("acl_access_denied_key", acl.DeniedKey)),
	only("7.2", denials("acl_access_denied_channel", acl.DeniedChannel)),
	only("valkey-9.0", constant("acl_access_denied_tls_cert", 0)),
	only("valkey-9.1", denials("acl_access_denied_db", acl.DeniedDatabase)),
}

// denials returns a field that counts what was denied for a reason.
func denials(name string, reason acl.Decision) infoField {
	return infoField{name, func(r *infoReport) any { return r.Env().ACL.Log.Denied(reason) }}
}

// kbps prints a rate in bytes a second in units of 1,024 bytes, which Redis calls kbps.
func kbps(bytes float64) string { return fmt.Sprintf("%.2f", bytes/1024) }

// errorReplies returns the number of error replies of all kinds.
func (r *infoReport) errorReplies() (total int64) {
	for _, n := range r.Env().Stats.Errors() {
		total += n
	}
	return total
}

// infoLatencyStats writes a line for each command whose calls were timed, with the percentiles of
// latency-tracking-info-percentiles in µs. They are exact to a factor of two, which is the width of a bucket of the
// histograms. latency-tracking is off by default here, unlike in Redis, since timing a call takes longer than a GET.
func infoLatencyStats(r *infoReport) {
	if !r.Env().Config.Histograms() {
		return
	}
	percentiles := strings.Fields(r.Env().Config.Get("latency-tracking-info-percentiles"))
	r.Env().Table.Each(func(cmd *command.Command) {
		durations := r.Env().Stats.Calls.Durations(cmd.Number)
		var texts []string
		for _, text := range percentiles {
			percentile, _ := strconv.ParseFloat(text, 64)
			if nanos, ok := durations.AtPercentile(percentile); ok {
				texts = append(texts, fmt.Sprintf("p%s=%.3f", text, float64(nanos)/1000))
			}
		}
		if len(texts) > 0 {
			r.line("latency_percentiles_usec_"+cmd.FullName(), strings.Join(texts, ","))
		}
	})
}

// infoCommandStats writes a line for each command or subcommand that was called. Rejected calls did not run (arity,
// ACL, memory); failed ones ran and returned an error. Times are 0 unless all calls are timed: see config.Timing.
func infoCommandStats(r *infoReport) {
	r.Env().Table.Each(func(cmd *command.Command) {
		n := r.Env().Stats.Calls.Of(cmd.Number)
		if n.Calls+n.Rejected == 0 {
			return
		}
		micros := n.Nanos / 1000
		r.line("cmdstat_"+cmd.FullName(),
			fmt.Sprintf("calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
				n.Calls, micros, float64(micros)/float64(max(n.Calls, 1)), n.Rejected, n.Failed))
	})
}

// infoErrorStats writes a line for each error code, the first word of an error reply, sorted.
func infoErrorStats(r *infoReport) {
	counts := r.Env().Stats.Errors()
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		r.line("errorstat_"+code, fmt.Sprintf("count=%d", counts[code]))
	}
}

// expiringHashes are the names of the number of hashes that have a field which expires.
var expiringHashes = [...]struct{ since, name string }{
	{"7.4", "subexpiry"}, {"valkey-9.0", "keys_with_volatile_items"},
}

// infoKeyspace writes a line for each database that is not empty: keys, keys with an expiry, and the average TTL in
// ms; and hashes with fields that expire.
func infoKeyspace(r *infoReport) {
	for db := range r.Env().Store.Databases() {
		if keys := r.Tx.Size(db); keys > 0 {
			expires, ttl := r.Tx.Expiring(db)
			text := fmt.Sprintf("keys=%d,expires=%d,avg_ttl=%d", keys, expires, ttl)
			for _, field := range expiringHashes {
				if r.server().Has(field.since) {
					text += fmt.Sprintf(",%s=%d", field.name, r.Tx.ExpiringFields(db))
				}
			}
			r.line(fmt.Sprintf("db%d", db), text)
		}
	}
}

func expiredFields(r *infoReport) any { return r.Env().Store.ExpiredFields() }
