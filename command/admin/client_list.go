package admin

// CLIENT LIST and CLIENT KILL select clients by the same filters (client_filter.go). Both may meet sessions that run
// commands on other cores, so they use only what a Session stores for other goroutines (command/client_info.go).

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

// clients returns the connected sessions that match, oldest first.
func clients(c *command.Call, f *clientFilter) []*command.Session {
	var found []*command.Session
	c.Env().Clients.Each(func(s *command.Session) {
		if f.matches(s) {
			found = append(found, s)
		}
	})
	return found
}

// clientList returns a line for each client, oldest first: CLIENT LIST [filter value ...]. In Redis the filter is
// either TYPE or ID, with IDs in the order in which it shows the clients.
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

// listed returns the clients that the options of CLIENT LIST select.
func listed(c *command.Call) ([]*command.Session, error) {
	f := newClientFilter(c)
	switch {
	case c.Does(emulate.ClientsFiltered) && c.Len() != 3, c.Len() == 4 && c.Is(2, "type"):
		if err := f.read(2); err != nil {
			return nil, err
		}
	case c.Len() == 2:
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
	for _, s := range clients(c, newClientFilter(c)) {
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
// itself.
func killFilter(c *command.Call) (*clientFilter, error) {
	f := newClientFilter(c)
	if c.Len() == 3 {
		return f, f.readTest("addr", c.Arg(2))
	}
	f.skipMe = true
	return f, f.read(2)
}
