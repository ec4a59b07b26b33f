package admin

// CLIENT LIST and CLIENT KILL select clients by the same filter. Both may meet sessions that run commands on other
// cores, so they use only what a Session stores for other goroutines (command/client_info.go).

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// clientFilter says which clients CLIENT LIST shows and CLIENT KILL closes. The zero value is all of them.
type clientFilter struct {
	id        int64 // 0 for any
	addr      string
	localAddr string
	typ       string
	user      *acl.User // nil for any
	skipMe    bool      // SKIPME
	matchNone bool      // the filter is for a type of client that does not exist here
}

// setType sets the filter TYPE, in any letter case. There are no masters and replicas, so those types match no client;
// "slave" is the old name of replica.
func (f *clientFilter) setType(word []byte) error {
	switch f.typ = strings.ToLower(string(word)); f.typ {
	case "normal", "pubsub":
	case "master", "replica", "slave":
		f.matchNone = true
	default:
		return words.Errorf("ERR Unknown client type '%s'", word)
	}
	return nil
}

// matches reports whether a session passes all filters. self is the session of the call. A killed session, which is
// still there until its connection closes, never does.
func (f *clientFilter) matches(s, self *command.Session) bool {
	switch {
	case f.matchNone,
		f.id != 0 && f.id != s.ID,
		f.addr != "" && f.addr != s.Addr,
		f.localAddr != "" && f.localAddr != s.LocalAddr,
		f.typ == "normal" && s.Subscribed(),
		f.typ == "pubsub" && !s.Subscribed(),
		f.user != nil && f.user != s.User(),
		f.skipMe && s == self:
		return false
	}
	return !s.Killed()
}

// clients returns the connected sessions that match, oldest first.
func clients(c *command.Call, f clientFilter) []*command.Session {
	var found []*command.Session
	c.Env().Clients.Each(func(s *command.Session) {
		if f.matches(s, c.Session) {
			found = append(found, s)
		}
	})
	return found
}

// clientList returns a line for each client, oldest first: CLIENT LIST [TYPE type] [ID client-id [client-id ...]]. As
// in Redis 7.0 only one of the two options may be given.
func clientList(c *command.Call) resp.Value {
	sessions, err := listed(c)
	if err != nil {
		return c.Fail(err)
	}
	c.Session.PublishInfo()
	var lines strings.Builder
	for _, s := range sessions {
		lines.WriteString(s.Describe(c.Tx.Time(), c))
	}
	return resp.Verbatim("txt", lines.String())
}

// listed returns the clients that the options of CLIENT LIST select: by TYPE, or by ID in the order of the IDs.
func listed(c *command.Call) ([]*command.Session, error) {
	var f clientFilter
	switch {
	case c.Len() == 2:
	case c.Len() == 4 && c.Is(2, "type"):
		if err := f.setType(c.Arg(3)); err != nil {
			return nil, err
		}
	case c.Len() > 3 && c.Is(2, "id"):
		return byID(c, c.Rest(3))
	default:
		return nil, command.ErrSyntax
	}
	return clients(c, f), nil
}

// byID returns the clients with these IDs. An unknown ID is left out; one that is not an integer is an error, whatever
// the others are.
func byID(c *command.Call, ids [][]byte) ([]*command.Session, error) {
	connected := make(map[int64]*command.Session)
	for _, s := range clients(c, clientFilter{}) {
		connected[s.ID] = s
	}
	var found []*command.Session
	for _, word := range ids {
		id, err := command.ParseInt(word)
		if err != nil {
			return nil, errClientID
		}
		if s := connected[id]; s != nil {
			found = append(found, s)
		}
	}
	return found, nil
}

// clientKill closes connections: CLIENT KILL ip:port, or CLIENT KILL with filters, each a name and a value. By address
// the reply is OK, or an error if there is no such client. With filters it is the number of clients that match all of
// them, which may be 0; the caller is one of them only with SKIPME NO.
func clientKill(c *command.Call) resp.Value {
	filter, err := killFilter(c)
	if err != nil {
		return c.Fail(err)
	}
	matching := clients(c, filter)
	for _, s := range matching {
		closeClient(c, s)
	}
	switch {
	case c.Len() > 3:
		return resp.Int(int64(len(matching)))
	case len(matching) == 0:
		return c.Fail(errNoSuchClient)
	}
	return resp.OK
}

// killFilter parses the arguments of CLIENT KILL. The form with an address also closes the connection of the caller
// itself. An empty address matches no client: the zero value of the filter would match all.
func killFilter(c *command.Call) (clientFilter, error) {
	if c.Len() == 3 {
		return clientFilter{addr: string(c.Arg(2)), matchNone: len(c.Arg(2)) == 0}, nil
	}
	f := clientFilter{skipMe: true}
	for i := 2; i < c.Len(); i += 2 {
		if i+1 == c.Len() {
			return f, command.ErrSyntax
		}
		if err := f.option(c, i); err != nil {
			return f, err
		}
	}
	return f, nil
}

// option parses one filter of CLIENT KILL, arguments i and i+1. If a filter is given twice, the last one counts.
func (f *clientFilter) option(c *command.Call, i int) error {
	value := c.Arg(i + 1)
	switch {
	case c.Is(i, "id"):
		id, err := command.ParseInt(value)
		if err != nil || id < 1 {
			return errKillID
		}
		f.id = id
	case c.Is(i, "type"):
		return f.setType(value)
	case c.Is(i, "addr"):
		f.addr, f.matchNone = string(value), f.matchNone || len(value) == 0
	case c.Is(i, "laddr"):
		f.localAddr, f.matchNone = string(value), f.matchNone || len(value) == 0
	case c.Is(i, "user"):
		if f.user = c.Env().ACL.Get(string(value)); f.user == nil {
			return words.Errorf("ERR No such user '%s'", value)
		}
	case c.Is(i, "skipme") && (c.Is(i+1, "yes") || c.Is(i+1, "no")):
		f.skipMe = c.Is(i+1, "yes")
	default:
		return command.ErrSyntax
	}
	return nil
}
