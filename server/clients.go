package server

import (
	"cmp"
	"maps"
	"slices"

	"github.com/minilockd/minilockd/command"
)

// clients implements command.Clients, which commands reach the server by.
type clients struct{ server *Server }

// Each implements command.Clients: it calls f with every connected session, oldest first.
func (s clients) Each(f func(*command.Session)) {
	var sessions []*command.Session
	s.server.eachConn(func(c *conn) { sessions = append(sessions, c.session) })
	slices.SortFunc(sessions, func(a, b *command.Session) int { return cmp.Compare(a.ID, b.ID) })
	for _, session := range sessions {
		f(session)
	}
}

// TimeoutChanged checks at once which connections are idle for too long: CONFIG SET timeout was called.
func (s clients) TimeoutChanged() { s.server.scheduleIdleCheck(0) }

// Shutdown implements SHUTDOWN. It does not wait: a connection of the server calls it.
func (s clients) Shutdown() { s.server.shutDown() }

// eachConn calls f with every connection, in no order.
func (s *Server) eachConn(f func(*conn)) {
	s.mu.Lock()
	conns := slices.Collect(maps.Values(s.conns))
	s.mu.Unlock()
	for _, c := range conns {
		f(c)
	}
}
