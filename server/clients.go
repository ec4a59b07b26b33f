package server

import (
	"cmp"
	"maps"
	"slices"
	"time"

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

// Partition implements command.Clients.
func (s clients) Partition(on bool) {
	s.server.setPartitioned(on)
	s.server.eachConn(func(c *conn) { c.restrict().setCut(on) })
}

func (s *Server) setPartitioned(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partitioned = on
}

// Restart implements command.Clients.
func (s clients) Restart(caller *command.Session, change func()) {
	server := s.server
	server.restart.Lock()
	defer server.restart.Unlock()
	for server.killExcept(caller) > 0 {
		server.env.Scripts.Abort()
		time.Sleep(restartPoll) //nolint:forbidigo // connections and scripts end in real time
	}
	change()
}

// restartPoll is the time between two looks at whether the connections have ended.
const restartPoll = 200 * time.Microsecond

// killExcept kills all connections but one, and returns how many these are.
func (s *Server) killExcept(session *command.Session) (n int) {
	s.eachConn(func(c *conn) {
		if c.session != session {
			n++
			c.session.Kill()
		}
	})
	return n
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
