package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/redisconf"
)

func TestConfig_Load(t *testing.T) {
	env, _ := newTestEnv(t)
	for _, line := range [][]string{
		{"maxmemory", "100mb"}, {"PORT", "7000"}, {"bind", "127.0.0.1", "::1"}, {"dbfilename", "x"},
		{"slaveof", "no", "one"}, {"shutdown-on-sigterm", "now", "nosave"},
		{"save", "900", "1"}, {"save", "300", "10"}, {"client-output-buffer-limit", "replica", "1", "2", "3"},
	} {
		require.NoError(t, env.Config.Load(line[0], line[1:]...), line)
	}
	newTestClient(t, env).want(
		"CONFIG GET maxmemory", `["maxmemory" "104857600"]`,
		"CONFIG GET shutdown-on-sigterm slaveof", `["shutdown-on-sigterm" "nosave now" "slaveof" ""]`,
		"CONFIG GET port", `["port" "7000"]`,
		"CONFIG GET bind", `["bind" "127.0.0.1 ::1"]`,
		"CONFIG GET save", `["save" "900 1 300 10"]`,
		"CONFIG GET client-output-buffer-limit",
		`["client-output-buffer-limit" "normal 0 0 0 slave 1 2 3 pubsub 33554432 8388608 60"]`,
	)
	require.NoError(t, env.Config.Load("save", ""))
	newTestClient(t, env).want("CONFIG GET save", `["save" ""]`)
	for line, want := range map[[2]string]error{
		{"nosuch", "1"}: redisconf.ErrDirective, {"maxmemory", "much"}: errConfigMemory,
		{"appendonly", "maybe"}: errConfigYesNo,
		{"user", "x"}:           unsupportedDirectives["user"],
	} {
		require.ErrorIs(t, env.Config.Load(line[0], line[1]), want, line)
	}
	require.ErrorIs(t, env.Config.Load("port"), errConfigWords)
	require.ErrorIs(t, env.Config.Load("port", "1", "2"), errConfigWords)
}

func TestConfig_StartError(t *testing.T) {
	for line, refused := range map[[3]string]bool{
		{"appendonly", "YES"}: true, {"appendonly", "No"}: false, {"slaveof", "127.0.0.1", "6379"}: true,
		{"slaveof", "NO", "ONE"}: false, {"maxmemory", "1"}: false, {"maxmemory-clients", "1%"}: true,
		{"aclfile", "x"}: true, {"protected-mode", "yes"}: false,
	} {
		c := NewConfig()
		require.NoError(t, c.Load(line[0], strings.Fields(line[1]+" "+line[2])...))
		require.Equal(t, refused, c.StartError(line[0]) != nil, line)
	}
	c := NewConfig()
	require.NoError(t, c.Load("appendonly", "yes"))
	require.NoError(t, c.Load("appendonly", "no"))
	require.NoError(t, c.StartError("appendonly"), "the last line counts")
}
