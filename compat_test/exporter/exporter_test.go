// Package exporter tests that redis_exporter shows the same metrics of redis-server and minilockd after the same
// commands.
package exporter

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oliver006/redis_exporter/exporter"

	"github.com/minilockd/minilockd/internal/require"
)

// scenarios are the options of the exporter, and the least number of names that it reports of redis-server with them.
var scenarios = []struct {
	name    string
	least   int
	user    string // the rules of its user, or none
	options exporter.Options
}{
	{name: "default", least: 145, options: exporter.Options{}},
	{name: "all metrics", least: 185, options: everything},
	{name: "user with few permissions", least: 185, options: everything, user: readersRules},
	{name: "few metrics", least: 140, options: exporter.Options{
		ConfigCommandName: "-", ExcludeLatencyHistogramMetrics: true, RedisMetricsOnly: true,
		CheckSingleKeys: "db0=greeting", CheckSingleStreams: "stream,none", StreamsExcludeConsumerMetrics: true,
	}},
}

// everything enables all metrics of a server that is neither a cluster nor a sentinel.
var everything = exporter.Options{
	InclSystemMetrics: true, InclConfigMetrics: true, InclModulesMetrics: true, InclSearchIndexesMetrics: true,
	CheckSearchIndexes: ".*",
	ExportClientList:   true, ExportClientsInclPort: true, PingOnConnect: true, SetClientName: true,
	InclMetricsForEmptyDatabases: true, AppendInstanceRoleLabel: true,
	CheckKeys: "*,db3=*", CheckSingleKeys: "greeting,db0=none", CheckKeysBatchSize: 100, CountKeys: "*,db3=jobs:*",
	CheckStreams: "str*", CheckSingleStreams: "stream", CheckKeyGroups: "^(jobs):.*$,^(.).*", MaxDistinctKeyGroups: 100,
	LuaScript: map[string][]byte{
		"own.lua": []byte("return {'length', '' .. redis.call('STRLEN', 'greeting'), 'version', '' .. " +
			"redis.REDIS_VERSION_NUM}"),
	},
}

// readersRules are the rules that the exporter's documentation gives for its user. They do not allow EVALSHA.
const readersRules = "-@all +@connection +memory -readonly +strlen +config|get +xinfo +pfcount -quit +zcard +type " +
	"+xlen " +
	"-readwrite -command +client -wait +scard +llen +hlen +get +eval +slowlog +cluster|info +cluster|slots " +
	"+cluster|nodes " +
	"-hello -echo +info +latency +scan -reset -auth -asking"

// The metrics have the same names, labels and, if they depend on nothing else, values. Metrics about the exporter
// itself are left out.
func TestMetrics(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			want, got := bothScraped(t, s.options, s.user)
			require.Equal(t, slices.Sorted(maps.Keys(want.names)), slices.Sorted(maps.Keys(got.names)))
			require.GreaterOrEqual(t, len(want.names), s.least)
			t.Logf("all of redis-server's %d names", len(want.names))
			require.Equal(t, want.logged, got.logged)
			require.Equal(t, slices.Sorted(maps.Keys(want.series)), slices.Sorted(maps.Keys(got.series)))
			for series, value := range want.series {
				if !changing.MatchString(series) {
					require.Equal(t, value, got.series[series], series)
				}
			}
		})
	}
}

// changing are series whose values depend on time, the machine, or how a server uses memory.
var changing = regexp.MustCompile(`^redis_(` + strings.Join(strings.Fields(`
	start_time_seconds uptime_in_seconds rdb_last_save_timestamp_seconds cpu_.* commands_duration_seconds_total
	commands_latencies_usec_sum latency_percentiles_usec latency_percentiles_usec_sum latency_spike_last
	latency_spike_duration_seconds
	last_slow_execution_duration_seconds db_avg_ttl_seconds stream_group_consumer_idle_seconds
	last_key_groups_scrape_duration_milliseconds connected_client_(created_at|idle_since)_timestamp
	expire_cycle_cpu_time_ms_total expired_stale_percentage

	process_id net_output_bytes_total reply_buffer_.* client_recent_max_input_buffer_bytes
	connected_client_query_buffer_free_space_bytes connected_client_total_memory_consumed_bytes
	allocator_.* memory_used_.* mem_clients_normal mem_fragmentation_.* key_memory_usage_bytes
	key_group_memory_usage_bytes`), "|") + `)($|\{)`)

func bothScraped(t *testing.T, options exporter.Options, rules string) (reference, own metrics) {
	t.Helper()
	r, o := bothServers(t)
	for _, s := range []target{r, o} {
		s.do(t)
		if rules != "" {
			s.addUser(t, "metrics", "secret", rules)
		}
	}
	options.Namespace = "redis"
	if rules != "" {
		options.User, options.Password = "metrics", "secret"
	}
	return scrape(t, r, options), scrape(t, o, options)
}
