package server

import (
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/store"
)

// Stats are figures of a server at one moment, as in INFO. Reading them counts as no command, and no fault happens to
// it.
type Stats struct {
	Started time.Time // on the server's clock
	Clients int       // connections
	Blocked int       // those whose command blocks, as BLPOP does
	Keys    int       // in all databases

	// These count from the start of the server, or from CONFIG RESETSTAT.
	Connections int64            // accepted
	Rejected    int64            // closed at once, because of maxclients or protected-mode
	Commands    int64            // calls of clients and scripts; one that blocks counts when it ends
	Errors      map[string]int64 // error replies by their code, the first word
	Expired     int64            // keys that have expired
}

// Stats returns the figures of the server.
func (s *Server) Stats() Stats {
	e := s.env
	figures := Stats{Started: e.Started(), Connections: e.Stats.Connections.Load(), Rejected: e.Stats.Rejected.Load(),
		Commands: e.Stats.Calls.Total(), Errors: e.Stats.Errors(), Expired: e.Store.Expired()}
	e.Clients.Each(func(c *command.Session) {
		figures.Clients++
		if c.Blocked() {
			figures.Blocked++
		}
	})
	e.Store.Exclusively(func(tx *store.Tx) {
		for db := range e.Store.Databases() {
			figures.Keys += tx.Size(db)
		}
	})
	return figures
}

// ClientInfo is what CLIENT LIST tells of a connection.
type ClientInfo struct {
	ID      int64
	Name    string
	Addr    string
	Library string    // name and version that CLIENT SETINFO has told
	Created time.Time // on the server's clock, as Active
	Active  time.Time // when it sent its last command, to the second
	Command string    // the last one; "" if it has sent none
	Blocked bool      // that command blocks, as BLPOP does
}

// Clients returns the connections, the oldest first.
func (s *Server) Clients() (list []ClientInfo) {
	s.env.Clients.Each(func(c *command.Session) {
		name, active := c.LastCommand()
		list = append(list, ClientInfo{ID: c.ID, Name: c.Name(), Addr: c.Addr, Library: c.Library(), Created: c.Created,
			Active: active, Command: name, Blocked: c.Blocked()})
	})
	return list
}

// NeedsPassword reports whether a client must send AUTH before it can be the default user: requirepass is set.
func (s *Server) NeedsPassword() bool { return !s.env.ACL.Open() }

// CheckPassword reports whether AUTH with that password would succeed. The time it takes does not tell how much of the
// password is right.
func (s *Server) CheckPassword(password string) bool {
	return s.env.ACL.Authenticate(s.env.ACL.Default.Name, password) != nil
}
