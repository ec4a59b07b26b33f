package server

import (
	"fmt"
	"os"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/pubsub"
)

// TestMain fails if the tests leave a goroutine of a server.
func TestMain(m *testing.M) {
	code := m.Run()
	err := testenv.NoGoroutines(testTimeout, "server", "command", "store", "luaeval", "internal/clock")
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// What a server should not have left fails the test that it was started for.
func TestStartT_ChecksWhatIsLeft(t *testing.T) {
	f := &fatal{T: t}
	start := func() *Server {
		s, err := Start(t.Context(), Options{})
		require.NoError(t, err)
		return s
	}
	for want, leave := range map[string]func(*Server){
		"1 connections and 0 timers are left": func(s *Server) { s.conns[1] = nil },
		"0 connections and 1 timers are left": func(s *Server) { s.clock.AfterFunc(testTimeout, func() {}) },
		"1 subscriptions to \"ch\"": func(s *Server) {
			s.env.PubSub.Subscribe(pubsub.NewSubscriber(newConn(s, nil, nil)), pubsub.Channel, "ch")
		},
	} {
		s := start()
		require.NoError(t, s.Close())
		leave(s)
		s.closeT(f)
		require.Contains(t, f.message, want)
	}
	f.message = ""
	start().closeT(f)
	require.Empty(t, f.message)
}
