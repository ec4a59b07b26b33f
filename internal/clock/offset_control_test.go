package clock

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// moments are the times at which functions were called.
type moments struct {
	mu   sync.Mutex
	list []time.Duration
}

func (m *moments) add(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = append(m.list, d)
}

func (m *moments) all() []time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.list)
}

func TestOffset_Freeze(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var calls atomic.Int64
		c.AfterFunc(2*time.Second, func() { calls.Add(1) })
		time.Sleep(time.Second)
		c.Freeze()
		c.Freeze() // is no error
		time.Sleep(time.Hour)
		require.Equal(t, time.Second, passed())
		require.Zero(t, calls.Load())
		c.Resume()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, 2*time.Second, passed())
		require.EqualValues(t, 1, calls.Load())
	})
}

// A frozen clock is moved by Advance, and stands still again. What is due at once is called all the same.
func TestOffset_Freeze_AndAdvance(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		c.Freeze()
		var called moments
		note := func() { called.add(passed()) }
		c.AfterFunc(time.Second, note)
		c.AfterFunc(3*time.Second, note)
		c.Advance(2 * time.Second)
		time.Sleep(time.Hour)
		require.Equal(t, []time.Duration{time.Second}, called.all())
		require.Equal(t, 2*time.Second, passed())
		c.AfterFunc(0, note)
		synctest.Wait()
		require.Equal(t, []time.Duration{time.Second, 2 * time.Second}, called.all())
		c.Resume()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, called.all(), 3)
	})
}

func TestOffset_Set(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		start := c.Now()
		var called moments
		c.AfterFunc(time.Minute, func() { called.add(passed()) })
		c.Set(start.Add(time.Hour))
		require.Equal(t, []time.Duration{time.Minute}, called.all(), "it was due on the way")
		require.Equal(t, time.Hour, passed())

		c.AfterFunc(time.Minute, func() { called.add(passed()) })
		c.Set(start.Round(0).Add(-time.Hour)) // a wall clock time, as CLOCK.SET has it
		require.Equal(t, -time.Hour, passed())
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		require.Len(t, called.all(), 1, "its time is two hours away now")
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Equal(t, []time.Duration{time.Minute, time.Hour + time.Minute}, called.all())
	})
}

func TestOffset_SetSpeed(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var calls atomic.Int64
		c.AfterFunc(time.Minute, func() { calls.Add(1) })
		c.SetSpeed(60)
		time.Sleep(time.Second - 1)
		synctest.Wait()
		require.Zero(t, calls.Load())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.EqualValues(t, 1, calls.Load())
		require.Equal(t, time.Minute, passed())

		c.SetSpeed(0.5)
		c.AfterFunc(time.Second, func() { calls.Add(1) })
		time.Sleep(2*time.Second - 1)
		synctest.Wait()
		require.EqualValues(t, 1, calls.Load())
		time.Sleep(2 * time.Nanosecond)
		synctest.Wait()
		require.EqualValues(t, 2, calls.Load())

		c.Freeze()
		c.SetSpeed(1)
		at := passed()
		time.Sleep(time.Second)
		require.Equal(t, at, passed(), "it is frozen")
		c.Resume()
		time.Sleep(time.Second)
		require.Equal(t, at+time.Second, passed())
	})
}

// A timer that is due in thousands of years of real time does not keep the machine busy.
func TestOffset_SetSpeed_SlowWithDistantTimer(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		timer := c.AfterFunc(200*365*24*time.Hour, func() { t.Error("it is not due") })
		c.SetSpeed(1e-6)
		time.Sleep(1000 * time.Hour)
		require.Equal(t, 3600*time.Millisecond, passed().Round(time.Microsecond))
		timer.Stop()
	})
}

func TestOffset_Set_EndsAtTheLastTime(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		c.Freeze()
		c.Set(time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC))
		require.Equal(t, last.UnixNano(), c.Now().UnixNano())
		c.Advance(time.Hour)
		require.Equal(t, last.UnixNano(), c.Now().UnixNano())
	})
}

func TestOffset_SetSpeed_OutOfRange(t *testing.T) {
	c := NewOffset(Real{})
	for _, factor := range []float64{0, -1, MaxSpeed + 1} {
		require.Panics(t, func() { c.SetSpeed(factor) })
	}
}
