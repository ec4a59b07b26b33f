package server

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() {
	churnLoops = func(t *testing.T, s *Server, loops int, end time.Time) {
		for range loops - 1 {
			s.mu.Lock()
			_, err := s.addLoop()
			s.mu.Unlock()
			assert.NoError(t, err)
		}
		for i := 0; time.Now().Before(end); i++ {
			s.mu.Lock()
			from, to := s.loops[i%len(s.loops)], s.loops[(i*7+1)%len(s.loops)]
			s.mu.Unlock()
			if from != to {
				from.handoff.Store(&handoff{target: to, all: i%2 == 0})
				from.wake()
			}
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
