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

// entry is one timer of the model: which, until when, and as how-manieth it was armed.
type entry struct {
	id    int
	when  int64
	armed int
}

// model is the wheel written so that it is obviously right: a sorted slice.
type model struct {
	entries []entry
	arms    int
}

func (m *model) set(id int, when int64) {
	m.drop(id)
	m.arms++
	m.entries = append(m.entries, entry{id, when, m.arms})
	slices.SortFunc(m.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.when, b.when), cmp.Compare(a.armed, b.armed))
	})
}

func (m *model) drop(id int) {
	m.entries = slices.DeleteFunc(m.entries, func(e entry) bool { return e.id == id })
}

// advance hands out, one by one, what is due and was armed before advance began.
func (m *model) advance(now int64, expired func(id int)) {
	began := m.arms
	due := func(e entry) bool { return e.when <= now && e.armed <= began }
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

// rig runs the same random steps on a wheel and on the model.
type rig struct {
	*testing.T
	rnd   *rand.Rand
	wheel Wheel[item]
	model model
	items []item
	now   int64
}

func newRig(t *testing.T, seed uint64, start int64, items int) *rig {
	r := &rig{T: t, rnd: rand.New(rand.NewPCG(seed, 1)), now: start, items: make([]item, items)}
	r.wheel.Phase = uint16(seed%64) * 65
	for i := range r.items {
		r.items[i].id = i
	}
	return r
}

// change is a Set or a Drop, made up beforehand so that both sides can do the same.
type change struct {
	id   int
	set  bool
	when int64
}

func (r *rig) randomChange(now int64) change {
	return change{r.rnd.IntN(len(r.items)), r.rnd.IntN(4) > 0, r.randomWhen(now)}
}

func (r *rig) randomWhen(now int64) int64 {
	switch r.rnd.IntN(12) {
	case 0:
		return now
	case 1:
		return clampedAdd(now, -r.rnd.Int64N(1000))
	case 2:
		return int64(r.rnd.Uint64())
	case 3:
		return []int64{math.MinInt64, -1, 0, 1, math.MaxInt64}[r.rnd.IntN(5)]
	case 4, 5:
		return clampedAdd(now, r.rnd.Int64N(4)) // many at the same millisecond
	default:
		return clampedAdd(now, r.rnd.Int64N(1<<r.rnd.IntN(40)))
	}
}

func (r *rig) randomNow() int64 {
	switch r.rnd.IntN(12) {
	case 0:
		return r.now
	case 1:
		return clampedAdd(r.now, -r.rnd.Int64N(5000))
	case 2:
		return clampedAdd(r.now, r.rnd.Int64N(3*year))
	case 3, 4, 5:
		if ms, ok := r.wheel.Next(); ok && ms > r.now {
			return ms
		}
		return r.now
	default:
		return clampedAdd(r.now, r.rnd.Int64N(1<<r.rnd.IntN(16)))
	}
}

// clampedAdd adds without wrapping round.
func clampedAdd(a, b int64) int64 {
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	}
	return sum
}

func (r *rig) applyToWheel(c change) {
	it := &r.items[c.id]
	if c.set {
		r.wheel.Set(&it.timer, it, c.when)
	} else {
		r.wheel.Drop(&it.timer)
	}
}

func (r *rig) applyToModel(c change) {
	if c.set {
		r.model.set(c.id, c.when)
	} else {
		r.model.drop(c.id)
	}
}

// advance advances both sides with the same changes made while expiring, and compares what they hand out.
func (r *rig) advance() {
	r.now = r.randomNow()
	changes := make([]change, r.rnd.IntN(20))
	for i := range changes {
		changes[i] = r.randomChange(r.now)
	}
	var got, want []int
	r.wheel.Advance(r.now, func(it *item) {
		r.applyNth(len(got), changes, r.applyToWheel)
		got = append(got, it.id)
	})
	r.model.advance(r.now, func(id int) {
		r.applyNth(len(want), changes, r.applyToModel)
		want = append(want, id)
	})
	require.Equal(r, want, got, "handed out at %d", r.now)
}

func (r *rig) applyNth(n int, changes []change, apply func(change)) {
	if n < len(changes) {
		apply(changes[n])
	}
}

// step does one random thing and compares the two sides.
func (r *rig) step() {
	if r.rnd.IntN(3) == 0 {
		r.advance()
	} else {
		c := r.randomChange(r.now)
		r.applyToWheel(c)
		r.applyToModel(c)
	}
	checkInvariants(r, &r.wheel)
	r.compare()
}

// compare requires the same timers armed with the same deadlines, and a Next that is neither late nor idle.
func (r *rig) compare() {
	require.Equal(r, len(r.model.entries), r.wheel.Len())
	for _, e := range r.model.entries {
		timer := &r.items[e.id].timer
		hold(r, timer.Armed() && timer.When() == e.when, "timer %d: %d, not %d", e.id, timer.When(), e.when)
	}
	ms, ok := r.wheel.Next()
	require.Equal(r, len(r.model.entries) > 0, ok)
	if ok {
		require.LessOrEqual(r, ms, r.model.entries[0].when)
		require.True(r, ms == r.model.entries[0].when || ms > r.wheel.now, "Advance(%d) would change nothing", ms)
	}
}

func TestWheel_RandomSteps_AsSortedList(t *testing.T) {
	starts := []int64{noon, 0, -noon, math.MinInt64, math.MaxInt64 - 10*year, 1<<36 - 500}
	for i, start := range starts {
		for _, items := range []int{few, few + 4, 100} {
			t.Run(fmt.Sprintf("from %d with %d timers", start, items), func(t *testing.T) {
				r := newRig(t, uint64(i), start, items)
				for range 1500 {
					r.step()
				}
			})
		}
	}
}

// TestWheel_RandomSteps_DrivenByNext lets only Next decide when to advance: each timer must come at its very
// millisecond, and each wake must hand out a timer or bring one to a lower level.
func TestWheel_RandomSteps_DrivenByNext(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, noon, 300)
		r.wheel.Advance(noon, nil)
		for i := range r.items {
			r.wheel.Set(&r.items[i].timer, &r.items[i], noon+1+r.rnd.Int64N(1<<r.rnd.IntN(40)))
		}
		due := map[int]int64{}
		r.wheel.Each(func(it *item) { due[it.id] = it.timer.When() })
		for ms, ok := r.wheel.Next(); ok; ms, ok = r.wheel.Next() {
			before := height(&r.wheel)
			r.wheel.Advance(ms, func(it *item) {
				require.Equal(t, due[it.id], ms)
				delete(due, it.id)
			})
			require.Less(t, height(&r.wheel), before)
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
