package command

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/pubsub"
)

// pushQueue holds the invalidations of client tracking for a session. They come from the transactions of other clients;
// the session sends them itself between two commands, so that none overtakes a reply. The zero value is empty; it is
// safe for concurrent use.
type pushQueue struct {
	full atomic.Bool // len(pushes) > 0; spares most commands the lock

	mu     lockrank.Mutex[lockrank.PushQueue] // guards pushes
	pushes []tracking.Push
}

// put adds a push. It may be called under any lock.
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

// FlushPushes sends the queued pushes to the client, except those of BCAST. The connection calls it between commands.
func (s *Session) FlushPushes() {
	if !s.pushes.full.Load() {
		return
	}
	for _, p := range s.pushes.take() {
		if p.Waits() {
			s.broadcasts = append(s.broadcasts, p)
			continue
		}
		s.sendPush(p)
	}
}

// FlushAllPushes also sends the pushes of BCAST. The connection calls it once all commands of a pipeline are served, as
// Redis does before it sleeps: then one push per prefix is enough.
func (s *Session) FlushAllPushes() {
	s.FlushPushes()
	if s.broadcasts == nil {
		return
	}
	for _, p := range tracking.Merge(s.broadcasts) {
		s.sendPush(p)
	}
	s.broadcasts = nil
}

// sendPush sends a push in the client's protocol. A RESP2 client gets it as a message, if it has subscriptions.
func (s *Session) sendPush(p tracking.Push) {
	switch {
	case s.proto == resp.RESP3:
		s.push(p.RESP3)
	case s.subs.Total() > 0 && p.RESP2.Kind() != resp.KindNone:
		s.push(p.RESP2)
	}
}

// push sends a message to the client after the replies so far.
func (s *Session) push(v resp.Value) {
	s.enablePushes()
	s.peer.Push(pubsub.NewMessage(v))
}
