package clock

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// inBubble runs a test with a clock whose time begins with the bubble's.
func inBubble(t *testing.T, test func(t *testing.T, c *Offset, passed func() time.Duration)) {
	synctest.Test(t, func(t *testing.T) {
		c := NewOffset(Real{})
		start := c.Now()
		test(t, c, func() time.Duration { return c.Now().Sub(start) })
	})
}

func TestAdvance_GoesFromTimerToTimer(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var moments []time.Duration
		note := func() { moments = append(moments, passed()) }
		c.AfterFunc(3*time.Second, note)
		c.AfterFunc(time.Second, note)
		var again Timer
		again = c.AfterFunc(2*time.Second, func() {
			note()
			if len(moments) < 6 {
				again.Reset(2 * time.Second)
			}
		})
		c.AfterFunc(time.Hour, note)
		c.Advance(time.Minute)
		s := time.Second
		require.Equal(t, []time.Duration{s, 2 * s, 3 * s, 4 * s, 6 * s, 8 * s}, moments)
		require.Equal(t, time.Minute, passed())
		time.Sleep(time.Second)
		require.Equal(t, time.Minute+s, passed(), "it runs on")
		c.Advance(200 * 365 * 24 * time.Hour)
		require.Equal(t, time.Hour, moments[len(moments)-1])
		require.Len(t, moments, 7)
	})
}

func TestAdvance_SameTimeInTheOrderOfBeingSet(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, _ func() time.Duration) {
		var order []int
		for i := range 50 {
			c.AfterFunc(time.Second, func() { order = append(order, i) })
		}
		c.Advance(time.Second)
		for i := range 50 {
			require.Equal(t, i, order[i])
		}
	})
}

func TestAdvance_StandsStillWhileWorkGoesOn(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var ended time.Duration
		c.AfterFunc(time.Second, func() {
			done := Hold(c)
			go func() {
				defer done()
				time.Sleep(time.Second) // of real time
				ended = passed()
			}()
		})
		c.AfterFunc(1500*time.Millisecond, func() { require.Equal(t, time.Second, ended) })
		c.Advance(10 * time.Second)
		require.Equal(t, time.Second, ended)
		require.Equal(t, 10*time.Second, passed(), "to the nanosecond, whatever it took")
	})
}

func TestAdvance_WaitsForWhatStartedBeforeIt(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var ended time.Duration
		c.AfterFunc(time.Second, func() {
			time.Sleep(time.Second)
			ended = passed()
		})
		time.Sleep(1500 * time.Millisecond)
		c.Advance(time.Hour)
		require.Equal(t, 1500*time.Millisecond, ended)
	})
}

func TestAdvance_GivesUpOnWorkThatDoesNotEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		forever := make(chan struct{})
		defer close(forever)
		for range 100 {
			c.AfterFunc(time.Second, func() { <-forever })
		}
		ends := 0
		c.AfterFunc(2*time.Second, func() { ends++ })
		realTime := time.Now()
		c.Advance(10 * time.Second)
		require.Less(t, time.Since(realTime), 7*time.Second, "two seconds, then one, …")
		require.Equal(t, 10*time.Second, passed())
		require.Equal(t, 1, ends)
		realTime = time.Now()
		c.Advance(time.Hour)
		require.Zero(t, time.Since(realTime), "Advance does not wait for it any more")
	})
}

func TestAdvance_WithinATimerEnds(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		inner := make(chan struct{})
		c.AfterFunc(time.Second, func() {
			c.Advance(time.Hour)
			close(inner)
		})
		c.Advance(time.Minute)
		<-inner
		require.Equal(t, time.Hour+time.Minute, passed())
	})
}

func TestAdvance_TakesTurns(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var fired atomic.Int64
		var all sync.WaitGroup
		for range 20 {
			c.AfterFunc(20*time.Second, func() { fired.Add(1) })
		}
		for range 20 {
			all.Go(func() { c.Advance(time.Second) })
		}
		all.Wait()
		require.Equal(t, 20*time.Second, passed())
		require.EqualValues(t, 20, fired.Load())
	})
}

func TestAt_IsExactOnAClockThatIsMoved(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Offset, passed func() time.Duration) {
		var moments []time.Duration
		at := c.Now().Add(time.Second)
		timer := At(c, nil, at, func() { moments = append(moments, passed()) })
		c.Advance(5 * time.Second)
		At(c, timer, at.Add(9*time.Second), nil)
		c.Advance(5 * time.Second)
		At(c, timer, at, nil) // has passed
		c.Advance(0)
		require.Equal(t, []time.Duration{time.Second, 10 * time.Second, 10 * time.Second}, moments)
	})
}

func TestAt_OnTheMachinesClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Clock = Real{}
		start := time.Now()
		fired := make(chan time.Duration, 2)
		timer := At(c, nil, c.Now().Add(time.Second), func() { fired <- time.Since(start) })
		require.Equal(t, time.Second, <-fired)
		At(c, timer, c.Now().Add(time.Second), nil)
		require.Equal(t, 2*time.Second, <-fired)
		Hold(c)() // it is not advanced
	})
}

// What a jump costs for each timer on its way.
func BenchmarkOffset_Advance(b *testing.B) {
	c := NewOffset(Real{})
	for b.Loop() {
		c.AfterFunc(time.Second, func() {})
		c.Advance(time.Second)
	}
}
