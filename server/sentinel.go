package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/command/sentinel"
	"github.com/minilockd/minilockd/internal/memconn"
	"github.com/minilockd/minilockd/internal/network"
)

// SentinelOptions are what StartSentinel starts. The zero value is three sentinels of "mymaster", which has two
// replicas.
type SentinelOptions struct {
	// Name is the name of the master, "mymaster" if empty.
	Name string
	// Replicas is the number of replicas, 2 if zero; negative for none.
	Replicas int
	// Sentinels is the number of sentinels, 3 if zero.
	Sentinels int
	// Quorum is how many sentinels must not reach the master until they make a replica the master; the majority if zero.
	Quorum int
	// DownAfter is how long a server is not reached, on the clock of the servers, until a sentinel takes it for down
	// (down-after-milliseconds); 30 s if zero.
	DownAfter time.Duration
	// Addrs are the TCP addresses of the sentinels; free ports of the loopback interface if empty.
	Addrs []string
	// Password is the password of the sentinels (requirepass); if empty, clients need none.
	Password string
}

// SentinelGroup is a master with its replicas and sentinels, which know each other and share a clock. All methods are
// safe for concurrent use.
type SentinelGroup struct {
	*Group
	name      string
	sentinels []*Server
}

// StartSentinel starts a master, replicas and sentinels for a test, and closes them when it ends. It returns once the
// replicas follow the master and the sentinels know all of them. The options are those of the master and of each
// replica, as in StartReplicated; of these, Emulate, InMemory and Logger are those of the sentinels, too.
func StartSentinel(t TB, o SentinelOptions, options ...Options) *SentinelGroup {
	t.Helper()
	g, err := NewSentinelGroup(context.Background(), o, join(options))
	if err != nil {
		t.Fatalf("starting minilockd: %v", err)
		return nil
	}
	t.Cleanup(func() { closeT(t, slices.Concat(g.sentinels, g.servers)...) })
	return g
}

// NewSentinelGroup is StartSentinel outside of a test: until Close is called or ctx ends. Addr of the options is where
// the master listens.
func NewSentinelGroup(ctx context.Context, o SentinelOptions, options Options) (*SentinelGroup, error) {
	o.fill()
	group, err := startGroup(ctx, options, max(o.Replicas, 0))
	if err != nil {
		return nil, err
	}
	g := &SentinelGroup{Group: group, name: o.Name}
	for i := range o.Sentinels {
		if err := g.startSentinel(ctx, o, options, i); err != nil {
			g.Close()
			return nil, err
		}
	}
	for _, s := range g.sentinels {
		master := g.servers[0].member
		sentinel.NodeOf(s.env).Monitor(o.Name, master.Host, master.Port, int64(o.Quorum), o.DownAfter)
	}
	return g, g.Sync(ctx)
}

func (o *SentinelOptions) fill() {
	o.Name = cmp.Or(o.Name, "mymaster")
	o.Replicas = cmp.Or(o.Replicas, 2)
	o.Sentinels = cmp.Or(o.Sentinels, 3)
	o.Quorum = cmp.Or(o.Quorum, o.Sentinels/2+1)
}

// firstSentinelPort is the port in the address of the first sentinel that is in memory.
const firstSentinelPort = 26379

func (g *SentinelGroup) startSentinel(ctx context.Context, o SentinelOptions, of Options, i int) error {
	options := Options{Emulate: g.servers[0].Emulate(), InMemory: of.InMemory, Logger: of.Logger, Password: o.Password,
		clock: g.clock, network: &g.network, name: "sentinel-" + strconv.Itoa(i+1), sentinel: true}
	options.memoryAddr = memconn.Addr(network.Addr(loopback, firstSentinelPort+i))
	if i < len(o.Addrs) {
		options.Addr = o.Addrs[i]
	}
	s, err := Start(ctx, options)
	if err != nil {
		return fmt.Errorf("sentinel %d: %w", i+1, err)
	}
	g.sentinels = append(g.sentinels, s)
	return nil
}

// Close closes all servers of the group.
func (g *SentinelGroup) Close() {
	for _, s := range g.sentinels {
		_ = s.Close()
	}
	g.close()
}

// Name returns the name of the master.
func (g *SentinelGroup) Name() string { return g.name }

// Sentinels returns the sentinels.
func (g *SentinelGroup) Sentinels() []*Server { return slices.Clone(g.sentinels) }

// Addrs returns the addresses of the sentinels.
func (g *SentinelGroup) Addrs() []string {
	addrs := make([]string, len(g.sentinels))
	for i, s := range g.sentinels {
		addrs[i] = s.Addr()
	}
	return addrs
}

// DialContext is [Group.DialContext], also for the sentinels.
func (g *SentinelGroup) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	for _, s := range g.sentinels {
		if s.member.Addr() == addr {
			return s.DialContext(ctx, network, addr)
		}
	}
	return g.Group.DialContext(ctx, network, addr)
}

// Sync waits until the sentinels have done what follows from what they see, and each replica has applied what its
// master has, apart from what its lag holds back.
func (g *SentinelGroup) Sync(ctx context.Context) (err error) {
	// A server that the sentinels repair meanwhile is an error, and while it waits a FAILOVER may end.
	const attempts = 10
	for range attempts {
		g.look()
		was := err
		if err = g.Group.Sync(ctx); ctx.Err() != nil || err == nil && was == errNotYet {
			return err
		}
		if err == nil {
			err = errNotYet
		}
	}
	return err
}

// errNotYet stands for a first success.
var errNotYet = errors.New("the roles of the servers change")

// look lets the sentinels see how things are now.
func (g *SentinelGroup) look() {
	for _, s := range g.sentinels {
		if s.running() {
			sentinel.NodeOf(s.env).Look()
			return
		}
	}
}

// MasterOf returns the server that a sentinel takes for the master, nil if there is none at that address.
func (g *SentinelGroup) MasterOf(s *Server) *Server {
	addr := sentinel.NodeOf(s.env).MasterAddr(g.name)
	for _, server := range g.servers {
		if server.member.Addr() == addr {
			return server
		}
	}
	return nil
}
