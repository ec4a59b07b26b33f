package replication

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/network"
)

var (
	errNoReplica   = errors.New("ERR no such replica")
	errMasterOnly  = errors.New("ERR this server is a replica: its master fails over")
	errStillBehind = errors.New("ERR the replica has not received all in time")
)

// awaitReceived limits how long a failover waits until the replica has received what the master has sent, in real time.
const awaitReceived = 10 * time.Second

// FailOver makes a replica the master, as if this server had failed: what the replica has not applied since it lags is
// lost. The other replicas and this server follow it then, and all clients of this server but one, which may be nil,
// are disconnected. to is a name or an address; empty for the first replica.
func (n *Node) FailOver(to string, but *command.Session) error {
	if n.current() != nil {
		return errMasterOnly
	}
	host, port, err := n.find(to)
	if err != nil {
		return err
	}
	defer n.hold()()
	n.env.PauseWrites()
	defer n.env.Unpause()
	if err := n.settle(host, port); err != nil {
		return err
	}
	if err := n.Tell(host, port, "REPLICAOF", "NO", "ONE"); err != nil {
		return err
	}
	var others error
	for _, r := range n.history.role().Replicas {
		if r.Host != host || r.Port != port {
			others = cmp.Or(others, n.Tell(r.Host, r.Port, "REPLICAOF", host, strconv.Itoa(port)))
		}
	}
	n.BecomeReplica(host, port)
	n.DropClients(but)
	return others
}

// find returns the address of a replica.
func (n *Node) find(name string) (host string, port int, err error) {
	if n.env.Network != nil {
		if m := n.env.Network.Named(name); m != nil {
			name = m.Addr()
		}
	}
	for _, r := range n.history.role().Replicas {
		if name == "" || network.Addr(r.Host, r.Port) == name {
			return r.Host, r.Port, nil
		}
	}
	return "", 0, errNoReplica
}

// settle waits until a replica of this process has applied what its lag lets it. Writes must be paused.
func (n *Node) settle(host string, port int) error {
	if n.env.Network == nil {
		return nil
	}
	m := n.env.Network.Named(network.Addr(host, port))
	if m == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), awaitReceived)
	defer cancel()
	if NodeOf(m.Data.(*command.Env)).Await(ctx, n.Role().Offset) != nil {
		return errStillBehind
	}
	return nil
}

// DropClients disconnects all clients but one, which may be nil, and replicas.
func (n *Node) DropClients(but *command.Session) {
	n.env.Clients.Each(func(s *command.Session) {
		if s != but && !s.IsReplica() {
			s.Kill()
		}
	})
}

// Tell sends another server a command, and returns its error.
func (n *Node) Tell(host string, port int, args ...string) error {
	conn, err := n.env.Dial(host, strconv.Itoa(port))
	if err != nil {
		return err
	}
	defer conn.Close()
	m := &master{link: new(link), conn: conn, in: bufio.NewReader(conn)}
	m.link.node = n
	if err := m.logIn(cmp.Or(n.env.Config.Get("masterauth"), n.env.Config.Get("requirepass"))); err != nil {
		return err
	}
	reply, err := m.ask(args...)
	switch {
	case err != nil:
		return err
	case reply[0] == '-':
		return fmt.Errorf("%s:%d: %s", host, port, reply[1:])
	}
	return nil
}
