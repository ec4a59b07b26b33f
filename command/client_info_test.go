package command_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// CLIENT LIST describes a client while that client turns tracking on. The race detector checks it.
func TestSession_DescribedByAnotherWhileTrackingBegins(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		clients[0].Do("CLIENT TRACKING ON")
	}()
	for range 100 {
		clients[1].Do("CLIENT LIST")
	}
	<-done
	require.Contains(t, clients[1].Do("CLIENT LIST ID 1"), " flags=t ")
}
