package server

import (
	"context"
	"fmt"
	"net"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/cluster"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/memconn"
	"github.com/minilockd/minilockd/internal/network"
)

// Cluster is a Redis Cluster in one process. Its nodes share a clock. All methods are safe for concurrent use.
type Cluster struct {
	Group
	bus cluster.Bus
}

// StartCluster starts a cluster for a test, and closes it when the test ends: n masters with equal shares of the slots,
// each with so many replicas. It returns once the replicas follow their masters. Clients get the addresses of nodes
// from Addrs:
//
//	redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs()})
//
// The options are those of each node, but for Listener, Seed and UnixSocket, which must not be set. In a bubble of
// testing/synctest, and with InMemory, clients connect by Cluster.DialContext.
func StartCluster(t TB, n, replicas int, options ...Options) *Cluster {
	t.Helper()
	c, err := NewCluster(context.Background(), n, replicas, join(options))
	if err != nil {
		t.Fatalf("starting minilockd: %v", err)
		return nil
	}
	t.Cleanup(func() {
		c.bus.Close()
		closeT(t, c.servers...)
	})
	return c
}

// NewCluster is StartCluster without a test. Close ends the cluster. If the options have a port, the nodes have that
// one and those that follow it.
func NewCluster(ctx context.Context, n, replicas int, options Options) (*Cluster, error) {
	if n < 1 || replicas < 0 {
		return nil, fmt.Errorf("minilockd: a cluster of %d masters with %d replicas each", n, replicas)
	}
	c := &Cluster{Group: Group{clock: clock.NewOffset(clock.Real{})}}
	options.clock, options.network, options.bus = c.clock, &c.network, &c.bus
	first, err := options.firstPort()
	if err != nil {
		return nil, err
	}
	for i := range n * (1 + replicas) {
		options.name = "node-" + strconv.Itoa(i+1)
		options.memoryAddr = memconn.Addr(network.Addr(loopback, firstMemoryPort+i))
		if first.port != 0 {
			options.Addr = network.Addr(first.host, first.port+i)
		}
		if err := c.start(ctx, options); err != nil {
			c.Close()
			return nil, err
		}
	}
	nodes := make([]*cluster.Node, len(c.servers))
	for i, s := range c.servers {
		nodes[i] = cluster.NodeOf(s.env)
	}
	c.bus.Form(nodes, n)
	for _, node := range nodes[n:] {
		node.Settle()
	}
	c.network.Watch(c.bus.Heal)
	return c, c.Sync(ctx)
}

// firstPlace is where the first node of a cluster listens.
type firstPlace struct {
	host string
	port int // 0 for free ports
}

// firstPort splits Addr.
func (o *Options) firstPort() (p firstPlace, err error) {
	if o.Addr == "" {
		return p, nil
	}
	host, port, err := net.SplitHostPort(o.Addr)
	if err == nil {
		p.host = host
		p.port, err = strconv.Atoi(port)
	}
	if err != nil {
		return p, fmt.Errorf("minilockd: the address of the first node: %w", err)
	}
	return p, nil
}

// Close closes all nodes.
func (c *Cluster) Close() {
	c.bus.Close()
	c.close()
}

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() (addrs []string) {
	for _, s := range c.servers {
		addrs = append(addrs, s.member.Addr())
	}
	return addrs
}

// Masters returns the nodes that are masters, whether or not they have slots.
func (c *Cluster) Masters() (masters []*Server) {
	for _, s := range c.servers {
		if s.running() && cluster.NodeOf(s.env).Master() == "" {
			masters = append(masters, s)
		}
	}
	return masters
}

// Replicas returns the nodes that are replicas.
func (c *Cluster) Replicas() (replicas []*Server) {
	for _, s := range c.servers {
		if s.running() && cluster.NodeOf(s.env).Master() != "" {
			replicas = append(replicas, s)
		}
	}
	return replicas
}

// Node returns the node at an address, or with an ID; nil if there is none.
func (c *Cluster) Node(name string) *Server {
	for _, s := range c.servers {
		if s.member.Addr() == name || cluster.NodeOf(s.env).ID() == name {
			return s
		}
	}
	return nil
}

// fixCluster sets the parameters of a node.
func (s *Server) fixCluster(config *config.Config) {
	config.SetFixed("cluster-enabled", "yes")
	if s.options.emulated.Has("valkey-9.0") {
		s.options.Databases, _ = strconv.Atoi(config.Get("cluster-databases"))
	}
}

// joinBus is for the Env of a node of a Cluster.
func (s *Server) joinBus() func(*command.Env) command.Cluster {
	bus := s.options.bus
	if bus == nil {
		return nil
	}
	return func(env *command.Env) command.Cluster { return bus.NewNode(env) }
}
