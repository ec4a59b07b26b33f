package pubsub

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
)

// recorder records the messages of one subscriber as RESP2.
type recorder struct{ got []string }

func (b *recorder) Push(m *Message) { b.got = append(b.got, string(m.Bytes(resp.RESP2))) }

func TestRegistry_Publish_ChannelsThenPatterns(t *testing.T) {
	var r Registry
	direct, pattern, shard := new(recorder), new(recorder), new(recorder)
	a, b, c := NewSubscriber(direct), NewSubscriber(pattern), NewSubscriber(shard)
	r.Subscribe(a, Channel, "news")
	r.Subscribe(a, Channel, "news")
	r.Subscribe(b, Pattern, "n*")
	r.Subscribe(b, Pattern, "zzz*")
	r.Subscribe(c, Shard, "news")

	require.Equal(t, 2, r.Receivers(Channel, "news"), "a pattern that does not match does not count")
	r.Publish(nil, Channel, "news", "hello")
	require.Equal(t, []string{"*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n"}, direct.got)
	require.Equal(t, []string{"*4\r\n$8\r\npmessage\r\n$2\r\nn*\r\n$4\r\nnews\r\n$5\r\nhello\r\n"}, pattern.got)
	require.Empty(t, shard.got)

	require.Equal(t, 1, r.Receivers(Shard, "news"))
	r.Publish(nil, Shard, "news", "x")
	require.Equal(t, []string{"*3\r\n$8\r\nsmessage\r\n$4\r\nnews\r\n$1\r\nx\r\n"}, shard.got)
}

func TestRegistry_CountsAndNames(t *testing.T) {
	var r Registry
	s := NewSubscriber(new(recorder))
	r.Subscribe(s, Channel, "b")
	r.Subscribe(s, Channel, "a")
	r.Subscribe(s, Pattern, "p?")
	r.Subscribe(s, Shard, "s")
	require.Equal(t, []int{3, 3, 1, 4}, []int{s.Count(Channel), s.Count(Pattern), s.Count(Shard), s.Total()})
	require.Equal(t, []string{"a", "b"}, s.Names(Channel))
	require.Equal(t, []string{"a", "b"}, r.Channels(Channel, "*"))
	require.Equal(t, []string{"a"}, r.Channels(Channel, "[a]"))
	require.Empty(t, r.Channels(Channel, ""))
	require.Equal(t, 1, r.Subscribers(Channel, "a"))
	require.Equal(t, 1, r.Patterns())

	r.Unsubscribe(s, Channel, "a")
	r.Unsubscribe(s, Channel, "a")
	require.Equal(t, []string{"b"}, r.Channels(Channel, "*"))
	r.Drop(s)
	require.Zero(t, s.Total())
	require.Zero(t, r.Patterns())
	require.Empty(t, r.Channels(Channel, "*"))
	require.Empty(t, r.Channels(Shard, "*"))
}
