package store

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// streamEntry is an entry of the naive stream: its id, and its fields and values in one string.
type streamEntry struct {
	id   StreamID
	text string
}

func collectEntries(walk func(first, last StreamID, f func(StreamID, Fields) bool),
	first, last StreamID) []streamEntry {
	entries := []streamEntry{}
	walk(first, last, func(id StreamID, fields Fields) bool {
		text, n := []byte(nil), 0
		fields.Each(func(field, value []byte) {
			text = append(append(append(append(text, field...), '='), value...), ' ')
			n++
		})
		if n != fields.Len() {
			panic("Len differs from Each")
		}
		entries = append(entries, streamEntry{id, string(text)})
		return true
	})
	return entries
}

func requireStream(t *testing.T, s *Stream, want []streamEntry) {
	t.Helper()
	require.Equal(t, len(want), s.Len())
	require.Equal(t, want, collectEntries(s.Walk, StreamID{}, MaxStreamID))
	backwards := collectEntries(s.WalkBack, StreamID{}, MaxStreamID)
	slices.Reverse(backwards)
	require.Equal(t, want, backwards)
	size := 0
	for i := range s.chunks {
		require.True(t, i == 0 || s.chunks[i].count > 0)
		size += len(s.chunks[i].b) + len(s.chunks[i].names)
	}
	require.Equal(t, size, s.bytes)
	first, ok := s.First()
	require.Equal(t, len(want) > 0, ok)
	if ok {
		require.Equal(t, want[0].id, first)
		top, _ := s.Top()
		require.Equal(t, want[len(want)-1].id, top)
	}
}

// randomFields are mostly of one kind.
func randomFields(rnd *rand.Rand) (fields [][]byte, text string) {
	names := []string{"user", "amount"}
	switch rnd.IntN(10) {
	case 0:
		names = []string{"user"}
	case 1:
		names = []string{"user", "amount", "note"}
	case 2:
		names = []string{"", "amount"}
	}
	for _, name := range names {
		value := strings.Repeat("v", rnd.IntN(rnd.IntN(200)+1))
		fields = append(fields, []byte(name), []byte(value))
		text += name + "=" + value + " "
	}
	return fields, text
}

func TestStream_RandomChanges_LikeASlice(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	s, model := NewStream(), []streamEntry{}
	for step := range 5000 {
		switch op := rnd.IntN(20); {
		case op < 15:
			id := s.NextID(int64(step / 3))
			fields, text := randomFields(rnd)
			require.True(t, s.Append(defaultThresholds, id, fields))
			model = append(model, streamEntry{id, text})
		case op < 18 && len(model) > 0:
			i := rnd.IntN(len(model))
			require.True(t, s.Delete(model[i].id))
			require.False(t, s.Delete(model[i].id))
			model = slices.Delete(model, i, i+1)
		case op == 18 && rnd.IntN(10) == 0:
			keep := rnd.IntN(len(model) + 1)
			require.Equal(t, len(model)-keep, s.Trim(Trimming{MaxLen: keep}))
			model = model[len(model)-keep:]
		case op == 19 && rnd.IntN(10) == 0 && len(model) > 0:
			at := rnd.IntN(len(model))
			require.Equal(t, at, s.Trim(Trimming{ByID: true, MinID: model[at].id}))
			model = model[at:]
		}
		if step%500 == 0 {
			requireStream(t, s, model)
		}
	}
	requireStream(t, s, model)
	requireStream(t, s.Clone().(*Stream), model)
	for range 200 {
		a, b := rnd.IntN(len(model)), rnd.IntN(len(model))
		from, to := min(a, b), max(a, b)
		want := model[from : to+1]
		require.Equal(t, want, collectEntries(s.Walk, model[from].id, model[to].id))
		backwards := collectEntries(s.WalkBack, model[from].id, model[to].id)
		slices.Reverse(backwards)
		require.Equal(t, want, backwards)
	}
}

func ab() [][]byte { return [][]byte{[]byte("a"), []byte("b")} }

func TestStream_Append_OnlyAscendingIDs(t *testing.T) {
	s := NewStream()
	require.False(t, s.Append(defaultThresholds, StreamID{}, ab()))
	require.True(t, s.Append(defaultThresholds, StreamID{5, 2}, ab()))
	require.False(t, s.Append(defaultThresholds, StreamID{5, 2}, ab()))
	require.False(t, s.Append(defaultThresholds, StreamID{5, 1}, ab()))
	require.True(t, s.Delete(StreamID{5, 2}))
	require.False(t, s.Append(defaultThresholds, StreamID{5, 2}, ab()), "an id that was deleted is not used again")
	require.True(t, s.Append(defaultThresholds, StreamID{5, 3}, ab()))
	require.Equal(t, StreamID{5, 2}, s.MaxDeletedID())
	require.EqualValues(t, 2, s.EntriesAdded())
}

func TestStream_NextID_NeverGoesBack(t *testing.T) {
	s := NewStream()
	require.Equal(t, StreamID{7, 0}, s.NextID(7))
	s.Append(defaultThresholds, StreamID{7, 0}, ab())
	require.Equal(t, StreamID{7, 1}, s.NextID(7))
	require.Equal(t, StreamID{7, 1}, s.NextID(3))
	require.Equal(t, StreamID{8, 0}, s.NextID(8))
	s.Append(defaultThresholds, StreamID{9, math.MaxUint64}, ab())
	require.Equal(t, StreamID{10, 0}, s.NextID(9))

	_, ok := s.NextSeq(9)
	require.False(t, ok)
	_, ok = s.NextSeq(8)
	require.False(t, ok)
	id, ok := s.NextSeq(12)
	require.True(t, ok)
	require.Equal(t, StreamID{12, 0}, id)
}

func TestStream_Trim_RoughlyRemovesWholeChunks(t *testing.T) {
	filled := func() *Stream {
		s := NewStream()
		for i := range 350 {
			s.Append(defaultThresholds, StreamID{1, uint64(i + 1)}, ab())
		}
		return s
	}
	require.Equal(t, 200, filled().Trim(Trimming{MaxLen: 120, Roughly: true}))
	require.Equal(t, 0, filled().Trim(Trimming{MaxLen: 251, Roughly: true}))
	require.Equal(t, 100, filled().Trim(Trimming{MaxLen: 0, Roughly: true, Limit: 199}))
	require.Equal(t, 350, filled().Trim(Trimming{MaxLen: 0, Roughly: true}))
	require.Equal(t, 200, filled().Trim(Trimming{ByID: true, MinID: StreamID{1, 250}, Roughly: true}))
	require.Equal(t, 249, filled().Trim(Trimming{ByID: true, MinID: StreamID{1, 250}}))
}

func TestStream_Trim_WhatIsDeletedStillHoldsAChunk(t *testing.T) {
	s := countedStream(150)
	for ms := uint64(90); ms <= 100; ms++ {
		require.True(t, s.Delete(StreamID{ms, 0}))
	}
	require.Equal(t, 0, s.Trim(Trimming{ByID: true, MinID: StreamID{95, 0}, Roughly: true}))
	require.Equal(t, 89, s.Trim(Trimming{ByID: true, MinID: StreamID{95, 0}}))
	require.Equal(t, 2, s.Chunks())
	first, ok := s.First()
	require.True(t, ok)
	require.Equal(t, StreamID{101, 0}, first)
	require.Len(t, collectEntries(s.Walk, StreamID{}, MaxStreamID), 50)
	require.Len(t, collectEntries(s.WalkBack, StreamID{}, MaxStreamID), 50)
	require.Equal(t, 0, s.Trim(Trimming{MaxLen: 50, Roughly: true}))
	require.Equal(t, 0, s.Trim(Trimming{ByID: true, MinID: StreamID{101, 0}, Roughly: true}))
	require.Equal(t, 1, s.Chunks())

	s = countedStream(3)
	require.True(t, s.Delete(StreamID{3, 0}))
	require.Equal(t, 2, s.Trim(Trimming{ByID: true, MinID: StreamID{3, 0}}))
	require.Equal(t, []int{0, 1}, []int{s.Len(), s.Chunks()})
	require.True(t, s.Append(defaultThresholds, StreamID{9, 0}, ab()))
	require.Equal(t, []streamEntry{{StreamID{9, 0}, "a=b "}}, collectEntries(s.Walk, StreamID{}, MaxStreamID))
}

func TestStream_SameFields_AreKeptOncePerChunk(t *testing.T) {
	s := NewStream()
	for i := range 1000 {
		s.Append(defaultThresholds, StreamID{1, uint64(i + 1)}, [][]byte{bytes.Repeat([]byte("n"), 50), []byte("v")})
	}
	require.Less(t, s.Weight(), 1000*15)
}

func TestStream_Clone_IsIndependent(t *testing.T) {
	s := NewStream()
	s.Append(defaultThresholds, StreamID{1, 1}, ab())
	c := s.Clone().(*Stream)
	c.Append(defaultThresholds, StreamID{1, 2}, ab())
	c.Delete(StreamID{1, 1})
	require.Equal(t, []streamEntry{{StreamID{1, 1}, "a=b "}}, collectEntries(s.Walk, StreamID{}, MaxStreamID))
	require.Equal(t, []streamEntry{{StreamID{1, 2}, "a=b "}}, collectEntries(c.Walk, StreamID{}, MaxStreamID))
}

func TestStreamID_NextAndPrevious(t *testing.T) {
	require.Equal(t, StreamID{2, 0}, StreamID{1, math.MaxUint64}.Next())
	require.Equal(t, StreamID{1, math.MaxUint64}, StreamID{2, 0}.Previous())
	require.Equal(t, StreamID{}, MaxStreamID.Next())
	require.Equal(t, MaxStreamID, StreamID{}.Previous())
	require.Equal(t, "5-12", string(StreamID{5, 12}.Append(nil)))
}

// A stream that is put together again from its chunks is trimmed roughly as the one that lost entries.
func TestStream_PutInChunk_TrimsAlike(t *testing.T) {
	fields := [][]byte{[]byte("f"), []byte("v")}
	id := func(n int) StreamID { return StreamID{Ms: uint64(n)} }
	before, after := NewStream(), NewStream()
	for n := 1; n <= 150; n++ {
		require.True(t, before.Append(defaultThresholds, id(n), fields))
	}
	for n := 11; n <= 100; n++ {
		require.True(t, before.Delete(id(n)))
	}
	require.True(t, after.BeginChunk(id(1), fields))
	for n := 1; n <= 100; n++ {
		require.True(t, after.PutInChunk(id(n), fields, n > 10))
	}
	after.EndChunk()
	require.True(t, after.BeginChunk(id(101), fields))
	require.False(t, after.PutInChunk(id(100), fields, false), "ids ascend")
	for n := 101; n <= 150; n++ {
		require.True(t, after.PutInChunk(id(n), fields, false))
	}
	after.EndChunk()
	require.True(t, after.BeginChunk(id(151), fields))
	require.True(t, after.PutInChunk(id(151), fields, true))
	after.EndChunk() // only deleted entries: dropped
	require.Equal(t, 2, after.Chunks())
	after.Describe(id(150), id(100), 150)
	require.Equal(t, before.Weight(), after.Weight())
	require.Equal(t, before.chunks, after.chunks)
	for n := 151; n <= 400; n++ {
		require.True(t, before.Append(defaultThresholds, id(n), fields))
		require.True(t, after.Append(defaultThresholds, id(n), fields))
	}
	for _, most := range []int{300, 260, 255, 200, 150, 10} {
		trim := Trimming{MaxLen: most, Roughly: true}
		require.Equal(t, before.Trim(trim), after.Trim(trim))
	}
}
