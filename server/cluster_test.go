package server_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// do runs a command given as words, and returns the reply, or the text of the error.
func clusterDo(t *testing.T, s *server.Server, line string) string {
	t.Helper()
	var args []any
	for word := range strings.FieldsSeq(line) {
		args = append(args, word)
	}
	v, err := s.Do(t.Context(), args...).Text()
	if err != nil {
		return err.Error()
	}
	return v
}

// A call runs where its slot is, and is redirected from elsewhere.
func TestCluster_Redirects(t *testing.T) {
	c := server.StartCluster(t, 3, 1)
	require.Equal(t, 6, len(c.Servers()))
	require.Equal(t, 3, len(c.Masters()))
	require.Equal(t, 3, len(c.Replicas()))
	first, third := c.Servers()[0], c.Servers()[2]
	require.Equal(t, "MOVED 12182 "+third.Addr(), clusterDo(t, first, "SET foo 1")) // the slots are 0-5460
	require.Equal(t, "OK", clusterDo(t, third, "SET foo 1"))
	require.NoError(t, c.Sync(t.Context()))
	replica := c.Servers()[5]
	require.Equal(t, "MOVED 12182 "+third.Addr(), clusterDo(t, replica, "GET foo"))
	require.Contains(t, clusterDo(t, first, "CLUSTER INFO"), "cluster_state:ok")
	require.Equal(t, "CROSSSLOT Keys in request don't hash to the same slot", clusterDo(t, first, "MGET foo bar"))
}
