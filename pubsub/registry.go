// Package pubsub holds the subscriptions to channels, patterns and shard channels. It is a part of the server (package
// server), not an API: it has no compatibility promise.
package pubsub

import (
	"slices"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// Kind is a kind of subscription.
type Kind uint8

// The kinds of subscription: SUBSCRIBE, PSUBSCRIBE and SSUBSCRIBE.
const (
	Channel Kind = iota
	Pattern
	Shard
	kinds
)

// Sink receives the messages for one client. Push must not block or call the Registry, whose lock is held.
type Sink interface{ Push(m *Message) }

// Subscriber is one client's subscriptions. Only its owner may call its methods.
type Subscriber struct {
	// Owner is the session whose subscriptions these are; the registry does not look at it. It does not change once
	// there are subscriptions.
	Owner any

	sink  Sink
	names [kinds]map[string]struct{}
}

// NewSubscriber returns a subscriber without subscriptions whose messages go to sink.
func NewSubscriber(sink Sink) *Subscriber { return &Subscriber{sink: sink} }

// Count returns the number of subscriptions in the replies of SUBSCRIBE and UNSUBSCRIBE: channels and patterns together
// for Channel and Pattern, shard channels for Shard.
func (s *Subscriber) Count(k Kind) int {
	if k == Shard {
		return len(s.names[Shard])
	}
	return len(s.names[Channel]) + len(s.names[Pattern])
}

// Total returns the number of all subscriptions.
func (s *Subscriber) Total() int { return s.Count(Channel) + s.Count(Shard) }

// Names lists the subscriptions of one kind, sorted.
func (s *Subscriber) Names(k Kind) []string {
	names := make([]string, 0, len(s.names[k]))
	for name := range s.names[k] {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Registry holds all subscriptions of a server: a map from names to subscribers for each kind, and a set of names in
// each Subscriber, which makes Drop cheap. Publish pushes with the read lock held, so that a client gets no message
// after its Unsubscribe returns; in exchange a Sink must never block. Patterns are matched one by one, as in Redis. It
// is safe for concurrent use; the zero value is ready.
type Registry struct {
	size        atomic.Int64                      // number of names; at 0 Publish needs no mu
	mu          lockrank.RWMutex[lockrank.PubSub] // guards subscribers
	subscribers [kinds]map[string][]entry
	lastID      int64
}

// entry is one subscription.
type entry struct {
	*Subscriber
	id int64
}

// Subscribe adds a subscription; subscribing twice is the same as once.
func (r *Registry) Subscribe(s *Subscriber, k Kind, name string) {
	if _, twice := s.names[k][name]; twice {
		return
	}
	if s.names[k] == nil {
		s.names[k] = make(map[string]struct{})
	}
	s.names[k][name] = struct{}{}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.subscribers[k] == nil {
		r.subscribers[k] = make(map[string][]entry)
	}
	subs := r.subscribers[k][name]
	if len(subs) == 0 {
		r.size.Add(1)
	}
	r.lastID++
	r.subscribers[k][name] = append(subs, entry{s, r.lastID})
}

// Unsubscribe removes a subscription if there is one.
func (r *Registry) Unsubscribe(s *Subscriber, k Kind, name string) {
	if _, ok := s.names[k][name]; !ok {
		return
	}
	delete(s.names[k], name)
	r.mu.Lock()
	defer r.mu.Unlock()
	subs := r.subscribers[k][name]
	if i := slices.IndexFunc(subs, func(e entry) bool { return e.Subscriber == s }); i >= 0 {
		subs = slices.Delete(subs, i, i+1)
	}
	if len(subs) == 0 {
		delete(r.subscribers[k], name)
		r.size.Add(-1)
		return
	}
	r.subscribers[k][name] = subs
}

// Drop removes all subscriptions of a client.
func (r *Registry) Drop(s *Subscriber) {
	for k := range kinds {
		for name := range s.names[k] {
			r.Unsubscribe(s, k, name)
		}
	}
}

// Any reports whether there is any subscription.
func (r *Registry) Any() bool { return r.size.Load() > 0 }

// Receivers returns the number of clients that Publish would reach, each once for each of its matching subscriptions.
func (r *Registry) Receivers(k Kind, channel string) int {
	if r.size.Load() == 0 {
		return 0
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	n := len(r.subscribers[k][channel])
	if k == Channel {
		for pattern, subs := range r.subscribers[Pattern] {
			if glob.Match(pattern, channel) {
				n += len(subs)
			}
		}
	}
	return n
}

// Publish pushes a message to every subscriber of the channel, then to those with a matching pattern. For from see
// Message.From.
func (r *Registry) Publish(from Sink, k Kind, channel, payload string) {
	if r.size.Load() == 0 {
		return
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if subs := r.subscribers[k][channel]; len(subs) > 0 {
		push(from, subs, channelMessage(k, channel, payload))
	}
	if k != Channel {
		return
	}
	for pattern, subs := range r.subscribers[Pattern] {
		if glob.Match(pattern, channel) {
			push(from, subs, patternMessage(pattern, channel, payload))
		}
	}
}

func push(from Sink, subs []entry, m *Message) {
	m.from = from
	for _, s := range subs {
		s.sink.Push(m)
	}
}

// Channels lists the channels (or shard channels) that have subscribers and match pattern, sorted. The empty pattern
// matches the empty name alone.
func (r *Registry) Channels(k Kind, pattern string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var names []string
	for name := range r.subscribers[k] {
		if pattern == "*" || glob.Match(pattern, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Subscription is one subscription to a channel.
type Subscription struct {
	Owner any   // of the subscriber
	ID    int64 // unique in the registry; a client that subscribes again gets a new one
}

// To returns the subscriptions to a channel, without patterns, the oldest first.
func (r *Registry) To(k Kind, name string) (list []Subscription) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.subscribers[k][name] {
		list = append(list, Subscription{s.Owner, s.id})
	}
	return list
}

// Subscribers returns the number of subscribers of a channel, without patterns.
func (r *Registry) Subscribers(k Kind, name string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.subscribers[k][name])
}

// Subscriptions lists the subscriptions of a subscriber, sorted. Unlike Subscriber.Names, any goroutine may call it.
func (r *Registry) Subscriptions(s *Subscriber, k Kind) (names []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for name, subs := range r.subscribers[k] {
		if slices.ContainsFunc(subs, func(e entry) bool { return e.Subscriber == s }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Patterns returns the number of distinct patterns.
func (r *Registry) Patterns() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.subscribers[Pattern])
}
