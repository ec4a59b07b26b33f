package expiry

import (
	"math"
	"testing"
	"unsafe"

	"github.com/minilockd/minilockd/internal/require"
)

const (
	day   = int64(24 * 60 * 60 * 1000)
	year  = 365 * day
	start = int64(1_767_225_600_000) // a present-day time
)

// lease is something that expires: a name and its timer.
type lease struct {
	Timer[lease]
	name string
}

// leases is a wheel under test with the names of what has expired.
type leases struct {
	*testing.T
	wheel   Wheel[lease]
	expired []string
}

// set sets the timer of a new lease.
func (ls *leases) set(name string, when int64) *lease {
	l := &lease{name: name}
	ls.wheel.Set(&l.Timer, l, when)
	return l
}

// fill sets n leases that never expire here, so that the wheel uses its levels.
func (ls *leases) fill(n int) {
	for range n {
		ls.set("filler", math.MaxInt64)
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
		require.False(ls, l.IsSet(), "a lease is not set any more when it expires")
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
		ls.wheel.Advance(start, nil)
		ls.fill(few + 1)
		require.NotNil(t, ls.wheel.levels)
		run(ls)
	})
}

func TestTimer_ZeroValue(t *testing.T) {
	var timer Timer[lease]
	require.False(t, timer.IsSet())
	require.Zero(t, timer.When())
}

func TestWheel_ZeroValue(t *testing.T) {
	var w Wheel[lease]
	_, ok := w.Next()
	require.False(t, ok)
	require.Zero(t, w.Len())
	w.Advance(start, func(*lease) { require.Fail(t, "nothing was set") })
	w.Drop(&Timer[lease]{})
	require.Zero(t, w.Len())
}

func TestWheel_Set(t *testing.T) {
	bothWays(t, func(ls *leases) {
		before := ls.wheel.Len()
		l := ls.set("a", start+30_000)
		require.True(ls, l.IsSet())
		require.Equal(ls, start+30_000, l.When())
		require.Equal(ls, before+1, ls.wheel.Len())
		ls.requireNext(start + 30_000)
		ls.advance(start + 29_999)
		ls.advance(start+30_000, "a")
		require.Zero(ls, l.When())
		require.Equal(ls, before, ls.wheel.Len())
		ls.advance(start + 30_001)
	})
}

func TestWheel_Set_Again(t *testing.T) {
	bothWays(t, func(ls *leases) {
		a := ls.set("a", start+10)
		ls.set("b", start+20)
		before := ls.wheel.Len()
		ls.wheel.Set(&a.Timer, a, start+20)
		require.Equal(ls, before, ls.wheel.Len())
		ls.advance(start + 19)
		ls.advance(start+20, "b", "a") // a was set again, after b
	})
}

func TestWheel_Set_TimerOutsideItsOwner(t *testing.T) {
	bothWays(t, func(ls *leases) {
		var other Timer[lease]
		require.Panics(t, func() { ls.wheel.Set(&other, &lease{name: "a"}, start+1) })
		require.False(t, other.IsSet())
		ls.advance(start + 1)
	})
}

func TestWheel_Set_PastDeadline(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.advance(start)
		ls.set("now", start)
		ls.set("long ago", math.MinInt64)
		ls.set("before", start-5)
		ls.set("now too", start)
		ls.set("later", start+1)
		ls.requireNext(math.MinInt64)
		ls.advance(start, "long ago", "before", "now", "now too")
		ls.advance(start+1, "later")
	})
}

func TestWheel_Drop(t *testing.T) {
	bothWays(t, func(ls *leases) {
		before := ls.wheel.Len()
		ls.set("a", start+10)
		b := ls.set("b", start+10)
		c := ls.set("c", start+100_000)
		ls.wheel.Drop(&b.Timer)
		ls.wheel.Drop(&b.Timer)
		ls.wheel.Drop(&c.Timer)
		require.False(ls, b.IsSet())
		require.Zero(ls, c.When())
		require.Equal(ls, before+1, ls.wheel.Len())
		ls.advance(start+year, "a")
	})
}

func TestWheel_Advance_Order(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.advance(start)
		ls.set("d", start+5000) // two levels up when set
		ls.set("a", start+1)
		ls.set("c", start+70)
		ls.advance(start)
		ls.set("c2", start+70)
		ls.advance(start+1, "a")
		ls.set("b", start+65)
		ls.advance(start+69, "b") // c and c2 have come down to level 0
		ls.set("c3", start+70)
		ls.set("d2", start+5000)
		ls.advance(start+5000, "c", "c2", "c3", "d", "d2")
	})
}

func TestWheel_Advance_FarFuture(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.set("century", start+100*year)
		ls.set("last but one", math.MaxInt64-1)
		ls.set("week", start+7*day)
		ls.advance(start + 7*day - 1)
		ls.advance(start+7*day, "week")
		ls.advance(start + 100*year - 1)
		ls.advance(math.MaxInt64-2, "century")
		ls.advance(math.MaxInt64-1, "last but one")
	})
}

func TestWheel_Advance_YearJumps(t *testing.T) {
	bothWays(t, func(ls *leases) {
		for i := range int64(100) {
			now := start + i*year
			ls.set("next year", now+year)
			ls.advance(now + year - 1)
			ls.advance(now+year, "next year")
		}
	})
}

func TestWheel_Advance_BeforeTheEpoch(t *testing.T) {
	ls := &leases{T: t}
	ls.advance(math.MinInt64)
	for range few {
		ls.set("first", math.MinInt64+1)
	}
	ls.set("minus one", -1)
	ls.set("zero", 0)
	ls.set("one", 1)
	require.NotNil(t, ls.wheel.levels)
	ls.advance(-2, "first", "first", "first", "first", "first", "first", "first", "first")
	ls.requireNext(-1)
	ls.advance(-1, "minus one")
	ls.requireNext(0)
	ls.advance(math.MaxInt64, "zero", "one")
}

func TestWheel_Advance_TimeGoesBack(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.set("keeps the wheel from being empty", start+year)
		ls.advance(start + 100)
		ls.advance(start)
		ls.set("b", start+20)
		ls.set("a", start+10)
		ls.requireNext(start + 10)
		ls.advance(start + 9)
		ls.advance(start+10, "a")
		ls.advance(start+100, "b")
	})
	t.Run("an empty wheel follows", func(t *testing.T) {
		ls := &leases{T: t}
		ls.fill(few + 1)
		ls.advanceWith(math.MaxInt64, func(*lease) {},
			"filler", "filler", "filler", "filler", "filler", "filler", "filler", "filler", "filler")
		ls.advance(start)
		l := ls.set("a", start+10)
		require.NotEqual(t, inQueue, l.level)
		ls.advance(start+10, "a")
	})
}

func TestWheel_Advance_SetWhileExpiring(t *testing.T) {
	bothWays(t, func(ls *leases) {
		ls.set("a", start+10)
		ls.set("b", start+30)
		again := func(l *lease) {
			if l.name == "a" {
				ls.wheel.Set(&l.Timer, l, start+20)
			}
		}
		ls.advanceWith(start+100, again, "a", "b") // due again at once, but in the next Advance
		ls.requireNext(start + 20)
		ls.advanceWith(start+100, again, "a")
		ls.advance(start+100, "a")
		ls.advance(start + 100)
	})
	t.Run("a later deadline", func(t *testing.T) {
		bothWays(t, func(ls *leases) {
			ls.set("a", start+10)
			tick := func(l *lease) { ls.wheel.Set(&l.Timer, l, start+20) }
			ls.advanceWith(start+10, tick, "a")
			ls.advance(start + 19)
			ls.advance(start+20, "a")
		})
	})
	t.Run("another timer that is about to expire", func(t *testing.T) {
		bothWays(t, func(ls *leases) {
			ls.set("a", start+10)
			b := ls.set("b", start+10)
			c := ls.set("c", start+5000)
			later := func(*lease) {
				ls.wheel.Set(&b.Timer, b, start+6000)
				ls.wheel.Set(&c.Timer, c, start+7000)
			}
			ls.advanceWith(start+5000, later, "a")
			ls.advance(start+7000, "b", "c")
		})
	})
}

// So many timers are set while others expire that the wheel gets its levels.
func TestWheel_Advance_FillWhileExpiring(t *testing.T) {
	ls := &leases{T: t}
	ls.set("a", start)
	ls.set("b", start+1)
	ls.advanceWith(start+1, func(*lease) { ls.fill(few) }, "a", "b")
	require.NotNil(t, ls.wheel.levels)
	require.Equal(t, 2*few, ls.wheel.Len())
}

func TestWheel_Advance_DropWhileExpiring(t *testing.T) {
	bothWays(t, func(ls *leases) {
		before := ls.wheel.Len()
		ls.set("a", start+10)
		sameMoment := ls.set("same moment", start+10)
		later := ls.set("later", start+90)
		ls.set("last", start+10_000)
		drop := func(l *lease) {
			ls.wheel.Drop(&l.Timer) // not set any more: does nothing
			ls.wheel.Drop(&sameMoment.Timer)
			ls.wheel.Drop(&later.Timer)
		}
		ls.advanceWith(start+10_000, drop, "a", "last")
		require.Equal(ls, before, ls.wheel.Len())
	})
}

func TestWheel_Advance_PanicLosesNoTimer(t *testing.T) {
	bothWays(t, func(ls *leases) {
		for _, name := range []string{"a", "b", "c"} {
			ls.set(name, start+10)
		}
		require.Panics(ls, func() { ls.wheel.Advance(start+10, func(*lease) { panic("handler") }) })
		ls.requireNext(start + 10)
		ls.wheel.Advance(start+9, func(*lease) { require.Fail(ls, "expired early") })
		ls.advance(start+10, "b", "c")
	})
}

func TestWheel_FewTimersCostNoAllocation(t *testing.T) {
	var w Wheel[lease]
	require.LessOrEqual(t, unsafe.Sizeof(w), uintptr(64))
	ls := make([]lease, few)
	now := start
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
