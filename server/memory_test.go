package server

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestOptions_MaxMemory(t *testing.T) {
	srv, err := Start(t.Context(), Options{MaxMemory: 1, MaxMemoryPolicy: "volatile-ttl"})
	require.NoError(t, err)
	defer srv.Close()
	c := connect(t, srv)
	_, err = c.do("SET", "k", "v")
	require.ErrorContains(t, err, "OOM command not allowed")
	policy := elements(c.must(t, "CONFIG", "GET", "maxmemory-policy"))
	require.Equal(t, []string{"maxmemory-policy", "volatile-ttl"}, policy)
}

func TestOptions_MaxMemoryPolicy_MustBeKnown(t *testing.T) {
	_, err := Start(t.Context(), Options{MaxMemoryPolicy: "forget-something"})
	require.ErrorContains(t, err, "MaxMemoryPolicy \"forget-something\"")
}
