package store

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func listElements(l *List, s Span) []string {
	elems := []string{}
	l.Walk(s, func(elem []byte) bool {
		elems = append(elems, string(elem))
		return true
	})
	return elems
}

func requireList(t *testing.T, l *List, want []string) {
	t.Helper()
	require.Equal(t, len(want), l.Len())
	require.Equal(t, want, listElements(l, Span{0, l.Len()}))
	for i := range l.live() {
		require.NotZero(t, l.live()[i].count, "no chunk is empty")
	}
}

// listModel applies one random change to a list and to a slice.
func listModel(t *testing.T, rnd *rand.Rand, l *List, model []string, elem func() string) []string {
	e := elem()
	at := func() int { return rnd.IntN(len(model)) }
	switch op := rnd.IntN(12); {
	case op < 2 || len(model) == 0:
		l.Push([]byte(e), Front)
		return slices.Insert(model, 0, e)
	case op < 4:
		l.Push([]byte(e), Back)
		return append(model, e)
	case op == 4:
		require.Equal(t, model[0], string(l.Pop(Front)))
		return model[1:]
	case op == 5:
		require.Equal(t, model[len(model)-1], string(l.Pop(Back)))
		return model[:len(model)-1]
	case op == 6:
		i := at()
		l.Set(i, []byte(e))
		model[i] = e
	case op == 7:
		pivot, behind := model[at()], rnd.IntN(2) == 0
		require.True(t, l.Insert([]byte(pivot), []byte(e), behind))
		i := slices.Index(model, pivot)
		if behind {
			i++
		}
		return slices.Insert(model, i, e)
	case op == 8:
		limit, from := rnd.IntN(3), End(rnd.IntN(2) == 0)
		nodes := model[at()]
		removed, rest := removeFrom(model, nodes, limit, from)
		require.Equal(t, removed, l.Remove([]byte(nodes), limit, from))
		return rest
	case op == 9 && rnd.IntN(20) == 0:
		start := rnd.IntN(1 + len(model)/8)
		s := Span{start, len(model) - rnd.IntN(1+len(model)/8)}
		l.Trim(s)
		return model[s.Start:s.Stop]
	default:
		i := at()
		require.Equal(t, model[i], string(l.At(i)))
	}
	return model
}

func removeFrom(model []string, nodes string, limit int, from End) (removed int, rest []string) {
	rest = slices.Clone(model)
	if from == Back {
		slices.Reverse(rest)
	}
	rest = slices.DeleteFunc(rest, func(s string) bool {
		if s == nodes && (limit == 0 || removed < limit) {
			removed++
			return true
		}
		return false
	})
	if from == Back {
		slices.Reverse(rest)
	}
	return removed, rest
}

func TestList_RandomChanges_LikeASlice(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for name, elem := range map[string]func() string{
		"short elements":     func() string { return fmt.Sprint("e", rnd.IntN(1000)) },
		"elements of a page": func() string { return strings.Repeat(fmt.Sprint(rnd.IntN(10)), rnd.IntN(1500)) },
		"few large elements": func() string {
			return strings.Repeat("x", rnd.IntN(10)*rnd.IntN(2)*rnd.IntN(2000)+rnd.IntN(200))
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, model := NewList(), []string{}
			for step := range 6000 {
				model = listModel(t, rnd, l, model, elem)
				if step%500 == 0 {
					requireList(t, l, model)
				}
			}
			requireList(t, l, model)
			requireList(t, l.Clone().(*List), model)
		})
	}
}

func TestList_Walk_EveryRangeInBothDirections(t *testing.T) {
	l, model := NewList(), []string{}
	for i := range 2000 {
		l.Push(fmt.Append(nil, i), Back)
		model = append(model, fmt.Sprint(i))
	}
	require.Greater(t, len(l.live()), 2)
	rnd := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		a, b := rnd.IntN(2001), rnd.IntN(2001)
		s := Span{min(a, b), max(a, b)}
		require.Equal(t, model[s.Start:s.Stop], listElements(l, s))
		backwards := []string{}
		l.WalkBack(s, func(elem []byte) bool {
			backwards = append(backwards, string(elem))
			return true
		})
		slices.Reverse(backwards)
		require.Equal(t, model[s.Start:s.Stop], backwards)
	}
}

func TestList_Queue_KeepsNoMoreThanItHolds(t *testing.T) {
	for _, in := range []End{Front, Back} {
		l := NewList()
		for i := range 1000 {
			l.Push(fmt.Append(nil, i), in)
		}
		for i := range 200_000 {
			l.Push(fmt.Append(nil, 1000+i), in)
			require.Equal(t, fmt.Sprint(i), string(l.Pop(!in)))
		}
		require.Equal(t, 1000, l.Len())
		require.Less(t, cap(l.chunks), 64)
	}
}

func TestList_Queue_OfOneElementStaysInItsChunk(t *testing.T) {
	l := NewList()
	l.Push([]byte("0"), Back)
	for i := range 10_000 {
		l.Push(fmt.Append(nil, 1+i), Back)
		require.Equal(t, fmt.Sprint(i), string(l.Pop(Front)))
	}
	require.Less(t, len(l.live()[0].buf), 100)
}

func TestList_Clone_IsIndependent(t *testing.T) {
	l := NewList()
	l.Push([]byte("a"), Back)
	c := l.Clone().(*List)
	c.Push([]byte("b"), Front)
	c.Set(1, []byte("c"))
	requireList(t, l, []string{"a"})
	requireList(t, c, []string{"b", "c"})
}

// TestList_ManyShortElements_CostLittleMoreThanTheirBytes allows four bytes an element for lengths and chunks.
func TestList_ManyShortElements_CostLittleMoreThanTheirBytes(t *testing.T) {
	const elements = 1_000_000
	elem := []byte("0123456789")
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	l := NewList()
	for range elements {
		l.Push(elem, Back)
	}
	require.Less(t, live()-before, uint64(elements*(len(elem)+4)))
	require.Equal(t, elem, l.At(elements/2))
	runtime.KeepAlive(l)
}
