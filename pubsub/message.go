package pubsub

import (
	"sync"

	"github.com/minilockd/minilockd/internal/resp"
)

// Message is one message of PUBLISH, or another push. It is encoded once for each protocol version.
type Message struct {
	value   resp.Value
	from    Sink
	encoded [2]struct {
		once  sync.Once
		bytes []byte
	}
}

// NewMessage returns a message from a push value, whose strings must not be modified.
func NewMessage(v resp.Value) *Message { return &Message{value: v} }

// From returns the sink of the client whose command sends the message, and which this goroutine serves; nil if
// there is none.
func (m *Message) From() Sink { return m.from }

// Bytes returns the message in the given protocol; it must not be modified.
func (m *Message) Bytes(proto int) []byte {
	e := &m.encoded[proto-resp.RESP2]
	e.once.Do(func() { e.bytes = resp.Append(nil, m.value, proto) })
	return e.bytes
}

func channelMessage(k Kind, channel, payload string) *Message {
	verb := "message"
	if k == Shard {
		verb = "smessage"
	}
	return NewMessage(resp.Push(resp.BulkString(verb), resp.BulkString(channel), resp.BulkString(payload)))
}

func patternMessage(pattern, channel, payload string) *Message {
	return NewMessage(resp.Push(resp.BulkString("pmessage"), resp.BulkString(pattern), resp.BulkString(channel),
		resp.BulkString(payload)))
}
