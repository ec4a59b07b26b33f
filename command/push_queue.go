package command

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/pubsub"
)

// pushQueue holds the pushes that other goroutines have for a session. The session may be within a command: it sends
// them itself, between two. The zero value is empty.
type pushQueue struct {
	full atomic.Bool

	mu     lockrank.Mutex[lockrank.PushQueue] // guards pushes
	pushes []tracking.Push
}

// put adds a push. It may be called from any goroutine, under any lock.
func (q *pushQueue) put(p tracking.Push) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pushes = append(q.pushes, p)
	q.full.Store(true)
}

func (q *pushQueue) take() []tracking.Push {
	q.mu.Lock()
	defer q.mu.Unlock()
	pushes := q.pushes
	q.pushes = nil
	q.full.Store(false)
	return pushes
}

// FlushPushes sends the client the pushes that wait for it. It is called by the connection, between commands.
func (s *Session) FlushPushes() {
	if !s.pushes.full.Load() {
		return
	}
	for _, p := range s.pushes.take() {
		if p.Waits() {
			s.broadcasts = append(s.broadcasts, p)
			continue
		}
		s.deliver(p)
	}
}

// FlushAllPushes is FlushPushes once all commands that have arrived are served: it also sends the pushes that waited
// for that.
func (s *Session) FlushAllPushes() {
	s.FlushPushes()
	if s.broadcasts == nil {
		return
	}
	for _, p := range tracking.Merge(s.broadcasts) {
		s.deliver(p)
	}
	s.broadcasts = nil
}

func (s *Session) deliver(p tracking.Push) {
	switch {
	case s.proto == resp.RESP3:
		s.push(p.RESP3)
	case s.subs.Total() > 0 && p.RESP2.Kind() != resp.KindNone:
		s.push(p.RESP2)
	}
}

// push sends the client a message behind its replies.
func (s *Session) push(v resp.Value) {
	s.enablePushes()
	s.peer.Push(pubsub.NewMessage(v))
}
