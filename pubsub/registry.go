// Package pubsub knows who listens to which channel, pattern and shard channel. Publishing hands a message to every
// listener's Sink, which never blocks; what a slow listener costs is the Sink's business.
package pubsub

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/glob"
)

// Kind tells the three sorts of subscription apart.
type Kind uint8

// The sorts of subscription: SUBSCRIBE, PSUBSCRIBE and SSUBSCRIBE.
const (
	Channel Kind = iota
	Pattern
	Shard
	kinds
)

// Sink takes messages for one client. Push must not block or call back into the Registry: it runs under its lock.
type Sink interface{ Push(m *Message) }

// Subscriber is one client's subscriptions. Its methods may be called by its owner only.
type Subscriber struct {
	sink  Sink
	names [kinds]map[string]struct{}
}

// NewSubscriber returns a subscriber without subscriptions whose messages go to sink.
func NewSubscriber(sink Sink) *Subscriber { return &Subscriber{sink: sink} }

// Count is the number of subscriptions that the replies of SUBSCRIBE and UNSUBSCRIBE tell: channels and patterns
// together for Channel and Pattern, shard channels for Shard.
func (s *Subscriber) Count(k Kind) int {
	if k == Shard {
		return len(s.names[Shard])
	}
	return len(s.names[Channel]) + len(s.names[Pattern])
}

// Total is the number of all subscriptions.
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

// Registry holds all subscriptions of a server. It is safe for concurrent use; the zero value is ready.
type Registry struct {
	size   atomic.Int64 // of topics; while it is 0, a publisher needs no mu, which all cores would write to
	mu     sync.RWMutex // guards topics
	topics [kinds]map[string][]*Subscriber
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
	if r.topics[k] == nil {
		r.topics[k] = make(map[string][]*Subscriber)
	}
	subs := r.topics[k][name]
	if len(subs) == 0 {
		r.size.Add(1)
	}
	r.topics[k][name] = append(subs, s)
}

// Unsubscribe removes a subscription if there is one.
func (r *Registry) Unsubscribe(s *Subscriber, k Kind, name string) {
	if _, ok := s.names[k][name]; !ok {
		return
	}
	delete(s.names[k], name)
	r.mu.Lock()
	defer r.mu.Unlock()
	subs := r.topics[k][name]
	if i := slices.Index(subs, s); i >= 0 {
		subs = slices.Delete(subs, i, i+1)
	}
	if len(subs) == 0 {
		delete(r.topics[k], name)
		r.size.Add(-1)
		return
	}
	r.topics[k][name] = subs
}

// Drop removes all subscriptions of a client that goes away.
func (r *Registry) Drop(s *Subscriber) {
	for k := range kinds {
		for name := range s.names[k] {
			r.Unsubscribe(s, k, name)
		}
	}
}

// Receivers counts the clients that Publish would reach, a client once for each of its matching subscriptions.
func (r *Registry) Receivers(k Kind, channel string) int {
	if r.size.Load() == 0 {
		return 0
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	n := len(r.topics[k][channel])
	if k == Channel {
		for pattern, subs := range r.topics[Pattern] {
			if glob.Match(pattern, channel) {
				n += len(subs)
			}
		}
	}
	return n
}

// Publish hands a message to every subscriber of the channel, then to those whose pattern matches it. For from see
// Message.From.
func (r *Registry) Publish(from Sink, k Kind, channel, payload string) {
	if r.size.Load() == 0 {
		return
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if subs := r.topics[k][channel]; len(subs) > 0 {
		push(from, subs, channelMessage(k, channel, payload))
	}
	if k != Channel {
		return
	}
	for pattern, subs := range r.topics[Pattern] {
		if glob.Match(pattern, channel) {
			push(from, subs, patternMessage(pattern, channel, payload))
		}
	}
}

func push(from Sink, subs []*Subscriber, m *Message) {
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
	for name := range r.topics[k] {
		if pattern == "*" || glob.Match(pattern, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Subscribers counts the subscribers of a channel, patterns aside.
func (r *Registry) Subscribers(k Kind, name string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.topics[k][name])
}

// HeardBy lists what a subscriber listens to, sorted. Unlike Subscriber.Names it may be called by others than the
// owner.
func (r *Registry) HeardBy(s *Subscriber, k Kind) (names []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for name, subs := range r.topics[k] {
		if slices.Contains(subs, s) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Patterns counts the distinct patterns subscribed to.
func (r *Registry) Patterns() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.topics[Pattern])
}
