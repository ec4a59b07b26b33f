package compat

import (
	"maps"
	"slices"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// otherDefaults are the parameters whose default differs from that of redis-server, and why.
var otherDefaults = map[string]string{
	"dir":              "each server has its own directory",
	"latency-tracking": "no by default: measuring a call takes longer than a short call",
	"maxclients":       "redis-server lowers it to the limit on open files",
	"port":             "each server has its own",
	"protected-mode":   "no by default: minilockd listens on the loopback address",
}

// CONFIG GET * returns the parameters of redis-server, with its values except for otherDefaults.
func TestConfig_GetAll(t *testing.T) {
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	want, got := parameters(t, ref), parameters(t, target)
	require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	for name, value := range want {
		if otherDefaults[name] == "" {
			require.Equal(t, value, got[name], name)
		}
	}
}

// notSet are the parameters that TestConfig_Set does not change, and why.
var notSet = map[string]string{
	"bind":     "redis-server would listen on another address",
	"port":     "redis-server would listen on another address",
	"tls-port": "minilockd has no TLS",

	"tls-cluster":     "Valkey 9.1 crashes where there is no TLS",
	"tls-replication": "Redis 8.2 and Valkey 9.1 crash where there is no TLS",

	"appendonly":        "redis-server would write a file; minilockd has no persistence",
	"maxmemory-clients": "minilockd does not evict clients",
	"protected-mode":    "no by default: minilockd listens on the loopback address",

	"requirepass": "later commands would get NOAUTH",
	"maxclients":  "redis-server lowers it to the limit on open files",
	"maxmemory":   "small values would make later commands fail",
}

// configValues are tried with every parameter, of any kind.
var configValues = []string{"", "0", "1", "-1", "2", "-2", "10", "99", "100", "101", "1000", "1001", "65535", "65536",
	"1048575", "1048576", "2147483646", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295",
	"4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"18446744073709551615", "18446744073709551616", "1.5", "1e3", "0x10", " 1", "1 ", "+1", "01", "abc", "yes", "NO",
	"Yes",
	"1k", "1Kb", "2GB", "3x", "10%", "101%", "-1%", "no yes", "50 99.9", "default", "everysec", "allkeys-lru", "KEA",
	"1 2 3", "3 2 1", "normal 1 2 3", "pubsub 1mb 2 -3", "x 1 2 3", "{title}", "{x}", "always", "force nosave",
	"save nosave", "default save", "1 2", "tls-port {port}", "1b", "1M", "1mB", "0gb", "17179869184gb", "99999999999gb",
	"k", "-1k", "1.5mb", "0%", "100%", "%", "\"1\"", "'yes'", "a b", "1\x00", "a\x00b",
	"0\x00x 1 2\x00", "900\x00x 1\x00y", "1 \x00", "normal\x00x 1 1 1", "now\x00x force", "KE\x00", "no\x001",
	"yes\r\n", "é", "Nosave", "NOW force"}

// hiddenParameters are parameters that patterns do not match.
var hiddenParameters = []string{"key-load-delay", "rdb-key-save-delay"}

// CONFIG SET accepts and rejects the same values as redis-server, with the same errors, and CONFIG GET returns the same
// afterwards.
func TestConfig_Set(t *testing.T) {
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	for _, name := range append(slices.Sorted(maps.Keys(parameters(t, ref))), hiddenParameters...) {
		if notSet[name] != "" {
			continue
		}
		before := [2]string{}
		if otherDefaults[name] != "" {
			ref.do(t, "CONFIG", "SET", name, target.do(t, "CONFIG", "GET", name).elems[1].text)
		}
		for i, c := range []*rawClient{ref, target} {
			before[i] = c.do(t, "CONFIG", "GET", name).elems[1].text
		}
		for _, value := range configValues {
			var replies [2]string
			for i, c := range []*rawClient{ref, target} {
				set := c.do(t, "CONFIG", "SET", name, value).String()
				now := c.do(t, "CONFIG", "GET", name).elems[1].text
				if now == before[i] {
					now = "unchanged"
				}
				replies[i] = set + ", then " + now
				c.do(t, "CONFIG", "SET", name, before[i])
			}
			if replies[0] != replies[1] {
				t.Errorf("CONFIG SET %s %q\n   redis: %s\n  target: %s", name, value, replies[0], replies[1])
			}
		}
	}
}

// parameters returns all parameters, by CONFIG GET *.
func parameters(t *testing.T, c *rawClient) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for pair := range slices.Chunk(c.do(t, "CONFIG", "GET", "*").elems, 2) {
		all[pair[0].text] = pair[1].text
	}
	return all
}
