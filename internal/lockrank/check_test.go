//go:build lockrank

package lockrank

import (
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// reports is what the check says of what a goroutine does.
func reports(f func()) (report string) {
	defer func(was func(string)) { fail = was }(fail)
	fail = func(report string) { panic(report) }
	var done sync.WaitGroup
	done.Go(func() {
		defer func() {
			heldByCaller().locks = nil
			if r := recover(); r != nil {
				report = r.(string)
			}
		}()
		f()
	})
	done.Wait()
	return report
}

func lockPubSub(m *RWMutex[PubSub]) { m.RLock() }
func lockOutbox(m *Mutex[Outbox])   { m.Lock() }

// A wrong order is reported with the name of each mutex and where it was locked.
func TestMutex_WrongOrder(t *testing.T) {
	var pubSub RWMutex[PubSub]
	var outbox Mutex[Outbox]
	require.Empty(t, reports(func() {
		lockPubSub(&pubSub)
		lockOutbox(&outbox)
		outbox.Unlock()
		pubSub.RUnlock()
	}))
	report := reports(func() {
		lockOutbox(&outbox)
		lockPubSub(&pubSub)
	})
	const frame = "\n\tgithub.com/minilockd/minilockd/internal/lockrank."
	require.Contains(t, report, "PubSub is to be locked here"+frame+"lockPubSub")
	require.Contains(t, report, "while Outbox is held, which was locked here"+frame+"lockOutbox")
}

func TestMutex_SameRank(t *testing.T) {
	var a, b Mutex[Outbox]
	require.Contains(t, reports(func() { a.Lock(); b.Lock() }), "while Outbox is held")
	shards := new([2]Mutex[Shard])
	require.Contains(t, reports(func() { shards[1].Lock(); shards[0].Lock() }), "while Shard is held")
	shards = new([2]Mutex[Shard])
	require.Empty(t, reports(func() { shards[0].Lock(); shards[1].Lock() }))
}

// What does not wait may be out of order, but it counts as held.
func TestMutex_TryLock(t *testing.T) {
	var shard Mutex[Shard]
	var call Mutex[BlockedCall]
	require.Empty(t, reports(func() {
		call.Lock()
		require.True(t, shard.TryLock())
		require.False(t, shard.TryLock())
		shard.Unlock()
		call.Unlock()
	}))
	require.Contains(t, reports(func() { shard.TryLock(); shard.Lock() }), "while Shard is held")
}

func TestMutex_UnlockedByAnother(t *testing.T) {
	var m Mutex[Clock]
	m.Lock()
	require.Contains(t, reports(m.Unlock), "Clock is unlocked by a goroutine that has not locked it")
	m.Unlock()
}

// unknown is a rank that is not in the order.
type unknown struct{ place }

func TestMutex_UnknownRank(t *testing.T) {
	require.Contains(t, reports(func() { Waits[unknown](t) }), "unknown is not in the order")
}
