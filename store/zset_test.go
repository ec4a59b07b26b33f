package store

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// zsetMember is an element of the naive sorted set that the real one is compared with.
type zsetMember struct {
	member string
	score  float64
}

func zsetElements(z *ZSet, s Span) []zsetMember {
	elems := []zsetMember{}
	z.Walk(s, func(member []byte, score float64) bool {
		elems = append(elems, zsetMember{string(member), score})
		return true
	})
	return elems
}

// sortedModel is the model in the order of a sorted set.
func sortedModel(model map[string]float64) []zsetMember {
	elems := make([]zsetMember, 0, len(model))
	for member, score := range model {
		elems = append(elems, zsetMember{member, score})
	}
	slices.SortFunc(elems, func(a, b zsetMember) int {
		return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(a.member, b.member))
	})
	return elems
}

// requireSame compares a sorted set with its model in every way of looking at it.
func requireSame(t *testing.T, z *ZSet, model map[string]float64) {
	t.Helper()
	want := sortedModel(model)
	require.Equal(t, len(want), z.Len())
	require.Equal(t, want, zsetElements(z, z.All()))
	backwards := []zsetMember{}
	z.WalkBack(z.All(), func(member []byte, score float64) bool {
		backwards = append(backwards, zsetMember{string(member), score})
		return true
	})
	slices.Reverse(backwards)
	require.Equal(t, want, backwards)
	for rank, elem := range want {
		got, ok := z.Rank([]byte(elem.member))
		require.True(t, ok)
		require.Equal(t, rank, got)
		score, ok := z.Score([]byte(elem.member))
		require.True(t, ok)
		require.Equal(t, elem.score, score)
	}
}

// TestZSet_RandomChanges_LikeAMap covers growth out of the small form, splits and joins in the tree.
func TestZSet_RandomChanges_LikeAMap(t *testing.T) {
	for _, members := range []int{20, 200, 5000} {
		t.Run(fmt.Sprintf("%d members", members), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, uint64(members)))
			z, model := NewZSet(), map[string]float64{}
			for step := range 4 * members {
				member := fmt.Sprint("m", rnd.IntN(members))
				score := float64(rnd.IntN(members / 4)) // many ties
				_, known := model[member]
				if rnd.IntN(3) > 0 {
					require.Equal(t, !known, z.Set([]byte(member), score))
					model[member] = score
				} else {
					require.Equal(t, known, z.Delete([]byte(member)))
					delete(model, member)
				}
				if step%(members/4) == 0 {
					requireSame(t, z, model)
				}
			}
			requireSame(t, z, model)
			requireSame(t, z.Clone().(*ZSet), model)
			for member := range model {
				require.True(t, z.Delete([]byte(member)))
			}
			require.Zero(t, z.Len())
			require.Empty(t, zsetElements(z, z.All()))
		})
	}
}

func TestZSet_Ranges_LikeASlice(t *testing.T) {
	for _, size := range []int{100, 3000} {
		rnd := rand.New(rand.NewPCG(2, uint64(size)))
		z, model := NewZSet(), map[string]float64{}
		for i := range size {
			member, score := fmt.Sprintf("m%05d", i), float64(rnd.IntN(size))
			z.Set([]byte(member), score)
			model[member] = score
		}
		want := sortedModel(model)
		for range 200 {
			a, b := rnd.IntN(size+1), rnd.IntN(size+1)
			span := Span{min(a, b), max(a, b)}
			require.Equal(t, want[span.Start:span.Stop], zsetElements(z, span))

			r := ScoreRange{float64(min(a, b)), float64(max(a, b)), rnd.IntN(2) == 0, rnd.IntN(2) == 0}
			inside := slices.DeleteFunc(slices.Clone(want), func(e zsetMember) bool {
				return e.score < r.Min || e.score > r.Max ||
					r.MinOpen && e.score == r.Min || r.MaxOpen && e.score == r.Max
			})
			require.Equal(t, inside, zsetElements(z, z.ByScore(r)))
		}
	}
}

func TestZSet_DeleteSpan_LeavesTheRest(t *testing.T) {
	for _, size := range []int{100, 2000} {
		rnd := rand.New(rand.NewPCG(3, uint64(size)))
		z, model := NewZSet(), map[string]float64{}
		for i := range size {
			z.Set(fmt.Append(nil, i), float64(i%7))
			model[fmt.Sprint(i)] = float64(i % 7)
		}
		for z.Len() > 0 {
			start := rnd.IntN(z.Len())
			span := Span{start, min(z.Len(), start+1+rnd.IntN(size/5))}
			for _, elem := range sortedModel(model)[span.Start:span.Stop] {
				delete(model, elem.member)
			}
			z.DeleteSpan(span)
			requireSame(t, z, model)
		}
	}
}

func TestZSet_ByLex_Bounds(t *testing.T) {
	for _, fill := range []int{0, 500} { // the rest makes the set a big one
		z := NewZSet()
		for _, member := range []string{"a", "b", "c", "d"} {
			z.Set([]byte(member), 0)
		}
		for i := range fill {
			z.Set(fmt.Appendf(nil, "z%d", i), 0)
		}
		closed := func(s string) LexBound { return LexBound{Member: []byte(s)} }
		open := func(s string) LexBound { return LexBound{Member: []byte(s), Open: true} }
		least, most := LexBound{Beyond: -1}, LexBound{Beyond: 1}
		require.Equal(t, Span{0, 2}, z.ByLex(LexRange{least, closed("b")}))
		require.Equal(t, Span{0, 1}, z.ByLex(LexRange{least, open("b")}))
		require.Equal(t, Span{2, 4}, z.ByLex(LexRange{open("b"), closed("d")}))
		require.Equal(t, Span{1, 4 + fill}, z.ByLex(LexRange{closed("b"), most}))
		require.Equal(t, Span{0, 4 + fill}, z.ByLex(LexRange{least, most}))
		require.Equal(t, Span{}, z.ByLex(LexRange{most, least}))
		require.Equal(t, Span{}, z.ByLex(LexRange{closed("c"), closed("b")}))
		require.Equal(t, Span{}, z.ByLex(LexRange{open("b"), open("b")}))
	}
}

func TestZSet_Packed_UntilTheThresholds(t *testing.T) {
	z := NewZSet()
	for i := range 128 {
		z.Set(fmt.Append(nil, i), 1)
	}
	require.True(t, z.Packed())
	z.Set([]byte("0"), 2)
	require.True(t, z.Packed(), "an old member needs no more room")
	z.Set([]byte("one more"), 1)
	require.False(t, z.Packed())

	z = NewZSet()
	z.Set([]byte(strings.Repeat("m", 64)), 1)
	require.True(t, z.Packed())
	z.Set([]byte(strings.Repeat("m", 64+1)), 1)
	require.False(t, z.Packed())
}

func TestZSet_Set_ExtremeScores(t *testing.T) {
	for _, fill := range []int{0, 500} {
		z := NewZSet()
		z.Set([]byte("top"), math.Inf(1))
		z.Set([]byte("bottom"), math.Inf(-1))
		z.Set([]byte("zero"), math.Copysign(0, -1))
		for i := range fill {
			z.Set(fmt.Append(nil, i), 1)
		}
		z.Set([]byte("a zero"), 0)
		require.Equal(t, []zsetMember{{"bottom", math.Inf(-1)}, {"a zero", 0}, {"zero", 0}}, zsetElements(z, Span{0, 3}))
		require.Equal(t, []zsetMember{{"top", math.Inf(1)}}, zsetElements(z, Span{z.Len() - 1, z.Len()}))
		require.Equal(t, z.All(), z.ByScore(ScoreRange{Min: math.Inf(-1), Max: math.Inf(1)}))
		require.Equal(t, Span{1, z.Len() - 1}, z.ByScore(ScoreRange{math.Inf(-1), math.Inf(1), true, true}))
	}
}

func TestZSet_Scan_FindsEveryMemberWhileTheTableGrows(t *testing.T) {
	z := NewZSet()
	for i := range 1000 {
		z.Set(fmt.Append(nil, i), float64(i))
	}
	seen := map[string]bool{}
	for cursor, added := uint64(0), 1000; ; added += 100 {
		cursor = z.Scan(cursor, 20, func(member []byte, _ float64) { seen[string(member)] = true })
		if cursor == 0 {
			break
		}
		for i := range 100 {
			z.Set(fmt.Append(nil, added+i), 0)
		}
	}
	for i := range 1000 {
		require.True(t, seen[fmt.Sprint(i)], i)
	}
}

func TestSpanOf_NegativeEnds(t *testing.T) {
	require.Equal(t, Span{0, 5}, SpanOf(0, -1, 5))
	require.Equal(t, Span{3, 5}, SpanOf(-2, -1, 5))
	require.Equal(t, Span{0, 3}, SpanOf(-100, 2, 5))
	require.Equal(t, Span{2, 5}, SpanOf(2, 100, 5))
	require.Equal(t, Span{}, SpanOf(5, 9, 5))
	require.Equal(t, Span{}, SpanOf(3, 2, 5))
	require.Equal(t, Span{}, SpanOf(0, -6, 5))
}

func TestSpan_Limited_FromEitherEnd(t *testing.T) {
	s := Span{10, 20}
	require.Equal(t, Span{12, 15}, s.Limited(2, 3, false))
	require.Equal(t, Span{15, 18}, s.Limited(2, 3, true))
	require.Equal(t, Span{12, 20}, s.Limited(2, -1, false))
	require.Equal(t, Span{10, 18}, s.Limited(2, 100, true))
	require.Equal(t, Span{}, s.Limited(10, 1, false))
	require.Equal(t, Span{}, s.Limited(-1, 1, false))
	require.Zero(t, s.Limited(3, 0, false).Len())
}
