package cluster

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Node is the place of a server in a cluster. All methods are safe for concurrent use.
type Node struct {
	bus   *Bus
	env   *command.Env
	id    string // the first one; CLUSTER RESET HARD gives the node another
	shard string // the ID of the shard that it was the first master of
	view  atomic.Pointer[view]
	gone  atomic.Bool // the server closes
	stats messages

	asksKeys *command.Command // MIGRATE, which may use a slot that moves
	sharded  [3]*command.Command

	work sync.WaitGroup // what follows from changes of the view
}

// messages counts what nodes have told each other, for CLUSTER INFO.
type messages struct{ sent, received atomic.Int64 }

func (n *Node) init() {
	table := n.env.Table
	n.asksKeys = table.Get("migrate")
	n.sharded = [3]*command.Command{table.Get("ssubscribe"), table.Get("sunsubscribe"), table.Get("spublish")}
}

// NodeOf returns the node that a server is, nil outside of a cluster.
func NodeOf(env *command.Env) *Node {
	n, _ := env.Cluster.(*Node)
	return n
}

// ID returns the ID of the node.
func (n *Node) ID() string { return n.view.Load().self().id }

// Master returns the ID of the node that this one replicates, "" for a master.
func (n *Node) Master() string { return n.view.Load().self().master }

// now is the time of the server, in ms since the epoch.
func (n *Node) now() int64 { return n.env.Clock.Now().UnixMilli() }

// place returns where other nodes and clients find the node: its address, or that which the configuration announces.
func (n *Node) place() (host string, port int) {
	host, port = n.env.Member.Host, n.env.Member.Port
	if announced := n.env.Config.Get("cluster-announce-ip"); announced != "" {
		host = announced
	}
	if announced, _ := strconv.Atoi(n.env.Config.Get("cluster-announce-port")); announced != 0 {
		port = announced
	}
	return host, port
}

// busPort is the port that a node of Redis would have for other nodes.
func (n *Node) busPort() int {
	for _, parameter := range []string{"cluster-announce-bus-port", "cluster-port"} {
		if port, _ := strconv.Atoi(n.env.Config.Get(parameter)); port != 0 {
			return port
		}
	}
	_, port := n.place()
	return port + 10000
}

// Close implements command.Cluster.
func (n *Node) Close() {
	n.bus.leave(n)
	n.work.Wait()
}

// spawn runs f in a goroutine that Close waits for, unless the server closes.
func (n *Node) spawn(f func()) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	if !n.gone.Load() {
		n.work.Go(f)
	}
}

// changed does what follows from a new view. It may run in the goroutine of another server's command.
func (n *Node) changed(before, after *view) {
	if before.owners != after.owners || before.self().master != after.self().master {
		n.env.Clients.Each(n.RedirectBlocked)
		if before.owners != after.owners {
			n.dropLostKeys(before, after)
		}
	}
	if before.self().master != after.self().master {
		n.spawn(n.Settle)
	}
}

// Settle makes the server a replica or a master, as its view says.
func (n *Node) Settle() {
	n.env.Store.Exclusively(func(tx *store.Tx) { n.settle(tx) })
}

// settle is Settle within a transaction that holds all shards.
func (n *Node) settle(tx *store.Tx) {
	r := replication.NodeOf(n.env)
	v := n.view.Load()
	master := v.masterOf(v.self())
	if master == nil {
		r.Promote(tx)
		return
	}
	host, port := master.env.Member.Host, master.env.Member.Port
	if r.MasterAddr() != network.Addr(host, port) {
		r.Follow(tx, host, port)
	}
}

// dropLostKeys removes the keys of slots that another node has taken.
func (n *Node) dropLostKeys(before, after *view) {
	self := after.self()
	if before.self().master != "" || self.master != "" {
		return
	}
	var lost []int
	for slot, number := range before.owners {
		if number == self.number && after.owners[slot] != number && after.owners[slot] != 0 {
			lost = append(lost, slot)
		}
	}
	if len(lost) > 0 {
		n.spawn(func() { n.deleteLost(lost) })
	}
}

// deleteLost removes the keys of slots that the node does not own any more.
func (n *Node) deleteLost(slots []int) {
	v := n.view.Load()
	slots = slices.DeleteFunc(slots, func(slot int) bool {
		owner := v.owner(slot)
		return owner == nil || owner == v.self() || v.moving[slot] != (move{})
	})
	if len(slots) > 0 && v.self().master == "" {
		n.deleteSlots(slots)
	}
}

// Publish implements command.Cluster: a message of PUBLISH goes to all nodes, one of SPUBLISH to those of the shard.
func (n *Node) Publish(m command.Message) {
	v := n.view.Load()
	for _, other := range v.members[1:] {
		if !n.bus.reach(n, other.Node) || m.Kind == pubsub.Shard && !v.sameShard(other) {
			continue
		}
		n.stats.sent.Add(1)
		other.stats.received.Add(1)
		other.env.PublishHere(command.Message{Kind: m.Kind, Channel: m.Channel, Payload: m.Payload})
	}
}

// sameShard reports whether a node is of the shard of the node itself.
func (v *view) sameShard(other *member) bool {
	self := v.self()
	leader := self.id
	if self.master != "" {
		leader = self.master
	}
	return other.id == leader || other.master == leader
}
