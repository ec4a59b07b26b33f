package server

import (
	"cmp"
	"maps"
	"slices"

	"github.com/minilockd/minilockd/command"
)

// clients is what commands see of the server's connections: command.Clients.
type clients struct{ *Server }

// Each calls f with every connected session, oldest first.
func (s clients) Each(f func(*command.Session)) {
	var sessions []*command.Session
	s.eachConn(func(c *conn) { sessions = append(sessions, c.session) })
	slices.SortFunc(sessions, func(a, b *command.Session) int { return cmp.Compare(a.ID, b.ID) })
	for _, session := range sessions {
		f(session)
	}
}

// TimeoutChanged has the connections looked at: Config.Timeout may be another.
func (s clients) TimeoutChanged() { s.watchIdle(0) }

// eachConn calls f with every connection, in no order.
func (s *Server) eachConn(f func(*conn)) {
	s.mu.Lock()
	conns := slices.Collect(maps.Values(s.conns))
	s.mu.Unlock()
	for _, c := range conns {
		f(c)
	}
}
