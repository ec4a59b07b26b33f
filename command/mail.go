package command

import (
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// mailbox holds what others have to tell a session that may not be ready for pushed messages: it takes them itself, between
// two commands. The zero value is empty.
type mailbox struct {
	full atomic.Bool

	mu      sync.Mutex // guards letters
	letters []letter
}

// letter is a message in RESP3, and in RESP2 for a session that has subscriptions; None where there is none.
type letter struct {
	push, message resp.Value
	broadcast     *broadcast // instead of these, if it waits until no command is at hand
}

// put adds a letter and wakes the session's connection. It may be called from any goroutine, under any lock.
func (m *mailbox) put(s *Session, l letter) {
	m.mu.Lock()
	m.letters = append(m.letters, l)
	m.full.Store(true)
	m.mu.Unlock()
	s.peer.Wake()
}

func (m *mailbox) take() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	letters := m.letters
	m.letters = nil
	m.full.Store(false)
	return letters
}

// TakeMail sends the client what has come for it. It is called by the connection, between commands.
func (s *Session) TakeMail() {
	if !s.mail.full.Load() {
		return
	}
	for _, l := range s.mail.take() {
		if l.broadcast != nil {
			s.late = append(s.late, l)
			continue
		}
		s.deliver(l)
	}
}

// TakeLateMail is TakeMail when all commands that have come are served: what waits for that is sent, too.
func (s *Session) TakeLateMail() {
	s.TakeMail()
	if s.late == nil {
		return
	}
	for _, l := range gathered(s.late) {
		s.deliver(l)
	}
	s.late = nil
}

func (s *Session) deliver(l letter) {
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
