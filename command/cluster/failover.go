package cluster

import (
	"errors"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errFailoverMaster  = errors.New("ERR You should send CLUSTER FAILOVER to a replica")
	errFailoverUnknown = errors.New("ERR I'm a replica but my master is unknown to me")
	errFailoverDown    = errors.New("ERR Master is down or failed, please use CLUSTER FAILOVER FORCE")
)

// failover makes the replica the master of its shard: CLUSTER FAILOVER [FORCE | TAKEOVER]. Without an option the master
// first stops writing until the replica has applied all; with one, what it has not applied is lost. The reply is OK
// once that is done, or the master has given up.
func failover(c *command.Call, n *Node) resp.Value {
	force := c.Len() == 3 && (c.Is(2, "force") || c.Is(2, "takeover"))
	v := n.view.Load()
	master := v.masterOf(v.self())
	switch {
	case c.Len() > 3:
		return c.Fail(errWords(c))
	case c.Len() == 3 && !force:
		return c.Fail(command.ErrSyntax)
	case v.self().master == "":
		return c.Fail(errFailoverMaster)
	case master == nil:
		return c.Fail(errFailoverUnknown)
	case !force && (master.failed || !n.bus.reach(n, master.Node)):
		return c.Fail(errFailoverDown)
	}
	run := n.takeOver
	if !force {
		run = func() { n.takeOverFrom(master.Node) }
	}
	if c.Nested() {
		n.spawn(run)
		return resp.OK
	}
	return c.Background(func() resp.Value {
		run()
		return resp.OK
	})
}

// takeOver makes the node the master of its shard. What it has not applied is lost.
func (n *Node) takeOver() {
	n.env.Store.Exclusively(func(tx *store.Tx) {
		replication.NodeOf(n.env).Promote(tx) // first, so that it takes the writes that the others send here from then on
		_ = n.bus.change(n, func(v *view) error {
			v.lead()
			return nil
		})
	})
}

// lead makes the node a master that has the slots of the one that it has followed, with a higher epoch.
func (v *view) lead() {
	master := v.masterOf(v.self())
	if master == nil {
		return
	}
	v.epoch = v.maxEpoch() + 1
	v.update(v.self(), func(m *member) { m.master, m.epoch = "", v.epoch })
	self := v.self()
	for slot, number := range v.owners {
		if number == master.number {
			v.assign(slot, self)
		}
	}
}

// takeOverFrom is takeOver without a loss: the master writes nothing until the replica has applied all, and follows it
// then.
func (n *Node) takeOverFrom(master *Node) {
	timeout := int64(5000)
	if n.env.Table.Server.Has("valkey-8.1") {
		timeout, _ = strconv.ParseInt(n.env.Config.Get("cluster-manual-failover-timeout"), 10, 64)
	}
	m := n.env.Member
	replication.NodeOf(master.env).HandOver(m.Host, m.Port, time.Duration(timeout)*time.Millisecond, func(tx *store.Tx) {
		done := make(chan struct{})
		go func() { // the shards of two stores may not be locked by one goroutine
			defer close(done)
			n.takeOver()
		}()
		<-done
		master.settle(tx)
	})
}

// succeed makes a replica of a failed master the master, if most masters reach it.
func (b *Bus) succeed(failed string) {
	var best *Node
	var most int64
	for _, n := range b.replicasOf(failed) {
		if n.env.Config.Get("cluster-replica-no-failover") == "yes" || !n.hasMajority() {
			continue
		}
		if acked := n.env.Replication.Role().Acked; best == nil || acked > most {
			best, most = n, acked
		}
	}
	if best != nil {
		best.spawn(best.takeOver)
	}
}

// replicasOf returns the nodes that are replicas of a node.
func (b *Bus) replicasOf(id string) (replicas []*Node) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.nodes {
		if n.view.Load().self().master == id {
			replicas = append(replicas, n)
		}
	}
	return replicas
}

// hasMajority reports whether the node reaches most of the masters that have slots.
func (n *Node) hasMajority() bool {
	masters, reached := 0, 0
	v := n.view.Load()
	for _, m := range v.members {
		if m.master != "" || v.size(m) == 0 {
			continue
		}
		masters++
		if m == v.self() || n.bus.reach(n, m.Node) {
			reached++
		}
	}
	return reached > masters/2
}
