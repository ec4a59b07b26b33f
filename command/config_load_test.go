package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/redisconf"
)

func TestConfig_Load(t *testing.T) {
	env, _ := newTestEnv(t)
	for _, line := range [][]string{
		{"maxmemory", "100mb"}, {"PORT", "7000"}, {"bind", "127.0.0.1", "::1"}, {"dbfilename", "x"}, {"slaveof", "no", "one"},
		{"save", "900", "1"}, {"save", "300", "10"}, {"client-output-buffer-limit", "replica", "1", "2", "3"},
	} {
		require.NoError(t, env.Config.Load(line[0], line[1:]...), line)
	}
	newTestClient(t, env).want(
		"CONFIG GET maxmemory", `["maxmemory" "104857600"]`,
		"CONFIG GET port", `["port" "7000"]`,
		"CONFIG GET bind", `["bind" "127.0.0.1 ::1"]`,
		"CONFIG GET save", `["save" "900 1 300 10"]`,
		"CONFIG GET client-output-buffer-limit", `["client-output-buffer-limit" "normal 0 0 0 slave 1 2 3 pubsub 33554432 8388608 60"]`,
	)
	require.NoError(t, env.Config.Load("save", ""))
	newTestClient(t, env).want("CONFIG GET save", `["save" ""]`)
	for line, want := range map[[2]string]error{
		{"nosuch", "1"}: redisconf.ErrDirective, {"maxmemory", "much"}: errConfigMemory, {"appendonly", "maybe"}: errConfigYesNo,
		{"user", "x"}: unsupportedDirectives["user"],
	} {
		require.ErrorIs(t, env.Config.Load(line[0], line[1]), want, line)
	}
	require.ErrorIs(t, env.Config.Load("port"), errConfigWords)
	require.ErrorIs(t, env.Config.Load("port", "1", "2"), errConfigWords)
}

func TestStartError(t *testing.T) {
	require.Error(t, StartError("appendonly", "YES"))
	require.NoError(t, StartError("appendonly", "No"))
	require.Error(t, StartError("slaveof", "127.0.0.1", "6379"))
	require.NoError(t, StartError("slaveof", "NO", "ONE"))
	require.NoError(t, StartError("maxmemory", "1"))
}
