package server

import (
	"cmp"
	"slices"

	"github.com/minilockd/minilockd/command"
)

// Each implements command.Clients.
func (s *Server) Each(f func(*command.Session)) {
	s.mu.Lock()
	sessions := make([]*command.Session, 0, len(s.conns))
	for _, c := range s.conns {
		sessions = append(sessions, c.session)
	}
	s.mu.Unlock()
	slices.SortFunc(sessions, func(a, b *command.Session) int { return cmp.Compare(a.ID, b.ID) })
	for _, session := range sessions {
		f(session)
	}
}
