package expiry

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestWheel_Check_ReportsEachViolation(t *testing.T) {
	for want, breaks := range map[string]func(w *Wheel[item], items []item){
		"counted":                   func(w *Wheel[item], _ []item) { w.count++ },
		"left in the batch":         func(w *Wheel[item], items []item) { w.batch.push(&items[len(items)-1].timer) },
		"cursor is not at the time": func(w *Wheel[item], _ []item) { w.levels.cursor++ },
		"in the queue has level":    func(w *Wheel[item], _ []item) { w.queue.head.level = 3 },
		"is still to come":          func(w *Wheel[item], _ []item) { w.queue.head.when = start + 1 },
		"out of order": func(w *Wheel[item], _ []item) {
			w.queue.head.when = start - 1
			w.queue.tail().when = start - 2
		},
		"has no slots":            func(w *Wheel[item], _ []item) { w.levels.used[levelCount-1] = 1 },
		"wrong bit":               func(w *Wheel[item], _ []item) { w.levels.used[0] = 0 },
		"not ahead of the cursor": func(_ *Wheel[item], items []item) { items[0].timer.when = start },
		"not 1":                   func(_ *Wheel[item], items []item) { items[0].timer.when += slotCount },
		"in slot":                 func(_ *Wheel[item], items []item) { items[0].timer.when++ },
		"is broken":               func(w *Wheel[item], _ []item) { w.queue.head.next.prev = nil },
	} {
		t.Run(want, func(t *testing.T) {
			var w Wheel[item]
			items := make([]item, 2*few+3)
			w.Advance(start, nil)
			for i := range 2 * few { // one a millisecond, still to come
				w.Set(&items[i].timer, &items[i], start+int64(i)+1)
			}
			for i := 2 * few; i < len(items)-1; i++ { // due
				w.Set(&items[i].timer, &items[i], start)
			}
			require.NoError(t, w.Check())
			breaks(&w, items)
			require.ErrorContains(t, w.Check(), want)
		})
	}
}

// The fields in the padding of a timer belong to its owner, whatever the wheel does with the timer.
func TestTimer_KeepsWhatIsTheOwners(t *testing.T) {
	var w Wheel[item]
	items := make([]item, 2*few)
	for i := range items {
		timer := &items[i].timer
		timer.Tag, timer.Mark, timer.Spare = uint8(i), true, uint32(i)
		w.Set(timer, &items[i], start+int64(i))
		w.Set(timer, &items[i], start+int64(2*i))
	}
	w.Drop(&items[0].timer)
	w.Advance(start+few, func(*item) {})
	for i := range items {
		timer := &items[i].timer
		require.Equal(t, []any{uint8(i), true, uint32(i)}, []any{timer.Tag, timer.Mark, timer.Spare})
	}
}
