package compat

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// infoWork are commands whose effects INFO shows.
var infoWork = [][]string{
	{"CONFIG", "SET", "latency-tracking", "yes"}, {"CONFIG", "RESETSTAT"}, {"SET", "k", "v"}, {"GET", "k"},
	{"GET", "none"}, {"NOSUCH"},
	{"INCR", "k"}, {"SET", "t", "v", "PX", "100000000"}, {"SELECT", "3"}, {"RPUSH", "l", "1", "2"}, {"GET", "l"}, {"GET"},
	{"EVAL", "return redis.call('get', KEYS[1])", "1", "k"}, {"SCRIPT", "LOAD", "return 1"}, {"SUBSCRIBE", "ch"},
	{"UNSUBSCRIBE"},
}

// addedFields are fields that redis-server does not have.
var addedFields = []string{"minilockd_version", "go_version"}

// lackingFields are fields of Redis 8 that minilockd does not have: it has no vector sets, and counts no sizes of keys.
var lackingFields = regexp.MustCompile(`^module$|^db\d+_distrib_`)

// sameFields are fields that must have the same value after the same commands.
var sameFields = strings.Fields(`redis_version redis_mode arch_bits config_file hz configured_hz io_threads_active
	process_supervised
	connected_clients cluster_connections maxclients blocked_clients tracking_clients number_of_cached_scripts
	number_of_functions
	number_of_libraries maxmemory maxmemory_human maxmemory_policy lazyfreed_objects total_system_memory
	total_system_memory_human
	loading async_loading rdb_changes_since_last_save rdb_bgsave_in_progress rdb_last_bgsave_status rdb_saves aof_enabled
	aof_last_write_status total_commands_processed rejected_connections expired_keys evicted_keys keyspace_hits
	keyspace_misses
	pubsub_channels pubsub_patterns pubsubshard_channels total_forks tracking_total_keys unexpected_error_replies
	total_error_replies
	total_net_input_bytes total_net_output_bytes total_reads_processed total_writes_processed
	role connected_slaves master_failover_state master_replid2 master_repl_offset second_repl_offset repl_backlog_active
	repl_backlog_size
	errorstat_ERR errorstat_WRONGTYPE cluster_enabled db0 db3`)

// onlyInRedis are those of sameFields that Valkey has by another name or not at all.
var onlyInRedis = map[string]bool{"redis_mode": true}

// INFO has the sections and fields of redis-server in the same order, for any arguments, and the same values if these
// do not depend on the machine or on time.
func TestInfo_Fields(t *testing.T) {
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	for _, c := range []*rawClient{ref, target} {
		for _, args := range infoWork {
			c.do(t, args...)
		}
	}
	first := true
	for _, sections := range []string{"everything", "all", "", "default", "server", "commandstats LATENCYSTATS",
		"keyspace nosuch",
		"default commandstats", "modules", "nosuch", "all server"} {
		args := append([]string{"INFO"}, strings.Fields(sections)...)
		want, got := infoLines(ref.do(t, args...).text), infoLines(target.do(t, args...).text)
		require.Equal(t, want.names, got.names, sections)
		for _, name := range sameFields {
			if first && !onlyInRedis[name] {
				require.Contains(t, want.values, name)
			}
			if first || name != "total_net_output_bytes" { // the length of INFO's reply differs
				require.Equal(t, want.values[name], got.values[name], "INFO %s: %s", sections, name)
			}
		}
		first = false
	}
}

// infoText is a parsed reply of INFO: the names of all lines in order, and their values. Redis does not define the
// order of command statistics.
type infoText struct {
	names  []string
	values map[string]string
}

func infoLines(text string) infoText {
	info := infoText{values: make(map[string]string)}
	var sorted []string
	for line := range strings.SplitSeq(text, "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case slices.Contains(addedFields, name) || lackingFields.MatchString(name):
		case strings.HasPrefix(name, "cmdstat_") || strings.HasPrefix(name, "latency_percentiles"):
			sorted = append(sorted, name)
		default:
			slices.Sort(sorted)
			info.names, sorted = append(append(info.names, sorted...), name), nil
			info.values[name], _, _ = strings.Cut(value, ",avg_ttl") // Redis samples it over time
		}
	}
	slices.Sort(sorted)
	info.names = append(info.names, sorted...)
	return info
}

// INFO reports saving as redis-server does when it is idle, although minilockd writes no file.
func TestInfo_Saves(t *testing.T) {
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	fields := strings.Fields("rdb_changes_since_last_save rdb_bgsave_in_progress rdb_last_bgsave_status " +
		"rdb_last_bgsave_time_sec rdb_saves " +
		"aof_rewrites aof_last_bgrewrite_status aof_last_rewrite_time_sec")
	for _, command := range []string{"SET a 1", "SAVE", "SET a 2", "MSET b 1 c 2", "BGSAVE", "SET d 1", "BGREWRITEAOF",
		"SET e 1", "DEBUG RELOAD",
		"DEBUG RELOAD NOSAVE", "SET f 1", "CONFIG RESETSTAT", "FLUSHALL", "SAVE"} {
		var replies [2]map[string]string
		for i, c := range []*rawClient{ref, target} {
			c.do(t, strings.Fields(command)...)
			require.Eventually(t, func() bool {
				replies[i] = infoLines(c.do(t, "INFO", "persistence").text).values
				return replies[i]["rdb_bgsave_in_progress"] == "0" && replies[i]["aof_rewrite_in_progress"] == "0"
			}, replyTimeout, time.Millisecond)
		}
		for _, name := range fields {
			require.Equal(t, maskDuration(name, replies[0][name]), maskDuration(name, replies[1][name]), "%s: %s", command, name)
		}
	}
}

// maskDuration returns the value, or "some" for a duration in seconds, which depends on when a second ends.
func maskDuration(name, value string) string {
	if strings.HasSuffix(name, "_time_sec") && value != "-1" {
		return "some"
	}
	return value
}
