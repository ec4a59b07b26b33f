package command

import (
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// pushQueue holds the pushes that other goroutines have for a session. The session may be within a command: it sends
// them itself, between two. The zero value is empty.
type pushQueue struct {
	full atomic.Bool

	mu     sync.Mutex // guards pushes
	pushes []pendingPush
}

// pendingPush is a message in RESP3, and in RESP2 for a session that has subscriptions; None where there is none.
type pendingPush struct {
	push, message resp.Value
	broadcast     *broadcast // instead of these, if it waits until no command is at hand
}

// put adds a push and wakes the session's connection. It may be called from any goroutine, under any lock.
func (q *pushQueue) put(s *Session, l pendingPush) {
	q.mu.Lock()
	q.pushes = append(q.pushes, l)
	q.full.Store(true)
	q.mu.Unlock()
	s.peer.Wake()
}

func (q *pushQueue) take() []pendingPush {
	q.mu.Lock()
	defer q.mu.Unlock()
	pushes := q.pushes
	q.pushes = nil
	q.full.Store(false)
	return pushes
}

// FlushPushes sends the client what has come for it. It is called by the connection, between commands.
func (s *Session) FlushPushes() {
	if !s.pushes.full.Load() {
		return
	}
	for _, l := range s.pushes.take() {
		if l.broadcast != nil {
			s.broadcasts = append(s.broadcasts, l)
			continue
		}
		s.deliver(l)
	}
}

// FlushAllPushes is FlushPushes when all commands that have come are served: what waits for that is sent, too.
func (s *Session) FlushAllPushes() {
	s.FlushPushes()
	if s.broadcasts == nil {
		return
	}
	for _, l := range gathered(s.broadcasts) {
		s.deliver(l)
	}
	s.broadcasts = nil
}

func (s *Session) deliver(l pendingPush) {
	switch {
	case s.proto == resp.RESP3:
		s.push(l.push)
	case s.subs.Total() > 0 && l.message.Kind() != resp.KindNone:
		s.push(l.message)
	}
}

// push sends the client a message behind its replies.
func (s *Session) push(v resp.Value) {
	s.share()
	s.peer.Push(pubsub.NewMessage(v))
}
