package command

import (
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// Subscribe subscribes the client to channels or patterns, and calls ack for each with the number of subscriptions of
// its kind. The connection sends the acknowledgements before any message.
func (s *Session) Subscribe(k pubsub.Kind, names []string, ack func(name string, count int)) {
	s.enablePushes()
	s.peer.Cork()
	for _, name := range names {
		s.env.PubSub.Subscribe(s.subs, k, name)
		ack(name, s.subs.Count(k))
	}
	s.info.countSubscriptions(s.subs)
}

// Unsubscribe ends subscriptions, and calls ack for each with the number of those of its kind that are left.
func (s *Session) Unsubscribe(k pubsub.Kind, names []string, ack func(name string, count int)) {
	for _, name := range names {
		s.env.PubSub.Unsubscribe(s.subs, k, name)
		ack(name, s.subs.Count(k))
	}
	s.info.countSubscriptions(s.subs)
}

// Subscriptions are the channels or patterns that the client is subscribed to.
func (s *Session) Subscriptions(k pubsub.Kind) []string { return s.subs.Names(k) }

// CountSubscriptions is the number that acknowledges a change of subscriptions of a kind: channels and patterns count
// together.
func (s *Session) CountSubscriptions(k pubsub.Kind) int { return s.subs.Count(k) }

// InSubscribedMode reports whether the client has subscriptions in RESP2, where it may do little else.
func (s *Session) InSubscribedMode() bool { return s.proto == resp.RESP2 && s.subs.Total() > 0 }

// Publish sends a message when the transaction commits, and returns how many clients receive it.
func (c *Call) Publish(k pubsub.Kind, channel, payload []byte) int {
	registry := c.Env().PubSub
	n := registry.Receivers(k, resp.Bulk(channel).Text())
	if n > 0 {
		c.Tx.Defer(&publishEffect{registry, c.Session.peer, k, string(channel), string(payload)})
	}
	return n
}

// publishEffect is a message that goes out when its transaction commits.
type publishEffect struct {
	registry         *pubsub.Registry
	from             pubsub.Sink
	kind             pubsub.Kind
	channel, payload string
}

// Commit implements store.Effect.
func (p *publishEffect) Commit() { p.registry.Publish(p.from, p.kind, p.channel, p.payload) }
