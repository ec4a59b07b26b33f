package lock_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// bug is a deliberate bug in the clients of a schedule, which the checker must find.
type bug int

const (
	flawless       bug = iota
	ignoresLoss        // continues when its lease is lost
	freesOthers        // unlocks with DEL, no matter who holds the lock
	forgetsCounter     // sometimes deletes the counter of the tokens
)

// schedule is one run of clients that compete for one lock on a faulty network. All random choices come from its seed,
// except the order in which the runtime runs goroutines that are ready in the same instant.
type schedule struct {
	t       *testing.T
	kind    string
	bug     bug
	seed    uint64
	net     *network
	srv     *server.Server
	history *history
}

const (
	actors  = 3
	rounds  = 6
	leaseOf = 900 * time.Millisecond
)

// skewed is a clock with an offset and the same speed.
type skewed struct {
	clock.Real
	by time.Duration
}

func (c skewed) Now() time.Time { return c.Real.Now().Add(c.by) }

// run runs the schedule in a new bubble and returns the result of the checker.
func (s *schedule) run(t *testing.T) (result porcupine.CheckResult) {
	synctest.Test(t, func(t *testing.T) {
		s.t, s.net, s.history = t, newNetwork(), newHistory()
		srv, err := server.Start(context.Background(), server.Options{Listener: s.net})
		require.NoError(t, err)
		s.srv = srv
		defer srv.Close()
		var all sync.WaitGroup
		for i := range uint64(actors) {
			all.Go(func() { s.actor(i) })
		}
		all.Wait()
		s.free()
		result = s.history.check()
	})
	return result
}

// free asserts that the lock can be taken in the end: what faults have left behind expires. The places in the queue of
// a fair lock take minutes for that.
func (s *schedule) free() {
	w := newWire(s.net, 0, 0, faultRates{latency: time.Microsecond})
	rdb := s.dial(w)
	defer rdb.Close()
	c := lock.New(rdb)
	defer c.Close()
	for range 2 { // the second one removes what has expired by then
		bounded, cancel := context.WithTimeout(ctx, time.Hour)
		h, err := s.locker(c, false).Lock(bounded)
		cancel()
		require.NoError(s.t, err, "%s: seed %d: the lock can no longer be had", s.kind, s.seed)
		require.NoError(s.t, h.Unlock(ctx))
		time.Sleep(time.Hour)
	}
	keys := slices.DeleteFunc(rdb.Keys(ctx, "*").Val(), func(key string) bool { return key == tokens })
	require.Empty(s.t, keys, "%s: seed %d: keys are left", s.kind, s.seed)
}

// tokens is the counter of a fenced lock, which remains.
const tokens = "redisson_lock_token:{x}"

func (s *schedule) dial(w *wire) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: "memory:0", Dialer: w.dial, PoolSize: 4,
		ReadTimeout:  250 * time.Millisecond,
		WriteTimeout: 250 * time.Millisecond, DialTimeout: 250 * time.Millisecond, PoolTimeout: 250 * time.Millisecond,
		DisableIdentity: true, MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		MinRetryBackoff: time.Millisecond, MaxRetryBackoff: 20 * time.Millisecond})
}

// locker returns the lock of the schedule.
func (s *schedule) locker(c *lock.Client, read bool) lock.Locker {
	switch s.kind {
	case "fair":
		return c.FairMutex("x")
	case "fenced":
		return c.FencedMutex("x")
	case "read-write":
		if read {
			return c.RWMutex("x").RLocker()
		}
		return c.RWMutex("x")
	}
	return c.Mutex("x")
}

// actor is one process: a client with its own wire.
func (s *schedule) actor(i uint64) {
	rng := rand.New(rand.NewPCG(s.seed, 1000+i))
	w := newWire(s.net, s.seed, i, faultRates{lostRequest: rng.IntN(60), lostReply: rng.IntN(60), stall: rng.IntN(40),
		latency: time.Duration(1+rng.IntN(20)*rng.IntN(2)*1000) * time.Microsecond, delay: 3 * time.Second})
	rdb := s.dial(w)
	defer rdb.Close()
	options := []lock.Option{lock.WithWatchdog(leaseOf)}
	if s.kind != "fair" { // the places in the queue of a fair lock are times on the clients' clocks
		options = append(options, lock.WithClock(skewed{by: time.Duration(rng.Int64N(int64(time.Hour)))}))
	}
	c := lock.New(rdb, options...)
	defer c.Close()
	defer w.removeFaults()
	for range rounds {
		time.Sleep(time.Duration(rng.Int64N(int64(200 * time.Millisecond))))
		stop := s.scheduleOutage(w, rng)
		s.round(int(i), c, rdb, rng)
		stop()
	}
}

// scheduleOutage may take the network down for a while, after a random time.
func (s *schedule) scheduleOutage(w *wire, rng *rand.Rand) (stop func()) {
	if rng.IntN(3) > 0 {
		return func() {}
	}
	begin := time.Duration(rng.Int64N(int64(leaseOf)))
	length := time.Duration(rng.Int64N(int64(2 * leaseOf)))
	down := time.AfterFunc(begin, func() { w.cut(true) })
	up := time.AfterFunc(begin+length, func() { w.cut(false) })
	return func() {
		down.Stop()
		up.Stop()
		w.cut(false)
	}
}

// round tries to take the lock once, works, and releases it. All readers have the same lease: see RWMutex.
func (s *schedule) round(client int, c *lock.Client, rdb *redis.Client, rng *rand.Rand) {
	in := step{read: s.kind == "read-write" && rng.IntN(2) == 0, fencedKind: s.kind == "fenced"}
	bounded, cancel := context.WithTimeout(ctx, time.Duration(1+rng.Int64N(int64(4*leaseOf))))
	defer cancel()
	var options []lock.LockOption
	if rng.IntN(2) == 0 && s.kind != "read-write" {
		options = append(options, lock.Lease(time.Duration(50+rng.IntN(1000))*time.Millisecond))
	}
	take := s.locker(c, in.read).Lock
	if rng.IntN(4) == 0 {
		take = s.locker(c, in.read).TryLock
	}
	started := s.history.now()
	h, err := take(bounded, options...)
	had := s.history.now()
	if err != nil {
		return
	}
	in.token = h.Token()
	until := s.work(h, time.Duration(rng.Int64N(int64(2*leaseOf))), rng)
	over := s.unlock(h, rdb, rng)
	s.history.holding(client, in, started, had, until, over)
}

// work holds the lock for d, or until it is lost, and returns until when it assumed that it holds.
func (s *schedule) work(h *lock.Handle, d time.Duration, rng *rand.Rand) int64 {
	lost := make(chan int64, 1)
	stop := context.AfterFunc(h.Context(), func() { lost <- s.history.instant() })
	timer := time.NewTimer(d)
	defer timer.Stop()
	if rng.IntN(4) == 0 && s.kind != "read-write" {
		_ = h.Extend(ctx, time.Duration(50+rng.IntN(1000))*time.Millisecond)
	}
	if s.bug == ignoresLoss {
		<-timer.C
		return s.history.now()
	}
	select {
	case <-timer.C:
		if stop() {
			return s.history.now()
		}
		return <-lost
	case until := <-lost:
		return until
	}
}

// unlock releases the lock and returns when that was certainly done.
func (s *schedule) unlock(h *lock.Handle, rdb *redis.Client, rng *rand.Rand) int64 {
	switch {
	case s.bug == freesOthers:
		_ = h.Unlock(ctx)
		_ = rdb.Del(ctx, "x").Err()
	case s.bug == forgetsCounter && rng.IntN(3) == 0:
		_ = rdb.Del(ctx, tokens).Err()
	}
	err := h.Unlock(ctx)
	if errors.Is(err, lock.ErrUnavailable) && rng.IntN(2) == 0 {
		err = h.Unlock(ctx)
	}
	if err != nil {
		return never
	}
	return s.history.now()
}

// schedules returns the number of schedules of each kind.
func schedules() uint64 {
	if !testenv.Long() || raceEnabled {
		return 75
	}
	return 600
}

func TestSchedules_ExcludeWithinTheLease(t *testing.T) {
	for _, kind := range []string{"plain", "fenced", "fair", "read-write"} {
		t.Run(kind, func(t *testing.T) {
			holdings := 0
			for seed := range schedules() {
				s := &schedule{kind: kind, seed: seed}
				require.Equal(t, porcupine.Ok, s.run(t), "seed %d:\n%s", seed, s.history)
				holdings += len(s.history.ops) / 2
			}
			require.Greater(t, holdings, int(schedules())*actors, "most rounds come to nothing")
			t.Logf("%d schedules, %d holdings", schedules(), holdings)
		})
	}
}

// The checker must find each deliberate bug within some schedules.
func TestSchedules_FindPlantedFlaws(t *testing.T) {
	for name, planted := range map[string]schedule{
		"a client that works on without its lease":  {kind: "plain", bug: ignoresLoss},
		"a reader that does":                        {kind: "read-write", bug: ignoresLoss},
		"an unlock that does not look at the owner": {kind: "plain", bug: freesOthers},
		"tokens that begin anew":                    {kind: "fenced", bug: forgetsCounter},
	} {
		t.Run(name, func(t *testing.T) {
			const most = 100
			for seed := range uint64(most) {
				s := planted
				s.seed = seed
				if s.run(t) == porcupine.Illegal {
					t.Logf("found by seed %d", seed)
					return
				}
			}
			require.Fail(t, "not found", "%d schedules", most)
		})
	}
}

// String returns the history in the order of time, for failure messages.
func (h *history) String() string {
	out := ""
	for _, o := range h.ops {
		out += fmt.Sprintf("client %d %v: %v..%v\n", o.ClientId, o.Input, moment(o.Call), moment(o.Return))
	}
	return out
}

func moment(m int64) string {
	if m == never {
		return "?"
	}
	return fmt.Sprintf("%v#%d", time.Duration(m/perInstant)*time.Microsecond, m%perInstant)
}
