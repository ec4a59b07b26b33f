package lock_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// eventLog records the events of an observer.
type eventLog struct {
	mu    sync.Mutex
	lines []string
}

func (d *eventLog) write(what string, e lock.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, what+" "+e.Kind+" "+e.Name)
}

func (d *eventLog) Waited(_ context.Context, e lock.Event)   { d.write("waited", e) }
func (d *eventLog) Acquired(_ context.Context, e lock.Event) { d.write("acquired", e) }
func (d *eventLog) Renewed(_ context.Context, e lock.Event)  { d.write("renewed", e) }
func (d *eventLog) Released(_ context.Context, e lock.Event) { d.write("released", e) }
func (d *eventLog) Lost(_ context.Context, e lock.Event)     { d.write("lost", e) }

func (d *eventLog) has(line string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Contains(d.lines, line)
}

func TestObserver_GetsAllEvents(t *testing.T) {
	r, seen := newTestServer(t), new(eventLog)
	c := r.client(lock.WithObserver(seen))
	m := c.RWMutex("m")
	h, err := m.RLock(ctx)
	require.NoError(t, err)
	r.srv.Advance(10 * time.Second)
	r.eventually("renewed", func() bool { return seen.has("renewed read lock m") })
	_, err = m.Lock(ctx, lock.WithWait(time.Millisecond))
	require.ErrorIs(t, err, lock.ErrTimeout)
	require.NoError(t, h.Unlock(ctx))
	_, err = m.Lock(ctx, lock.Lease(time.Second))
	require.NoError(t, err)
	r.srv.Advance(time.Second)
	r.eventually("lost", func() bool { return seen.has("lost write lock m") })
	require.Equal(t, []string{"acquired read lock m", "renewed read lock m", "waited write lock m", "released read lock m",
		"acquired write lock m", "lost write lock m"}, seen.lines)
}

func TestWithLogger_WarnsOfWhatIsLost(t *testing.T) {
	r := newTestServer(t)
	var out bytes.Buffer
	c := r.client(lock.WithLogger(slog.New(slog.NewTextHandler(&out, nil))))
	m := c.Mutex("m")
	h, err := m.Lock(ctx)
	require.NoError(t, err)
	_, err = m.ForceUnlock(ctx)
	require.NoError(t, err)
	require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	require.NoError(t, c.Close())
	require.Equal(t, 1, strings.Count(out.String(), "\n"), out.String())
	require.Contains(t, out.String(), `level=WARN msg="lock lost" kind=lock lock=m owner=`+h.Owner())
}
