package clock

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// agree is how far the clock may be off, by what passes between two looks on a busy machine.
const agree = time.Minute

func TestReal_Now_TellsTheTimeOfTheMachine(t *testing.T) {
	for range 3 {
		before := time.Now()
		now := Real{}.Now()
		after := time.Now()
		require.False(t, now.Before(before), "by the monotonic clock")
		require.False(t, now.After(after))
		require.WithinDuration(t, after.Round(0), now.Round(0), agree, "by the wall clock")
		ref.Store(nil)
	}
}

func TestReal_Now_TellsTheTimeOfABubble(t *testing.T) {
	_ = Real{}.Now()
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			for range 5 {
				require.Equal(t, time.Now(), Real{}.Now())
				time.Sleep(refMaxAge / 2)
			}
		})
	}
	require.WithinDuration(t, time.Now().Round(0), Real{}.Now().Round(0), agree)
}

func BenchmarkReal_Now(b *testing.B) {
	for b.Loop() {
		_ = Real{}.Now()
	}
}
