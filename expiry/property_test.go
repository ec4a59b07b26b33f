package expiry

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// entry is one timer of the model: its item, its deadline, and the number of its Set among all.
type entry struct {
	id    int
	when  int64
	order int
}

// model is the wheel written so that it is obviously right: a sorted slice.
type model struct {
	entries []entry
	sets    int
}

func (m *model) set(id int, when int64) {
	m.drop(id)
	m.sets++
	m.entries = append(m.entries, entry{id, when, m.sets})
	slices.SortFunc(m.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.when, b.when), cmp.Compare(a.order, b.order))
	})
}

func (m *model) drop(id int) {
	m.entries = slices.DeleteFunc(m.entries, func(e entry) bool { return e.id == id })
}

// advance expires, one by one, what is due and was set before advance was called.
func (m *model) advance(now int64, expired func(id int)) {
	last := m.sets
	due := func(e entry) bool { return e.when <= now && e.order <= last }
	for i := slices.IndexFunc(m.entries, due); i >= 0; i = slices.IndexFunc(m.entries, due) {
		id := m.entries[i].id
		m.drop(id)
		expired(id)
	}
}

// item is what the wheel under test holds.
type item struct {
	id    int
	timer Timer[item]
}

// fixture runs the same random steps on a wheel and on the model.
type fixture struct {
	*testing.T
	rnd   *rand.Rand
	wheel Wheel[item]
	model model
	items []item
	now   int64
}

func newFixture(t *testing.T, seed uint64, now int64, items int) *fixture {
	f := &fixture{T: t, rnd: rand.New(rand.NewPCG(seed, 1)), now: now, items: make([]item, items)}
	f.wheel.Phase = uint16(seed%64) * 65
	for i := range f.items {
		f.items[i].id = i
	}
	return f
}

// change is a Set or a Drop, made up beforehand so that both sides can do the same.
type change struct {
	id   int
	set  bool
	when int64
}

func (f *fixture) randomChange(now int64) change {
	return change{f.rnd.IntN(len(f.items)), f.rnd.IntN(4) > 0, f.randomWhen(now)}
}

func (f *fixture) randomWhen(now int64) int64 {
	switch f.rnd.IntN(12) {
	case 0:
		return now
	case 1:
		return saturatingAdd(now, -f.rnd.Int64N(1000))
	case 2:
		return int64(f.rnd.Uint64())
	case 3:
		return []int64{math.MinInt64, -1, 0, 1, math.MaxInt64}[f.rnd.IntN(5)]
	case 4, 5:
		return saturatingAdd(now, f.rnd.Int64N(4)) // many at the same millisecond
	default:
		return saturatingAdd(now, f.rnd.Int64N(1<<f.rnd.IntN(40)))
	}
}

func (f *fixture) randomNow() int64 {
	switch f.rnd.IntN(12) {
	case 0:
		return f.now
	case 1:
		return saturatingAdd(f.now, -f.rnd.Int64N(5000))
	case 2:
		return saturatingAdd(f.now, f.rnd.Int64N(3*year))
	case 3, 4, 5:
		if ms, ok := f.wheel.Next(); ok && ms > f.now {
			return ms
		}
		return f.now
	default:
		return saturatingAdd(f.now, f.rnd.Int64N(1<<f.rnd.IntN(16)))
	}
}

// saturatingAdd adds without wrapping round.
func saturatingAdd(a, b int64) int64 {
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	}
	return sum
}

func (f *fixture) applyToWheel(c change) {
	it := &f.items[c.id]
	if c.set {
		f.wheel.Set(&it.timer, it, c.when)
	} else {
		f.wheel.Drop(&it.timer)
	}
}

func (f *fixture) applyToModel(c change) {
	if c.set {
		f.model.set(c.id, c.when)
	} else {
		f.model.drop(c.id)
	}
}

// advance advances both sides with the same changes made while expiring, and compares what expires.
func (f *fixture) advance() {
	f.now = f.randomNow()
	changes := make([]change, f.rnd.IntN(20))
	for i := range changes {
		changes[i] = f.randomChange(f.now)
	}
	var got, want []int
	f.wheel.Advance(f.now, func(it *item) {
		f.applyNth(len(got), changes, f.applyToWheel)
		got = append(got, it.id)
	})
	f.model.advance(f.now, func(id int) {
		f.applyNth(len(want), changes, f.applyToModel)
		want = append(want, id)
	})
	require.Equal(f, want, got, "expired at %d", f.now)
}

func (f *fixture) applyNth(n int, changes []change, apply func(change)) {
	if n < len(changes) {
		apply(changes[n])
	}
}

// step does one random thing and compares the two sides.
func (f *fixture) step() {
	if f.rnd.IntN(3) == 0 {
		f.advance()
	} else {
		c := f.randomChange(f.now)
		f.applyToWheel(c)
		f.applyToModel(c)
	}
	checkInvariants(f, &f.wheel)
	f.compare()
}

// compare requires the same timers to be set for the same deadlines, and a Next that is neither late nor idle.
func (f *fixture) compare() {
	require.Equal(f, len(f.model.entries), f.wheel.Len())
	for _, e := range f.model.entries {
		timer := &f.items[e.id].timer
		hold(f, timer.IsSet() && timer.When() == e.when, "timer %d: %d, not %d", e.id, timer.When(), e.when)
	}
	ms, ok := f.wheel.Next()
	require.Equal(f, len(f.model.entries) > 0, ok)
	if ok {
		require.LessOrEqual(f, ms, f.model.entries[0].when)
		require.True(f, ms == f.model.entries[0].when || ms > f.wheel.now, "Advance(%d) would change nothing", ms)
	}
}

func TestWheel_RandomSteps_AsSortedList(t *testing.T) {
	starts := []int64{start, 0, -start, math.MinInt64, math.MaxInt64 - 10*year, 1<<36 - 500}
	for i, start := range starts {
		for _, items := range []int{few, few + 4, 100} {
			t.Run(fmt.Sprintf("from %d with %d timers", start, items), func(t *testing.T) {
				f := newFixture(t, uint64(i), start, items)
				for range 1500 {
					f.step()
				}
			})
		}
	}
}

// TestWheel_RandomSteps_DrivenByNext lets only Next decide when to advance: each timer must come at its very
// millisecond, and each wake must expire a timer or move one to a lower level.
func TestWheel_RandomSteps_DrivenByNext(t *testing.T) {
	for seed := range uint64(5) {
		f := newFixture(t, seed, start, 300)
		f.wheel.Advance(start, nil)
		for i := range f.items {
			f.wheel.Set(&f.items[i].timer, &f.items[i], start+1+f.rnd.Int64N(1<<f.rnd.IntN(40)))
		}
		due := map[int]int64{}
		f.wheel.Each(func(it *item) { due[it.id] = it.timer.When() })
		for ms, ok := f.wheel.Next(); ok; ms, ok = f.wheel.Next() {
			before := height(&f.wheel)
			f.wheel.Advance(ms, func(it *item) {
				require.Equal(t, due[it.id], ms)
				delete(due, it.id)
			})
			require.Less(t, height(&f.wheel), before)
		}
		require.Empty(t, due)
	}
}

// height is the number of wakes that the timers may still cause: one for each level each has to come down.
func height(w *Wheel[item]) (sum int) {
	w.Each(func(it *item) { sum += int(max(it.timer.level, 0)) + 1 })
	return sum
}

// checkInvariants requires what Check checks, and that Len and Each agree.
func checkInvariants[T any](t require.TestingT, w *Wheel[T]) {
	require.NoError(t, w.Check())
	each := 0
	w.Each(func(*T) { each++ })
	hold(t, each == w.Len(), "Len %d, Each %d", w.Len(), each)
}

// hold is require.True at a price that allows it for every timer after every step.
func hold(t require.TestingT, ok bool, format string, args ...any) {
	if !ok {
		require.Fail(t, fmt.Sprintf(format, args...))
	}
}
