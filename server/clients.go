package server

import (
	"cmp"
	"maps"
	"slices"

	"github.com/minilockd/minilockd/command"
)

// Each implements command.Clients.
func (s *Server) Each(f func(*command.Session)) {
	var sessions []*command.Session
	s.eachConn(func(c *conn) { sessions = append(sessions, c.session) })
	slices.SortFunc(sessions, func(a, b *command.Session) int { return cmp.Compare(a.ID, b.ID) })
	for _, session := range sessions {
		f(session)
	}
}

// eachConn calls f with every connection, in no order.
func (s *Server) eachConn(f func(*conn)) {
	s.mu.Lock()
	conns := slices.Collect(maps.Values(s.conns))
	s.mu.Unlock()
	for _, c := range conns {
		f(c)
	}
}
