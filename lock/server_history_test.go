package lock_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/locks"
)

// seenHold is what a client knows of one hold: that it was taken, and how it ended.
type seenHold struct {
	lock, owner string
	certain     bool  // the number of its holds is known
	unlock      error // nil if Unlock has succeeded
}

// historyRun lets clients take random locks while faults happen and the clock jumps, and compares what they saw with
// the history of the server.
type historyRun struct {
	*testServer
	mu    sync.Mutex
	holds []seenHold
}

// openers are the kinds of lock, by name.
var openers = []struct {
	kind string
	read bool
	open func(c *lock.Client, name string) func(context.Context, ...lock.LockOption) (*lock.Handle, error)
}{
	{"m", false, func(c *lock.Client, n string) func(context.Context, ...lock.LockOption) (*lock.Handle, error) {
		return c.Mutex(n).Lock
	}},
	{"f", false, func(c *lock.Client, n string) func(context.Context, ...lock.LockOption) (*lock.Handle, error) {
		return c.FairMutex(n).Lock
	}},
	{"s", false, func(c *lock.Client, n string) func(context.Context, ...lock.LockOption) (*lock.Handle, error) {
		return c.SpinMutex(n).Lock
	}},
	{"n", false, func(c *lock.Client, n string) func(context.Context, ...lock.LockOption) (*lock.Handle, error) {
		return c.FencedMutex(n).Lock
	}},
	{"rw", false, func(c *lock.Client, n string) func(context.Context, ...lock.LockOption) (*lock.Handle, error) {
		return c.RWMutex(n).Lock
	}},
	{"rw", true, func(c *lock.Client, n string) func(context.Context, ...lock.LockOption) (*lock.Handle, error) {
		return c.RWMutex(n).RLock
	}},
}

func TestServerHistory_IsWhatClientsSaw(t *testing.T) {
	const clients = 50
	rounds := 6
	if testenv.Long() {
		rounds = 20
	}
	r := &historyRun{testServer: newTestServer(t)}
	r.srv.Locks().Track(1_000_000)
	for _, action := range []fault.Action{fault.LoseReply(), fault.Close(), fault.Error("TRYAGAIN"),
		fault.DelayBetween(0, 5*time.Millisecond).OnRealTime()} {
		r.srv.Faults().Add(fault.Rule{Command: "evalsha", Probability: 0.02, Seed: 1, Action: action})
	}
	var wg sync.WaitGroup
	var working atomic.Int64
	working.Store(clients)
	for i := range clients {
		c := r.client()
		wg.Go(func() {
			defer working.Add(-1)
			r.work(c, rand.New(rand.NewPCG(uint64(i), 1)), rounds)
		})
	}
	random := rand.New(rand.NewPCG(7, 7))
	for working.Load() > 0 {
		r.srv.Advance(time.Duration(random.IntN(100)) * time.Millisecond)
	}
	wg.Wait()
	r.srv.Advance(time.Hour) // what was taken without the client's knowledge lapses
	events := r.srv.Locks().History("")
	require.Equal(t, porcupine.Ok, checkEvents(events))
	r.compare(events)
	t.Logf("%d events, %d holds", len(events), len(r.holds))
	for _, rule := range r.srv.Faults().List() {
		require.True(t, rule.Hits > 0, rule.Rule.Action.String())
	}
}

// work takes random locks and releases them, some with a lease so short that it may lapse.
func (r *historyRun) work(c *lock.Client, random *rand.Rand, rounds int) {
	for range rounds {
		o := openers[random.IntN(len(openers))]
		name := fmt.Sprint(o.kind, random.IntN(3))
		options := []lock.LockOption{lock.WithWait(time.Second)}
		if random.IntN(2) == 0 {
			options = append(options, lock.Lease(time.Duration(1+random.IntN(200))*time.Millisecond))
		}
		h, err := o.open(c, name)(ctx, options...)
		if err != nil {
			continue // the server knows better than the client whether it was taken
		}
		owner, certain := h.Owner(), true
		if random.IntN(4) == 0 {
			certain = h.Reenter(ctx) == nil && h.Unlock(ctx) == nil // otherwise it may have one hold more
		}
		err = h.Unlock(ctx)
		r.mu.Lock()
		r.holds = append(r.holds, seenHold{name, owner, certain, err})
		r.mu.Unlock()
	}
}

// lockStep is a step of one of several locks.
type lockStep struct {
	lock string
	step
}

// locksModel is lockModel for each of several locks.
var locksModel = porcupine.Model{
	Partition: func(ops []porcupine.Operation) (parts [][]porcupine.Operation) {
		byLock := make(map[string][]porcupine.Operation)
		for _, op := range ops {
			name := op.Input.(lockStep).lock
			byLock[name] = append(byLock[name], op)
		}
		return slices.Collect(maps.Values(byLock))
	},
	Init:  lockModel.Init,
	Step:  func(state, input, _ any) (bool, any) { return lockModel.Step(state, input.(lockStep).step, nil) },
	Equal: lockModel.Equal,
}

// checkEvents lets porcupine check that no two owners hold a lock at a time, unless both read.
func checkEvents(events []locks.Event) porcupine.CheckResult {
	type holder struct{ lock, owner, mode string }
	var ops []porcupine.Operation
	holding := make(map[holder]int64)
	for i, e := range events {
		k, s := holder{e.Lock, e.Owner, e.Mode}, step{read: e.Mode == "read"}
		switch {
		case e.Type == locks.Taken:
			holding[k], s.holding, s.take = int64(i), int64(i), true
		case e.Holds == 0:
			s.holding = holding[k]
		default:
			continue
		}
		at := int64(i)
		ops = append(ops, porcupine.Operation{Input: lockStep{e.Lock, s}, Call: 2 * at, Return: 2*at + 1})
	}
	return porcupine.CheckOperationsTimeout(locksModel, ops, 0)
}

// A script that does not look whether somebody holds the lock is found.
func TestServerHistory_FindsABrokenLock(t *testing.T) {
	r := newTestServer(t)
	r.srv.Locks().Track(100)
	const broken = `redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 30000)`
	h, err := r.client().Mutex("k").Lock(ctx)
	require.NoError(t, err)
	require.Equal(t, porcupine.Ok, checkEvents(r.srv.Locks().History("k")))
	require.ErrorIs(t, r.rdb.Eval(ctx, broken, []string{"k"}, r.client().ID()+":1").Err(), redis.Nil)
	require.Equal(t, porcupine.Illegal, checkEvents(r.srv.Locks().History("k")))
	require.NoError(t, h.Unlock(ctx))
}

// compare checks each hold that a client saw against the events of its owner, which has no other hold of that lock.
func (r *historyRun) compare(events []locks.Event) {
	byOwner := make(map[string][]locks.Event)
	for _, e := range events {
		byOwner[e.Lock+" "+e.Owner] = append(byOwner[e.Lock+" "+e.Owner], e)
	}
	for _, hold := range r.holds {
		list := byOwner[hold.lock+" "+hold.owner]
		require.True(r.t, len(list) > 0, "%s was taken by %s", hold.lock, hold.owner)
		require.Equal(r.t, locks.Taken, list[0].Type)
		last := list[len(list)-1]
		switch {
		case hold.unlock == nil && hold.certain:
			// Redisson's scripts for these report success, too, if the lock has gone: fair locks always, read and write locks
			// when the unlock is repeated after a lost reply
			lapsed := last.Type == locks.Lapsed && (last.Kind == locks.Fair || last.Kind == locks.ReadWrite)
			require.True(r.t, last.Type == locks.Released || lapsed, "%v", list)
			require.Equal(r.t, int64(0), last.Holds, "%v", list)
		case errors.Is(hold.unlock, lock.ErrLost), errors.Is(hold.unlock, lock.ErrNotHeld):
			require.Equal(r.t, int64(0), last.Holds, "%v", list)
		}
	}
}
