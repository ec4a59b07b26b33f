package command

import (
	"fmt"
	"maps"
	"slices"

	"github.com/minilockd/minilockd/pubsub"
)

func infoStats(r *infoReport) {
	e := r.Env()
	r.line("total_connections_received", e.Stats.Connections.Load())
	r.line("total_commands_processed", e.Stats.calls.total())
	r.line("rejected_connections", e.Stats.Rejected.Load())
	r.line("expired_keys", e.Store.Expired())
	r.line("evicted_keys", e.Store.Evicted())
	r.line("evicted_clients", 0)
	hits, misses := r.Tx.Looks()
	r.line("keyspace_hits", hits)
	r.line("keyspace_misses", misses)
	r.line("pubsub_channels", len(e.PubSub.Channels(pubsub.Channel, "*")))
	r.line("pubsub_patterns", e.PubSub.Patterns())
	r.line("migrate_cached_sockets", 0)
	r.line("pubsubshard_channels", len(e.PubSub.Channels(pubsub.Shard, "*")))
	track := e.tracking.counts()
	r.line("tracking_total_keys", track.keys)
	r.line("tracking_total_items", track.items)
	r.line("tracking_total_prefixes", track.prefixes)
	total := int64(0)
	for _, n := range e.Stats.errorCounts() {
		total += n
	}
	r.line("total_error_replies", total)
}

// infoCommandStats has a line for each command that was called. Times are 0 unless slowlog-log-slower-than is set.
func infoCommandStats(r *infoReport) {
	r.Env().Table.eachWithSubcommands(func(cmd *Command) {
		n := r.Env().Stats.calls.of(cmd)
		if n.calls+n.rejected == 0 {
			return
		}
		micros := n.nanos / 1000
		r.line("cmdstat_"+cmd.FullName(), fmt.Sprintf("calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
			n.calls, micros, float64(micros)/float64(max(n.calls, 1)), n.rejected, n.failed))
	})
}

func infoErrorStats(r *infoReport) {
	counts := r.Env().Stats.errorCounts()
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		r.line("errorstat_"+code, fmt.Sprintf("count=%d", counts[code]))
	}
}

// infoKeyspace has a line for each database that is not empty. It does not tell how many hashes have fields that expire (subexpiry):
// INFO has the fields of Redis 7.0, which knows of none.
func infoKeyspace(r *infoReport) {
	for db := range r.Env().Store.Databases() {
		if keys := r.Tx.Size(db); keys > 0 {
			expires, ttl := r.Tx.Expiring(db)
			r.line(fmt.Sprintf("db%d", db), fmt.Sprintf("keys=%d,expires=%d,avg_ttl=%d", keys, expires, ttl))
		}
	}
}
