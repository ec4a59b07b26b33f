package expiry

import (
	"math"
	"testing"
	"unsafe"

	"github.com/minilockd/minilockd/internal/require"
)

const (
	day  = int64(24 * 60 * 60 * 1000)
	year = 365 * day
	noon = int64(1_767_225_600_000) // a present-day time
)

// lease is something that expires: a name and its timer.
type lease struct {
	Timer[lease]
	name string
}

// leases is a wheel under test with what it has handed out.
type leases struct {
	*testing.T
	wheel   Wheel[lease]
	expired []string
}

// arm sets a new lease.
func (ls *leases) arm(name string, when int64) *lease {
	l := &lease{name: name}
	ls.wheel.Set(&l.Timer, l, when)
	return l
}

// fill arms n leases that never expire here, so that the wheel uses its levels.
func (ls *leases) fill(n int) {
	for range n {
		ls.arm("filler", math.MaxInt64)
	}
}

// advance requires that exactly the named leases expire, in this order, and that the wheel is sound afterwards.
func (ls *leases) advance(now int64, want ...string) {
	ls.Helper()
	ls.advanceWith(now, func(*lease) {}, want...)
}

// advanceWith is advance with something to do at each expiry.
func (ls *leases) advanceWith(now int64, f func(*lease), want ...string) {
	ls.Helper()
	ls.expired = nil
	ls.wheel.Advance(now, func(l *lease) {
		require.False(ls, l.Armed(), "a lease is disarmed before it is handed out")
		ls.expired = append(ls.expired, l.name)
		f(l)
	})
	require.Equal(ls, want, ls.expired)
	checkInvariants(ls, &ls.wheel)
}

// requireNext requires that Next names exactly this time.
func (ls *leases) requireNext(want int64) {
	ls.Helper()
	ms, ok := ls.wheel.Next()
	require.True(ls, ok)
	require.Equal(ls, want, ms)
}

// bothWays runs a case on a wheel that keeps one list and on one that has levels.
func bothWays(t *testing.T, run func(ls *leases)) {
	t.Run("with a few timers", func(t *testing.T) { run(&leases{T: t}) })
	t.Run("with levels", func(t *testing.T) {
		ls := &leases{T: t}
		ls.wheel.Advance(noon, nil)
		ls.fill(few + 1)
		require.NotNil(t, ls.wheel.levels)
		run(ls)
	})
}

func TestTimer_ZeroValue(t *testing.T) {
	var timer Timer[lease]
	require.False(t, timer.Armed())
	require.Zero(t, timer.When())
}

func TestWheel_ZeroValue(t *testing.T) {
	var w Wheel[lease]
	_, ok := w.Next()
	require.False(t, ok)
	require.Zero(t, w.Len())
	w.Advance(noon, func(*lease) { require.Fail(t, "nothing was armed") })
	w.Drop(&Timer[lease]{})
	require.Zero(t, w.Len())
}

func TestWheel_Set(t *testing.T) {
	bothWays(t, func(ls *leases) {
		before := ls.wheel.Len()
		l := ls.arm("a", noon+30_000)
		require.True(ls, l.Armed())
		require.Equal(ls, noon+30_000, l.When())
		require.Equal(ls, before+1, ls.wheel.Len())
		ls.requireNext(noon + 30_000)
		ls.advance(noon + 29_999)
		ls.advance(noon+30_000, "a")
		require.Zero(ls, l.When())
		require.Equal(ls, before, ls.wheel.Len())
		ls.advance(noon + 30_001)
	})
}

func TestWheel_Set_Rearms(t *testing.T) {
	bothWays(t, func(ls *leases) {
		a := ls.arm("a", noon+10)
		ls.arm("b", noon+20)
		before := ls.wheel.Len()
		ls.wheel.Set(&a.Timer, a, noon+20)
		require.Equal(ls, before, ls.wheel.Len())
		ls.advance(noon + 19)
		ls.advance(noon+20, "b", "a") // a was armed anew, after b
	})
}

func TestWheel_Set_TimerOutsideItsOwner(t *testing.T) {
	bothWays(t, func(ls *leases) {
		var beside Timer[lease]
		require.Panics(t, func() { ls.wheel.Set(&beside, &lease{name: "a"}, noon+1) })
		require.False(t, beside.Armed())
		ls.advance(noon + 1)
	})
}

func TestWheel_Set_PastDeadline(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.advance(noon)
		ls.arm("now", noon)
		ls.arm("long ago", math.MinInt64)
		ls.arm("before", noon-5)
		ls.arm("now too", noon)
		ls.arm("later", noon+1)
		ls.requireNext(math.MinInt64)
		ls.advance(noon, "long ago", "before", "now", "now too")
		ls.advance(noon+1, "later")
	})
}

func TestWheel_Drop(t *testing.T) {
	bothWays(t, func(ls *leases) {
		before := ls.wheel.Len()
		ls.arm("a", noon+10)
		b := ls.arm("b", noon+10)
		c := ls.arm("c", noon+100_000)
		ls.wheel.Drop(&b.Timer)
		ls.wheel.Drop(&b.Timer)
		ls.wheel.Drop(&c.Timer)
		require.False(ls, b.Armed())
		require.Zero(ls, c.When())
		require.Equal(ls, before+1, ls.wheel.Len())
		ls.advance(noon+year, "a")
	})
}

func TestWheel_Advance_Order(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.advance(noon)
		ls.arm("d", noon+5000) // two levels up when armed
		ls.arm("a", noon+1)
		ls.arm("c", noon+70)
		ls.advance(noon)
		ls.arm("c2", noon+70)
		ls.advance(noon+1, "a")
		ls.arm("b", noon+65)
		ls.advance(noon+69, "b") // c and c2 have come down to level 0
		ls.arm("c3", noon+70)
		ls.arm("d2", noon+5000)
		ls.advance(noon+5000, "c", "c2", "c3", "d", "d2")
	})
}

func TestWheel_Advance_FarFuture(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.arm("century", noon+100*year)
		ls.arm("last but one", math.MaxInt64-1)
		ls.arm("week", noon+7*day)
		ls.advance(noon + 7*day - 1)
		ls.advance(noon+7*day, "week")
		ls.advance(noon + 100*year - 1)
		ls.advance(math.MaxInt64-2, "century")
		ls.advance(math.MaxInt64-1, "last but one")
	})
}

func TestWheel_Advance_YearJumps(t *testing.T) {
	bothWays(t, func(ls *leases) {
		for i := range int64(100) {
			now := noon + i*year
			ls.arm("next year", now+year)
			ls.advance(now + year - 1)
			ls.advance(now+year, "next year")
		}
	})
}

func TestWheel_Advance_BeforeTheEpoch(t *testing.T) {
	ls := &leases{T: t}
	ls.advance(math.MinInt64)
	for range few {
		ls.arm("first", math.MinInt64+1)
	}
	ls.arm("minus one", -1)
	ls.arm("zero", 0)
	ls.arm("one", 1)
	require.NotNil(t, ls.wheel.levels)
	ls.advance(-2, "first", "first", "first", "first", "first", "first", "first", "first")
	ls.requireNext(-1)
	ls.advance(-1, "minus one")
	ls.requireNext(0)
	ls.advance(math.MaxInt64, "zero", "one")
}

func TestWheel_Advance_TimeGoesBack(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.arm("keeps the wheel from being empty", noon+year)
		ls.advance(noon + 100)
		ls.advance(noon)
		ls.arm("b", noon+20)
		ls.arm("a", noon+10)
		ls.requireNext(noon + 10)
		ls.advance(noon + 9)
		ls.advance(noon+10, "a")
		ls.advance(noon+100, "b")
	})
	t.Run("an empty wheel follows", func(t *testing.T) {
		ls := &leases{T: t}
		ls.fill(few + 1)
		ls.advanceWith(math.MaxInt64, func(*lease) {},
			"filler", "filler", "filler", "filler", "filler", "filler", "filler", "filler", "filler")
		ls.advance(noon)
		l := ls.arm("a", noon+10)
		require.NotEqual(t, inQueue, l.level)
		ls.advance(noon+10, "a")
	})
}

func TestWheel_Advance_RearmWhileExpiring(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.arm("a", noon+10)
		ls.arm("b", noon+30)
		rearm := func(l *lease) {
			if l.name == "a" {
				ls.wheel.Set(&l.Timer, l, noon+20)
			}
		}
		ls.advanceWith(noon+100, rearm, "a", "b") // due again at once, but in the next Advance
		ls.requireNext(noon + 20)
		ls.advanceWith(noon+100, rearm, "a")
		ls.advance(noon+100, "a")
		ls.advance(noon + 100)
	})
	t.Run("a later deadline", func(t *testing.T) {
		bothWays(t, func(ls *leases) {
			ls.arm("a", noon+10)
			tick := func(l *lease) { ls.wheel.Set(&l.Timer, l, noon+20) }
			ls.advanceWith(noon+10, tick, "a")
			ls.advance(noon + 19)
			ls.advance(noon+20, "a")
		})
	})
	t.Run("another timer that is about to be handed out", func(t *testing.T) {
		bothWays(t, func(ls *leases) {
			ls.arm("a", noon+10)
			b := ls.arm("b", noon+10)
			c := ls.arm("c", noon+5000)
			postpone := func(*lease) {
				ls.wheel.Set(&b.Timer, b, noon+6000)
				ls.wheel.Set(&c.Timer, c, noon+7000)
			}
			ls.advanceWith(noon+5000, postpone, "a")
			ls.advance(noon+7000, "b", "c")
		})
	})
	t.Run("so many that the wheel gets its levels", func(t *testing.T) {
		ls := &leases{T: t}
		ls.arm("a", noon)
		ls.arm("b", noon+1)
		ls.advanceWith(noon+1, func(*lease) { ls.fill(few) }, "a", "b")
		require.NotNil(t, ls.wheel.levels)
		require.Equal(t, 2*few, ls.wheel.Len())
	})
}

func TestWheel_Advance_DropWhileExpiring(t *testing.T) {
	bothWays(t, func(ls *leases) {
		before := ls.wheel.Len()
		ls.arm("a", noon+10)
		sameMoment := ls.arm("same moment", noon+10)
		later := ls.arm("later", noon+90)
		ls.arm("last", noon+10_000)
		drop := func(l *lease) {
			ls.wheel.Drop(&l.Timer) // not armed any more: a no-op
			ls.wheel.Drop(&sameMoment.Timer)
			ls.wheel.Drop(&later.Timer)
		}
		ls.advanceWith(noon+10_000, drop, "a", "last")
		require.Equal(ls, before, ls.wheel.Len())
	})
}

func TestWheel_Advance_PanicLosesNoTimer(t *testing.T) {
	bothWays(t, func(ls *leases) {
		for _, name := range []string{"a", "b", "c"} {
			ls.arm(name, noon+10)
		}
		require.Panics(ls, func() { ls.wheel.Advance(noon+10, func(*lease) { panic("handler") }) })
		ls.requireNext(noon + 10)
		ls.wheel.Advance(noon+9, func(*lease) { require.Fail(ls, "handed out early") })
		ls.advance(noon+10, "b", "c")
	})
}

func TestWheel_Next_WakesAreBounded(t *testing.T) {
	ls := &leases{T: t}
	ls.advance(noon)
	bound := 0
	for i := range int64(200) {
		l := ls.arm("l", noon+10_000+i*i*997)
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
		ls.arm("a", noon+3*year+12_345)
		ls.requireNext(noon + 3*year + 12_345)
		ls.advance(noon+3*year+12_345, "a")
	})
}

func TestWheel_Next_CrowdedSlot(t *testing.T) {
	ls := &leases{T: t}
	ls.fill(few + 1)
	ls.advance(0)
	for i := range int64(few) {
		ls.arm("a", 64+63-i)
	}
	ls.requireNext(64 + 63 - (few - 1))
	ls.arm("one too many to look through", 64+63)
	ls.requireNext(64)
	ls.advance(64)
	ls.requireNext(64 + 63 - (few - 1))
}

func TestWheel_Next_WhileExpiring(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.advance(noon)
		ls.arm("a", noon-20)
		ls.arm("b", noon-10)
		ls.arm("future", noon+10)
		var nexts []int64
		ls.advanceWith(noon, func(l *lease) {
			if l.name == "b" {
				ls.arm("past", noon-30)
			}
			ms, ok := ls.wheel.Next()
			require.True(ls, ok)
			nexts = append(nexts, ms)
		}, "a", "b")
		require.Equal(ls, []int64{noon - 10, noon - 30}, nexts)
	})
}

func TestWheel_Each(t *testing.T) {
	bothWays(t, func(ls *leases) {
		for _, when := range []int64{-1, noon - 1, noon + 1, noon + 100, noon + year} {
			ls.arm("wanted", when)
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
		ls.arm(name, noon)
	}
	var left []int
	ls.advanceWith(noon, func(*lease) {
		n := 0
		ls.wheel.Each(func(*lease) { n++ })
		require.Equal(t, ls.wheel.Len(), n)
		left = append(left, n)
	}, "a", "b", "c")
	require.Equal(t, []int{2, 1, 0}, left)
}

func TestWheel_FewTimersCostNoAllocation(t *testing.T) {
	var w Wheel[lease]
	require.LessOrEqual(t, unsafe.Sizeof(w), uintptr(64))
	ls := make([]lease, few)
	now := noon
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for i := range ls {
			w.Set(&ls[i].Timer, &ls[i], now+30_000-int64(i))
		}
		now += 20_000
		w.Advance(now, func(*lease) {})
	}))
	require.Nil(t, w.levels)
}

func TestWheel_LevelsAreAllocatedOnce(t *testing.T) {
	var w Wheel[lease]
	ls := make([]lease, 1000)
	now := int64(0)
	cycle := func() {
		for i := range ls {
			w.Set(&ls[i].Timer, &ls[i], now+int64(i*100))
		}
		now += 1 << 18 // the same place in the next slot of level 3, past every deadline
		w.Advance(now, func(*lease) {})
	}
	cycle()
	require.Zero(t, testing.AllocsPerRun(20, cycle))
}
