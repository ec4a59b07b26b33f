package lock_test

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// Close returns when no call has a timer any more: a clock that is discarded then has none left.
func TestClient_Close_LeavesNoTimers(t *testing.T) {
	for name, make := range map[string]func(*lock.Client, string) lock.Locker{
		"messages": func(c *lock.Client, name string) lock.Locker { return c.Mutex(name) },
		"polling":  func(c *lock.Client, name string) lock.Locker { return c.SpinMutex(name) },
	} {
		t.Run(name, func(t *testing.T) {
			const locks = 50
			r := newTestServer(t)
			holder := r.client()
			own := &counting{Offset: clock.NewOffset(clock.Real{})}
			c := lock.New(r.dial(), lock.WithClock(own))
			var ended []<-chan error
			for i := range locks {
				name := fmt.Sprint("m", i)
				_, err := holder.Mutex(name).Lock(ctx)
				require.NoError(t, err)
				ended = append(ended, async(func() error { _, err := make(c, name).Lock(ctx); return err }))
			}
			r.eventually("all sleep", func() bool { return own.made.Load() >= locks })
			require.NoError(t, c.Close())
			require.Zero(t, own.PendingTimers())
			for _, err := range ended {
				require.ErrorIs(t, await(t, err), lock.ErrClosed)
			}
		})
	}
}
