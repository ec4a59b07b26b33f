package store

import (
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// countedStream has n entries, 1-0 to n-0.
func countedStream(n int) *Stream {
	s := NewStream()
	for i := range n {
		s.Append(defaultThresholds, StreamID{uint64(i + 1), 0}, ab())
	}
	return s
}

func pendingIDs(walk func(func(*PendingEntry) bool)) (ms []uint64) {
	for p := range walk {
		ms = append(ms, p.ID().Ms)
	}
	return ms
}

func TestStreamGroup_Deliver_MovesBetweenConsumers(t *testing.T) {
	g := countedStream(5).AddGroup([]byte("g"), StreamID{}, EntriesReadUnknown)
	a, b := g.AddConsumer([]byte("a"), 10), g.AddConsumer([]byte("b"), 20)
	for _, ms := range []uint64{3, 1, 2} {
		g.Deliver(StreamID{ms, 0}, a, 100, 1)
	}
	g.Deliver(StreamID{2, 0}, b, 200, 5)
	require.Equal(t, []uint64{1, 2, 3}, pendingIDs(g.Pending))
	require.Equal(t, []uint64{1, 3}, pendingIDs(a.Pending))
	require.Equal(t, []uint64{2}, pendingIDs(b.Pending))
	p := g.PendingAt(StreamID{2, 0})
	require.Equal(t, PendingEntry{DeliveredAt: 200, DeliveryCount: 5, id: StreamID{2, 0}, consumer: b}, *p)

	require.True(t, g.Ack(StreamID{1, 0}))
	require.False(t, g.Ack(StreamID{1, 0}))
	require.Equal(t, []uint64{3}, pendingIDs(a.Pending))
	require.Equal(t, uint64(2), g.NextPending(StreamID{1, 1}).ID().Ms)
	require.Nil(t, g.NextPending(StreamID{3, 1}))
	require.Equal(t, uint64(3), g.LastPending().ID().Ms)

	pending, ok := g.RemoveConsumer([]byte("a"))
	require.True(t, ok)
	require.Equal(t, 1, pending)
	require.Equal(t, []uint64{2}, pendingIDs(g.Pending))
	require.Nil(t, g.Consumer([]byte("a")))
}

func TestStreamGroup_NamesAreInOrder(t *testing.T) {
	s := countedStream(1)
	for _, name := range []string{"b", "", "a", "ab"} {
		require.NotNil(t, s.AddGroup([]byte(name), StreamID{}, 0))
	}
	require.Nil(t, s.AddGroup([]byte("a"), StreamID{}, 0))
	var names []string
	for g := range s.Groups {
		names = append(names, g.Name())
	}
	require.Equal(t, []string{"", "a", "ab", "b"}, names)
	require.True(t, s.RemoveGroup([]byte("")))
	require.False(t, s.RemoveGroup([]byte("")))
	require.Equal(t, 3, s.GroupCount())
}

// Weight must follow every change of a group: rollbacks, and the memory that is counted, depend on it.
func TestStreamGroup_RandomChanges_CountTheirMemory(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	s := countedStream(50)
	name := func() []byte { return []byte{"abc"[rnd.IntN(3)]} }
	for range 5000 {
		g := s.Group(name())
		if g == nil {
			s.AddGroup(name(), StreamID{}, 0)
			continue
		}
		id := StreamID{uint64(rnd.IntN(50)), 0}
		switch op := rnd.IntN(100); {
		case op == 0:
			s.RemoveGroup([]byte(g.Name()))
		case op < 5:
			g.RemoveConsumer(name())
		case op < 15:
			g.AddConsumer(name(), 1)
		case op < 40:
			g.Ack(id)
		default:
			if c := g.Consumer(name()); c != nil {
				g.Deliver(id, c, 1, 1)
			}
		}
		weight := 0
		for g := range s.Groups {
			weight += g.weight()
			pending := 0
			for c := range g.Consumers {
				pending += c.PendingCount()
			}
			require.Equal(t, pending, g.PendingCount())
		}
		require.Equal(t, weight, s.groupBytes)
	}
	require.Equal(t, s.Weight(), s.Clone().Weight())
}

func TestStreamGroup_Clone_IsIndependent(t *testing.T) {
	s := countedStream(3)
	g := s.AddGroup([]byte("g"), StreamID{2, 0}, 2)
	a := g.AddConsumer([]byte("a"), 10)
	g.Deliver(StreamID{1, 0}, a, 100, 7)

	clone := s.Clone().(*Stream)
	g.Ack(StreamID{1, 0})
	g.RemoveConsumer([]byte("a"))
	s.Append(defaultThresholds, StreamID{9, 0}, ab())

	d := clone.Group([]byte("g"))
	require.Equal(t, StreamID{2, 0}, d.LastID())
	require.EqualValues(t, 2, d.EntriesRead())
	p := d.PendingAt(StreamID{1, 0})
	require.EqualValues(t, 7, p.DeliveryCount)
	require.EqualValues(t, 100, p.DeliveredAt)
	require.Same(t, d.Consumer([]byte("a")), p.Consumer())
	require.EqualValues(t, 10, p.Consumer().Seen())
	lag, ok := d.Lag(Counting{})
	require.True(t, ok)
	require.EqualValues(t, 1, lag, "the clone's group looks at the clone")
}

func TestStreamGroup_Lag_UnknownWhileDeletedEntriesAreAhead(t *testing.T) {
	s := countedStream(5)
	s.Delete(StreamID{3, 0})
	g := s.AddGroup([]byte("g"), StreamID{}, EntriesReadUnknown)
	lags := []any{}
	for _, ms := range []uint64{1, 2, 4, 5} {
		g.Advance(StreamID{ms, 0}, Counting{})
		lag, ok := g.Lag(Counting{})
		lags = append(lags, lag, ok)
	}
	require.Equal(t, false, lags[1])
	require.Equal(t, []any{int64(0), true}, lags[6:])
	require.EqualValues(t, 5, g.EntriesRead())
	s.Append(defaultThresholds, StreamID{6, 0}, ab())
	lag, ok := g.Lag(Counting{})
	require.True(t, ok)
	require.EqualValues(t, 1, lag)
}
