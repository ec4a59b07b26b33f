package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func init() {
	requireLoopsIdle = func(t *testing.T, s *Server) {
		t.Helper()
		for _, l := range s.loops {
			require.Nil(t, l.current.Load())
		}
	}
}
