package server

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/persistence"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/memconn"
	"github.com/minilockd/minilockd/internal/network"
)

// Group is several servers that know each other and share a clock: a master with its replicas. All methods are safe for
// concurrent use.
type Group struct {
	network network.Network
	clock   *clock.Offset
	servers []*Server // without sentinels
}

// StartReplicated starts a master and replicas for a test, and closes them when it ends. Each has a port, a store and
// parameters of its own; they share a clock. It returns once the replicas follow the master.
//
// The options are those of each server, but for Addr and Listener, which must not be set.
func StartReplicated(t TB, replicas int, options ...Options) *Group {
	t.Helper()
	g, err := startGroup(context.Background(), join(options), replicas)
	if err != nil {
		t.Fatalf("starting minilockd: %v", err)
		return nil
	}
	t.Cleanup(func() { closeT(t, g.servers...) })
	return g
}

// firstMemoryPort is the port in the address of the first server of a Group that is in memory.
const firstMemoryPort = 7000

func startGroup(ctx context.Context, options Options, replicas int) (*Group, error) {
	g := &Group{clock: clock.NewOffset(clock.Real{})}
	options.clock, options.network = g.clock, &g.network
	for i := range 1 + replicas {
		options.name = "master"
		if i > 0 {
			options.beReplica(i)
		}
		options.memoryAddr = memconn.Addr(network.Addr(loopback, firstMemoryPort+i))
		if err := g.start(ctx, options); err != nil {
			g.close()
			return nil, err
		}
	}
	master := g.servers[0].member
	for _, s := range g.servers[1:] {
		replication.NodeOf(s.env).BecomeReplica(master.Host, master.Port)
	}
	return g, g.Sync(ctx)
}

// beReplica makes the options those of a further server of a group.
func (o *Options) beReplica(i int) {
	o.name = "replica-" + strconv.Itoa(i)
	o.Seed, o.Listener, o.further, o.UnixSocket = nil, nil, true, ""
	o.Addr = ""
	if !o.InMemory && !inBubble() {
		o.Addr = net.JoinHostPort(loopback, "0")
	}
}

// openData loads the RDB file that the options name. That of a group belongs to its first server.
func (s *Server) openData() error {
	if s.options.further {
		return nil
	}
	return persistence.Of(s.env).Open()
}

// start adds a server.
func (g *Group) start(ctx context.Context, options Options) error {
	s, err := Start(ctx, options)
	if err == nil {
		g.servers = append(g.servers, s)
	}
	return err
}

func (g *Group) close() {
	for _, s := range g.servers {
		_ = s.Close()
	}
}

// Servers returns all servers, first the one that was the master at the start.
func (g *Group) Servers() []*Server { return slices.Clone(g.servers) }

// Master returns the master, nil if there is none. If there are several, since servers were separated, it is the first.
func (g *Group) Master() *Server {
	for _, s := range g.servers {
		if s.running() && !s.env.IsReplica() {
			return s
		}
	}
	return nil
}

// Replicas returns the servers that are replicas.
func (g *Group) Replicas() (replicas []*Server) {
	for _, s := range g.servers {
		if s.running() && s.env.IsReplica() {
			replicas = append(replicas, s)
		}
	}
	return replicas
}

// DialContext connects in memory to the server of the group at an address, for clients that take a function to connect
// by. The error for an address at which there is none is that of a server that does not listen.
func (g *Group) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	for _, s := range g.servers {
		if s.member.Addr() == addr {
			return s.DialContext(ctx, network, addr)
		}
	}
	return nil, dialError(fmt.Errorf("no server at %s", addr))
}

// Sync waits until each replica has applied what its master has, apart from what its lag holds back.
func (g *Group) Sync(ctx context.Context) error {
	for _, s := range g.Replicas() {
		master := g.network.Named(replication.NodeOf(s.env).MasterAddr())
		if master == nil || !g.network.Reaches(s.member, master) {
			continue
		}
		offset := replication.NodeOf(master.Data.(*command.Env)).Role().Offset
		if err := replication.NodeOf(s.env).Await(ctx, offset); err != nil {
			return fmt.Errorf("%s waits for its master: %w", s.Addr(), err)
		}
	}
	return nil
}

// Lag makes a replica apply later what it has received from its master: see Server.SetLag.
type Lag = replication.Lag

// SetLag makes the server apply later what it receives from its master, whenever it is a replica. What was received and
// not applied is lost if the server becomes master. The command FAULT.LAG does the same.
func (s *Server) SetLag(lag Lag) { replication.NodeOf(s.env).SetLag(lag) }

// running reports whether the server is not closed.
func (s *Server) running() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// FailOver makes a replica the master, as if the server had failed: what the replica has not applied since it lags is
// lost. The other replicas and the server, which was the master, follow it then, and the clients of the server are
// disconnected. to is nil for the first replica. The command FAULT.FAILOVER does the same.
func (s *Server) FailOver(to *Server) error {
	var name string
	if to != nil {
		name = to.Addr()
	}
	if err := replication.NodeOf(s.env).FailOver(name, nil); err != nil {
		return fmt.Errorf("minilockd: %w", err)
	}
	return nil
}

// Partition separates servers: those of one list do not reach those of another, nor those that are in none, and
// connections between them are closed. Clients still reach all of them; [Server.Partition] cuts them off. A master that
// its replicas do not reach goes on, and what it writes is lost when another one has become master meanwhile. The
// command FAULT.PARTITION with names does the same.
func (g *Group) Partition(groups ...[]*Server) {
	members := make([][]*network.Member, len(groups))
	for i, group := range groups {
		for _, s := range group {
			members[i] = append(members[i], s.member)
		}
	}
	g.network.Partition(members...)
}

// Heal ends Partition. The command FAULT.HEAL does the same.
func (g *Group) Heal() { g.network.Heal() }
