package replication

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/seed"
	"github.com/minilockd/minilockd/pubsub"
)

// apply applies a unit, unless the link is stopped before the transaction begins.
func (l *link) apply(u unit) {
	if len(u.calls) == 0 {
		l.advance(u)
		return
	}
	err := l.session.Apply(u.calls, func() bool {
		if l.stopped() {
			return false
		}
		l.advance(u)
		return true
	})
	if err != nil {
		l.node.env.Log.Error("a command of the master has failed", "master", l.session.Addr, "error", err)
	}
}

// advance notes that a unit is applied. It goes to the replicas of this replica.
func (l *link) advance(u unit) {
	l.applied.Add(int64(len(u.data)))
	l.node.history.mirror(u.data)
}

// replaceData replaces all data by what an RDB file has.
func (n *Node) replaceData(l *link, file []byte) error {
	return seed.Replace(n.env, file, func() bool { return !l.stopped() })
}

// peer is the connection of the session for what a master sends, which gets no replies.
type peer struct{ link *link }

// Push implements pubsub.Sink.
func (*peer) Push(*pubsub.Message) {}

// Post implements command.Peer.
func (*peer) Post(out []byte) []byte { return out[:0] }

// Deliver implements command.Peer.
func (*peer) Deliver([]byte) {}

// HoldPushes implements command.Peer.
func (*peer) HoldPushes() {}

// Wake implements command.Peer.
func (*peer) Wake() {}

// Pending implements command.Peer.
func (*peer) Pending() int { return 0 }

// Kill implements command.Peer.
func (p *peer) Kill() { p.link.disconnect() }

// Restrict implements command.Peer.
func (*peer) Restrict(command.Restriction) {}
