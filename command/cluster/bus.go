// Package cluster makes a server a node of a Redis Cluster: the commands CLUSTER, ASKING, READONLY and READWRITE, and
// the redirections of calls whose keys are elsewhere. It is a part of the server, not an API.
//
// All nodes are in one process. In place of gossip they have a Bus: each node has a view of the cluster of its own
// (view.go), and what a node changes in its view reaches those of all nodes that it knows before the command returns
// (merge.go). What the others make of that follows the rules of the Redis Cluster specification: who claims a slot with
// a higher epoch has it.
package cluster

import (
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// Bus connects the nodes of one process. The zero value is ready; all methods are safe for concurrent use.
type Bus struct {
	mu     lockrank.Mutex[lockrank.ClusterBus] // guards what follows, and changes of the views
	nodes  []*Node                             // that have not left, in the order in which they joined
	last   uint16                              // the highest number of a node
	closed bool                                // no node follows another one any more
}

// NewNode returns the part of a server that is a node, which knows no other node yet.
func (b *Bus) NewNode(env *command.Env) *Node {
	n := &Node{bus: b, env: env, id: command.NewID(), shard: command.NewID()}
	n.init()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	self := &member{Node: n, id: n.id, number: b.last}
	n.view.Store(&view{members: []*member{self}, owners: new(table)})
	b.nodes = append(b.nodes, n)
	return n
}

// reach reports whether what a node sends arrives at another one.
func (b *Bus) reach(from, to *Node) bool {
	if from.gone.Load() || to.gone.Load() {
		return false
	}
	return from.env.Network == nil || from.env.Network.Reaches(from.env.Member, to.env.Member)
}

// at returns the node that listens on an address, or nil.
func (b *Bus) at(host, port string) *Node {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.nodes {
		if h, p := n.place(); h == host && strconv.Itoa(p) == port {
			return n
		}
	}
	return nil
}

// Heal sends the views of all nodes again, since more of them reach each other.
func (b *Bus) Heal() {
	var changes changes
	b.mu.Lock()
	defer func() {
		b.mu.Unlock()
		changes.follow()
	}()
	b.spread(&changes, b.nodes...)
}

// Close makes the ends of nodes have no effect on the others.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}

// leave removes a node. To the others it has failed.
func (b *Bus) leave(n *Node) {
	var changes changes
	b.mu.Lock()
	defer func() {
		b.mu.Unlock()
		changes.follow()
		if len(changes.order) > 0 {
			b.succeed(n.ID())
		}
	}()
	n.gone.Store(true)
	for i, other := range b.nodes {
		if other == n {
			b.nodes = append(b.nodes[:i:i], b.nodes[i+1:]...)
			break
		}
	}
	if b.closed {
		return
	}
	for _, other := range b.nodes {
		v := other.view.Load().clone()
		if m := v.byID(n.id); m != nil {
			v.update(m, func(m *member) { m.failed = true })
			changes.store(other, v)
		}
	}
}

// change lets f change the view of a node and sends the result to the nodes that it knows. If f fails, nothing changes.
func (b *Bus) change(n *Node, f func(v *view) error) error {
	var changes changes
	b.mu.Lock()
	defer func() {
		b.mu.Unlock()
		changes.follow()
	}()
	v := n.view.Load().clone()
	if err := f(v); err != nil {
		return err
	}
	changes.store(n, v)
	b.spread(&changes, n)
	return nil
}

// spread sends the view of a node to those that it knows, and what they make of it to those that they know, until all
// that reach each other agree.
func (b *Bus) spread(changes *changes, from ...*Node) {
	for len(from) > 0 {
		sender := from[0]
		from = from[1:]
		for _, m := range sender.view.Load().members[1:] {
			if !b.reach(sender, m.Node) {
				continue
			}
			before := m.Node.view.Load()
			after, stale := m.Node.merge(before, sender.view.Load())
			if !after.sameAs(before) {
				changes.store(m.Node, after)
				from = append(from, m.Node)
			}
			if stale != nil && b.reach(stale, sender) {
				from = append(from, stale)
			}
		}
	}
}

// changes are the views that a change has replaced.
type changes struct {
	before map[*Node]*view
	order  []*Node
}

// store replaces the view of a node.
func (c *changes) store(n *Node, v *view) {
	if c.before == nil {
		c.before = make(map[*Node]*view)
	}
	if _, known := c.before[n]; !known {
		c.before[n] = n.view.Load()
		c.order = append(c.order, n)
	}
	v.count()
	n.view.Store(v)
}

// follow makes the nodes do what follows from their new views. The bus must not be locked.
func (c *changes) follow() {
	for _, n := range c.order {
		n.changed(c.before[n], n.view.Load())
	}
}
