package clock

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func TestExclusive_Restore(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var calls moments
		c.AfterFunc(time.Minute, func() { calls.add(passed()) })
		c.SetSpeed(2)
		c.Freeze()
		var saved State
		c.Exclusive(func(c Changing) { saved = c.State() })
		require.True(t, saved.Frozen)
		require.Equal(t, 2.0, saved.Speed)

		c.SetSpeed(1)
		c.Resume()
		c.Advance(time.Hour)
		require.Equal(t, []time.Duration{time.Minute}, calls.all())
		c.AfterFunc(0, func() { calls.add(passed()) })
		synctest.Wait()
		c.AfterFunc(time.Minute, func() { calls.add(passed()) }) // is due at 1h1m
		c.Exclusive(func(c Changing) { c.Restore(saved) })
		require.Zero(t, passed())
		time.Sleep(time.Hour)
		require.Zero(t, passed(), "it is frozen")
		c.Resume()
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, 2*time.Hour, passed(), "it runs twice as fast")
		require.Equal(t, []time.Duration{time.Minute, time.Hour, time.Hour + time.Minute}, calls.all())
	})
}

// What is due between now and a later state is called soon after, also if the clock stands still then.
func TestExclusive_RestoreALaterState(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var calls moments
		later := State{At: c.Now().Add(time.Hour), Frozen: true, Speed: 1}
		c.AfterFunc(time.Minute, func() { calls.add(passed()) })
		c.Exclusive(func(c Changing) {
			c.Restore(later)
			require.Empty(t, calls.all())
		})
		synctest.Wait()
		require.Equal(t, []time.Duration{time.Hour}, calls.all())
	})
}

func TestExclusive_Reset(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, _ func() time.Duration) {
		c.Freeze()
		c.SetSpeed(3)
		c.Advance(time.Hour)
		var called bool
		c.AfterFunc(time.Second, func() { called = true })
		time.Sleep(time.Minute)
		c.Exclusive(Changing.Reset)
		require.Equal(t, time.Now().UnixNano(), c.Now().UnixNano())
		time.Sleep(time.Hour)
		synctest.Wait()
		require.True(t, called)
		require.Equal(t, time.Now().UnixNano(), c.Now().UnixNano())
	})
}
