package server

import (
	"testing"

	"github.com/go-redis/redis"

	"github.com/minilockd/minilockd/internal/require"
)

func TestOptions_MaxMemory(t *testing.T) {
	srv, err := Start(t.Context(), Options{MaxMemory: 1, MaxMemoryPolicy: "volatile-ttl"})
	require.NoError(t, err)
	client := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer client.Close()
	require.ErrorContains(t, client.Set(t.Context(), "k", "v", 0).Err(), "OOM command not allowed")
	require.Equal(t, map[string]string{"maxmemory-policy": "volatile-ttl"},
		client.ConfigGet(t.Context(), "maxmemory-policy").Val())
}

func TestOptions_MaxMemoryPolicy_MustBeKnown(t *testing.T) {
	_, err := Start(t.Context(), Options{MaxMemoryPolicy: "forget-something"})
	require.ErrorContains(t, err, "MaxMemoryPolicy \"forget-something\"")
}
