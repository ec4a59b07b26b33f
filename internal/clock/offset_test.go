package clock

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func TestOffset_RunsOnAndCanBeAdvanced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewOffset(Real{})
		start := c.Now()
		time.Sleep(time.Second)
		require.Equal(t, time.Second, c.Now().Sub(start))
		c.Advance(time.Hour)
		require.Equal(t, time.Hour+time.Second, c.Now().Sub(start))
		require.Panics(t, func() { c.Advance(-1) })
	})
}

func TestOffset_AfterFunc_FiresOnceWhenItsTimeComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewOffset(Real{})
		var fired atomic.Int32
		timer := c.AfterFunc(10*time.Second, func() { fired.Add(1) })
		time.Sleep(4 * time.Second)
		c.Advance(5 * time.Second)
		synctest.Wait()
		require.Zero(t, fired.Load(), "a second is left")
		time.Sleep(time.Second)
		synctest.Wait()
		require.EqualValues(t, 1, fired.Load())

		timer.Reset(time.Second)
		c.Advance(time.Second)
		synctest.Wait()
		require.EqualValues(t, 2, fired.Load())
		c.Advance(time.Hour)
		synctest.Wait()
		require.EqualValues(t, 2, fired.Load())
	})
}

func TestOffset_Timer_Stop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewOffset(Real{})
		timer := c.AfterFunc(time.Second, func() { t.Error("a stopped timer has fired") })
		timer.Stop()
		c.Advance(time.Minute)
		time.Sleep(time.Minute)
		synctest.Wait()
	})
}

func BenchmarkOffset_Now(b *testing.B) {
	c := NewOffset(Real{})
	for b.Loop() {
		_ = c.Now()
	}
}

// A blocked command sets a timer, and stops it when it is served.
func BenchmarkOffset_AfterFunc_Stop(b *testing.B) {
	c := NewOffset(Real{})
	others := make([]Timer, 1000)
	for i := range others {
		others[i] = c.AfterFunc(time.Hour, func() {})
	}
	for b.Loop() {
		c.AfterFunc(time.Minute, func() {}).Stop()
	}
	for _, t := range others {
		t.Stop()
	}
}
