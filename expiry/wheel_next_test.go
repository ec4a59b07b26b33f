package expiry

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestWheel_Next_WakesAreBounded(t *testing.T) {
	ls := &leases{T: t}
	ls.advance(start)
	bound := 0
	for i := range int64(200) {
		l := ls.set("l", start+10_000+i*i*997)
		bound += int(max(l.level, 0)) + 1
	}
	wakes, expired := 0, 0
	for ms, ok := ls.wheel.Next(); ok; ms, ok = ls.wheel.Next() {
		wakes++
		ls.wheel.Advance(ms, func(*lease) { expired++ })
	}
	require.Equal(t, 200, expired)
	require.LessOrEqual(t, wakes, bound)
}

func TestWheel_Next_LoneTimerWakesOnce(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.set("a", start+3*year+12_345)
		ls.requireNext(start + 3*year + 12_345)
		ls.advance(start+3*year+12_345, "a")
	})
}

func TestWheel_Next_CrowdedSlot(t *testing.T) {
	ls := &leases{T: t}
	ls.fill(few + 1)
	ls.advance(0)
	for i := range int64(few) {
		ls.set("a", 64+63-i)
	}
	ls.requireNext(64 + 63 - (few - 1))
	ls.set("one too many to look through", 64+63)
	ls.requireNext(64)
	ls.advance(64)
	ls.requireNext(64 + 63 - (few - 1))
}

func TestWheel_Next_WhileExpiring(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.advance(start)
		ls.set("a", start-20)
		ls.set("b", start-10)
		ls.set("future", start+10)
		var nexts []int64
		ls.advanceWith(start, func(l *lease) {
			if l.name == "b" {
				ls.set("past", start-30)
			}
			ms, ok := ls.wheel.Next()
			require.True(ls, ok)
			nexts = append(nexts, ms)
		}, "a", "b")
		require.Equal(ls, []int64{start - 10, start - 30}, nexts)
	})
}

func TestWheel_Each(t *testing.T) {
	bothWays(t, func(ls *leases) {
		for _, when := range []int64{-1, start - 1, start + 1, start + 100, start + year} {
			ls.set("wanted", when)
		}
		seen := map[string]int{}
		ls.wheel.Each(func(l *lease) { seen[l.name]++ })
		require.Equal(ls, 5, seen["wanted"])
		require.Equal(ls, ls.wheel.Len(), seen["wanted"]+seen["filler"])
	})
}

func TestWheel_Each_WhileExpiring(t *testing.T) {
	ls := &leases{T: t}
	for _, name := range []string{"a", "b", "c"} {
		ls.set(name, start)
	}
	var left []int
	ls.advanceWith(start, func(*lease) {
		n := 0
		ls.wheel.Each(func(*lease) { n++ })
		require.Equal(t, ls.wheel.Len(), n)
		left = append(left, n)
	}, "a", "b", "c")
	require.Equal(t, []int{2, 1, 0}, left)
}
