package config

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/redisconf"
	"github.com/minilockd/minilockd/internal/require"
)

func TestConfig_Load(t *testing.T) {
	c := newConfig()
	for _, line := range [][]string{
		{"maxmemory", "100mb"}, {"PORT", "7000"}, {"bind", "127.0.0.1", "::1"}, {"dbfilename", "x"},
		{"slaveof", "no", "one"}, {"shutdown-on-sigterm", "now", "nosave"},
		{"save", "900", "1"}, {"save", "300", "10"}, {"client-output-buffer-limit", "replica", "1", "2", "3"},
	} {
		require.NoError(t, c.Load(line[0], line[1:]...), line)
	}
	for name, want := range map[string]string{
		"maxmemory": "104857600", "shutdown-on-sigterm": "nosave now", "slaveof": "", "port": "7000",
		"bind": "127.0.0.1 ::1", "save": "900 1 300 10",
		"client-output-buffer-limit": "normal 0 0 0 slave 1 2 3 pubsub 33554432 8388608 60",
	} {
		require.Equal(t, want, c.Get(name), name)
	}
	require.NoError(t, c.Load("save", ""))
	require.Empty(t, c.Get("save"))
	for line, want := range map[[2]string]error{
		{"nosuch", "1"}: redisconf.ErrDirective, {"maxmemory", "much"}: errMemory,
		{"appendonly", "maybe"}: errYesNo,
	} {
		require.ErrorIs(t, c.Load(line[0], line[1]), want, line)
	}
	require.ErrorIs(t, c.Load("port"), errWords)
	require.ErrorIs(t, c.Load("port", "1", "2"), errWords)
}

func TestConfig_StartError(t *testing.T) {
	for line, rejected := range map[[3]string]bool{
		{"appendonly", "YES"}: true, {"appendonly", "No"}: false, {"slaveof", "127.0.0.1", "6379"}: false,
		{"slaveof", "NO", "ONE"}: false, {"maxmemory", "1"}: false, {"maxmemory-clients", "1%"}: true,
		{"aclfile", "x"}: true, {"protected-mode", "yes"}: false,
	} {
		c := newConfig()
		require.NoError(t, c.Load(line[0], strings.Fields(line[1]+" "+line[2])...))
		require.Equal(t, rejected, c.StartError(line[0]) != nil, line)
	}
	c := newConfig()
	require.NoError(t, c.Load("appendonly", "yes"))
	require.NoError(t, c.Load("appendonly", "no"))
	require.NoError(t, c.StartError("appendonly"), "the last line counts")
}
