package pubsub

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestRegistry_CheckNoClients(t *testing.T) {
	for k := range kinds {
		var r Registry
		s := NewSubscriber(new(recorder))
		require.NoError(t, r.CheckNoClients())
		r.Subscribe(s, k, "news")
		require.ErrorContains(t, r.CheckNoClients(), `1 subscriptions to "news"`)
		r.Drop(s)
		require.NoError(t, r.CheckNoClients())
		r.size.Add(1)
		require.ErrorContains(t, r.CheckNoClients(), "1 topics counted")
	}
}
