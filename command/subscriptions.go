package command

import (
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// Subscribe implements SUBSCRIBE and its variants: it calls ack for each name with the number of subscriptions of that
// kind, in order. The client gets the reply before any message.
func (s *Session) Subscribe(k pubsub.Kind, names []string, ack func(name string, count int)) {
	s.enablePushes()
	s.peer.HoldPushes()
	for _, name := range names {
		s.env.PubSub.Subscribe(s.subs, k, name)
		ack(name, s.subs.Count(k))
	}
	s.info.countSubscriptions(s.subs)
}

// Unsubscribe implements UNSUBSCRIBE and its variants: it calls ack for each name with the number of subscriptions of
// that kind that are left.
func (s *Session) Unsubscribe(k pubsub.Kind, names []string, ack func(name string, count int)) {
	for _, name := range names {
		s.env.PubSub.Unsubscribe(s.subs, k, name)
		ack(name, s.subs.Count(k))
	}
	s.info.countSubscriptions(s.subs)
}

// Subscriptions returns the names that the client is subscribed to.
func (s *Session) Subscriptions(k pubsub.Kind) []string { return s.subs.Names(k) }

// CountSubscriptions returns the count that replies about subscriptions of a kind carry: channels and patterns count
// together.
func (s *Session) CountSubscriptions(k pubsub.Kind) int { return s.subs.Count(k) }

// InSubscribedMode reports whether the client has subscriptions in RESP2, where few other commands are allowed.
func (s *Session) InSubscribedMode() bool { return s.proto == resp.RESP2 && s.subs.Total() > 0 }

// Publish implements PUBLISH and SPUBLISH: the message is sent when the transaction commits. It returns the number of
// clients that receive it.
func (c *Call) Publish(k pubsub.Kind, channel, payload []byte) int {
	n := c.Env().PubSub.Receivers(k, resp.Bulk(channel).Text())
	if n > 0 || c.Env().hooks.on(HookMessages) || c.Env().Cluster != nil {
		c.Tx.Defer(&publishEffect{c.Session, k, string(channel), string(payload)})
	}
	return n
}

// publishEffect sends a message to the subscribers when its transaction commits.
type publishEffect struct {
	session          *Session
	kind             pubsub.Kind
	channel, payload string
}

// Commit implements store.Effect.
func (p *publishEffect) Commit() {
	m := Message{p.kind, p.channel, p.payload, p.session}
	env := p.session.env
	env.publish(m, p.session.peer)
	if env.Cluster != nil {
		env.Cluster.Publish(m)
	}
}

// releasePushes sends the pushes that were held until the reply.
func (s *Session) releasePushes() {
	if s.holdsPushes {
		s.Out = s.peer.Post(s.Out)
		s.holdsPushes = false
	}
}

// Message is a message to the subscribers of a channel.
type Message struct {
	Kind             pubsub.Kind // Channel or Shard
	Channel, Payload string
	Session          *Session // that sends it or has caused the keyspace event; nil if none has
}

// publish sends a message, unless the hooks take it over. For from see pubsub.Message.From. The session of the message
// gets it after the reply of the command that sends it, since 7.2.
func (e *Env) publish(m Message, from pubsub.Sink) {
	if s := m.Session; s != nil && s.pushesEnabled && e.Table.Server.Does(emulate.PushesAfterReplies) {
		s.peer.HoldPushes()
		s.holdsPushes = true
	}
	if e.hooks.on(HookMessages) && e.Hooks.Message(m) {
		return
	}
	e.PubSub.Publish(from, m.Kind, m.Channel, m.Payload)
}

// PublishHere sends a message to the clients of this server.
func (e *Env) PublishHere(m Message) { e.PubSub.Publish(nil, m.Kind, m.Channel, m.Payload) }
