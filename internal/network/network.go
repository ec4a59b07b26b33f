// Package network connects the servers of one process, such as a master and its replicas, the nodes of a cluster and
// sentinels: by connections in memory, which a test can cut.
package network

import (
	"errors"
	"net"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// Network is the servers of one process that know each other. The zero value has none; it is safe for concurrent use.
type Network struct {
	mu       lockrank.Mutex[lockrank.Network] // guards what follows
	members  []*Member
	groups   map[*Member]int // while it is partitioned: members of different groups do not reach each other
	conns    map[*conn]struct{}
	watchers []func()
	held     int // see Hold
	shared   any // see Shared
}

// Member is a server of a network. Its fields do not change once it is added.
type Member struct {
	Name string // such as "master" or "replica-1"
	Host string
	Port int
	Dial func() (net.Conn, error) // connects to it in memory
	Data any                      // its command.Env

	silent atomic.Bool // see SetSilent
}

// Addr returns the address of a member.
func (m *Member) Addr() string { return Addr(m.Host, m.Port) }

// Addr returns a host and a port as one address.
func Addr(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }

// dialTimeout limits how long it takes to connect to a server of another process.
const dialTimeout = 5 * time.Second

// ErrUnreachable is the error of Dial between members that do not reach each other.
var ErrUnreachable = &net.OpError{Op: "dial", Net: "memory", Err: syscall.EHOSTUNREACH}

// Add adds a member. It panics if another one has the same address.
func (n *Network) Add(m *Member) {
	n.change(func() {
		if n.atLocked(m.Host, m.Port) != nil {
			panic("network: two members at " + m.Addr())
		}
		n.members = append(n.members, m)
	})
}

// Remove removes a member whose server has ended.
func (n *Network) Remove(m *Member) {
	n.change(func() {
		n.members = slices.DeleteFunc(n.members, func(other *Member) bool { return other == m })
		delete(n.groups, m)
	})
}

// Watch has f called after each change of who reaches whom, and of who follows whom (Changed). f may call all methods
// but this. It must not wait, nor lock what is locked before the network.
func (n *Network) Watch(f func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watchers = append(n.watchers, f)
}

func (n *Network) change(f func()) {
	n.mu.Lock()
	f()
	n.closeCutLocked()
	watchers := n.watchers
	if n.held > 0 {
		watchers = nil
	}
	watchers = slices.Clone(watchers)
	n.mu.Unlock()
	for _, tell := range watchers {
		tell()
	}
}

// Members returns the members in the order in which they were added.
func (n *Network) Members() []*Member {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.members)
}

// Named returns the member with a name or an address, nil if there is none.
func (n *Network) Named(name string) *Member {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range n.members {
		if m.Name == name || m.Addr() == name {
			return m
		}
	}
	return nil
}

func (n *Network) atLocked(host string, port int) *Member {
	for _, m := range n.members {
		if m.Port == port && (m.Host == host || host == "localhost" && m.Host == "127.0.0.1") {
			return m
		}
	}
	return nil
}

// Partition separates groups of members: those of one do not reach those of another, nor those that are in none.
// Connections between them are closed.
func (n *Network) Partition(groups ...[]*Member) {
	n.change(func() {
		n.groups = make(map[*Member]int)
		for i, group := range groups {
			for _, m := range group {
				n.groups[m] = i + 1
			}
		}
	})
}

// Heal ends a partition.
func (n *Network) Heal() { n.change(func() { n.groups = nil }) }

// Reaches reports whether two members are in no different groups of a partition, and both still there.
func (n *Network) Reaches(a, b *Member) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.reachesLocked(a, b)
}

func (n *Network) reachesLocked(a, b *Member) bool {
	return n.groups[a] == n.groups[b] && slices.Contains(n.members, a) && slices.Contains(n.members, b)
}

// Dial connects a member to a server: in memory if that is a member, too, else by TCP.
func (n *Network) Dial(from *Member, host, port string) (net.Conn, error) {
	number, _ := strconv.Atoi(port)
	n.mu.Lock()
	to := n.atLocked(host, number)
	reached := to == nil || n.reachesLocked(from, to)
	n.mu.Unlock()
	switch {
	case !reached:
		return nil, ErrUnreachable
	case to == nil:
		return DialTCP(host, port)
	}
	nc, err := to.Dial()
	if err != nil {
		return nil, err
	}
	return n.add(&conn{Conn: nc, network: n, from: from, to: to})
}

// DialTCP connects to a server of another process.
func DialTCP(host, port string) (net.Conn, error) {
	return net.DialTimeout("tcp", net.JoinHostPort(host, port), dialTimeout)
}

// conn is a connection between two members.
type conn struct {
	net.Conn
	network  *Network
	from, to *Member
}

// add keeps a connection, to close it once its ends do not reach each other.
func (n *Network) add(c *conn) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.reachesLocked(c.from, c.to) {
		_ = c.Conn.Close()
		return nil, ErrUnreachable
	}
	if n.conns == nil {
		n.conns = make(map[*conn]struct{})
	}
	n.conns[c] = struct{}{}
	return c, nil
}

// closeCutLocked closes the connections whose ends do not reach each other any more.
func (n *Network) closeCutLocked() {
	for c := range n.conns {
		if !n.reachesLocked(c.from, c.to) {
			_ = c.Conn.Close()
			delete(n.conns, c)
		}
	}
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.network.mu.Lock()
	delete(c.network.conns, c)
	c.network.mu.Unlock()
	return c.Conn.Close()
}

// IsUnreachable reports whether an error is ErrUnreachable.
func IsUnreachable(err error) bool { return errors.Is(err, syscall.EHOSTUNREACH) }
