package server

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func init() {
	moveConnections = func(s *Server, end time.Time) {
		for i := 0; time.Now().Before(end); i++ {
			s.mu.Lock()
			if n := len(s.loops); n > 1 {
				from := s.loops[i%n]
				from.giveTo.Store(s.loops[(i+1+i/n%(n-1))%n])
				from.wake()
			}
			s.mu.Unlock()
			time.Sleep(time.Millisecond)
		}
	}
	requireLoopsIdle = func(t *testing.T, s *Server) {
		t.Helper()
		for _, l := range s.loops {
			require.Nil(t, l.current.Load())
		}
	}
}
