package luaeval

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Why a script was stopped from outside.
var (
	errKilled  = errors.New("Script killed by user with SCRIPT KILL...")
	errStopped = errors.New("Script stopped: the server is shutting down")
)

// What Kill answers when there is nothing to kill.
var (
	ErrNotBusy    = errors.New("NOTBUSY No scripts in execution right now.")
	ErrUnkillable = errors.New("UNKILLABLE Sorry the script already executed write commands against the dataset. " +
		"You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.")
)

// running is the scripts that run at this moment. A script takes a place on entering; what is beyond the places runs
// unwatched.
type running struct {
	places [64]place
	seen   [64]sighting // of the watch alone
	busy   atomic.Pointer[Overdue]
	ending atomic.Bool // no script may run any more

	mu    sync.Mutex    // guards begun, and the change of busy from nil
	begun chan struct{} // closed when busy is no longer nil; nil until somebody waits for that
}

// closed is a channel that is.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// whenBusy returns a channel that is closed when there is an overdue script.
func (r *running) whenBusy() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy.Load() != nil {
		return closed
	}
	if r.begun == nil {
		r.begun = make(chan struct{})
	}
	return r.begun
}

func (r *running) setBusy(o *Overdue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy.Store(o)
	if o != nil && r.begun != nil {
		close(r.begun)
		r.begun = nil
	}
}

// place is where a running script shows its state. Each has a cache line, as scripts come and go side by side.
type place struct {
	atomic.Pointer[state]
	_ [56]byte
}

// Overdue is a script or function that has run for longer than the threshold.
type Overdue struct {
	Function string    // its name; empty for a script
	Words    []string  // of the command that runs it
	Since    time.Time // when it was first seen
}

// sighting is when the watch first saw a run.
type sighting struct {
	state *state
	run   uint64
	since time.Time
	heap  heap // as it was then
}

// enter takes a place for a state that begins to run a script.
func (r *running) enter(st *state) {
	for range r.places {
		if r.places[st.place].CompareAndSwap(nil, st) {
			return
		}
		st.place = (st.place + 1) % len(r.places)
	}
}

// leave gives the place back. Who was refused because of this script is served again at once.
func (r *running) leave(st *state) {
	r.places[st.place].CompareAndSwap(st, nil)
	if r.busy.Load() != nil {
		r.busy.Store(nil)
	}
}

// each calls f with the states that run a script.
func (r *running) each(f func(place int, st *state)) {
	for i := range r.places {
		if st := r.places[i].Load(); st != nil {
			f(i, st)
		}
	}
}

// Watch is called every few milliseconds by one goroutine while scripts may be running. It finds those that have run
// for longer than the threshold (busy-reply-threshold), ends those that hold too much memory, and reports whether any
// runs at all.
func (e *Engine) Watch(now time.Time, threshold time.Duration) (active bool) {
	var busy *Overdue
	ended := func() bool { return false } // the overdue run has
	heap := heap{}
	e.running.each(func(i int, st *state) {
		if !active {
			active, heap = true, readHeap()
		}
		s := &e.running.seen[i]
		if run := st.runs.Load(); s.state != st || s.run != run {
			*s = sighting{st, run, now, heap}
		}
		s.heap = s.heap.least(heap)
		if busy == nil && threshold > 0 && now.Sub(s.since) >= threshold {
			busy, ended = st.overdue(s.since), e.running.ends(i, st)
		}
	})
	if (busy == nil) != (e.running.busy.Load() == nil) {
		e.running.setBusy(busy)
		if ended() { // before leave could see that it is overdue
			e.running.busy.Store(nil)
		}
	}
	if active {
		e.guardMemory(now, heap)
	}
	return active
}

// overdue describes the run for others, nil if it has just ended.
func (st *state) overdue(since time.Time) *Overdue {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.caller == nil {
		return nil
	}
	return &Overdue{Function: st.function, Words: st.caller.Words(), Since: since}
}

// Busy returns a script that has been running for longer than the threshold, while which other clients are refused; nil
// if there is none.
func (e *Engine) Busy() *Overdue { return e.running.busy.Load() }

// WhenBusy returns a channel that is closed when a script has run for longer than the threshold. It is safe for
// concurrent use.
func (e *Engine) WhenBusy() <-chan struct{} { return e.running.whenBusy() }

// Kill ends what has run for longer than the threshold (SCRIPT KILL and FUNCTION KILL command pages), and waits for
// that end, so that the caller is served next. A script that has written is not killed: that would leave half of its
// work.
func (e *Engine) Kill() error {
	err, busy := ErrNotBusy, e.Busy()
	if busy == nil {
		return err
	}
	var ended []func() bool
	e.running.each(func(i int, st *state) {
		end := e.running.ends(i, st)
		switch killed := st.stop(errKilled, false); {
		case killed:
			err = nil
			ended = append(ended, end)
		case err != nil:
			err = ErrUnkillable
		}
	})
	for _, end := range ended {
		waitUntil(func() bool { return end() && e.Busy() != busy })
	}
	return err
}

// AwaitBusy waits until the scripts that run have ended, or one of them has run for longer than the threshold: Redis,
// which runs one at a time, does not look at SCRIPT KILL before either.
func (e *Engine) AwaitBusy() {
	e.running.each(func(i int, st *state) {
		end := e.running.ends(i, st)
		waitUntil(func() bool { return e.Busy() != nil || end() })
	})
}

// ends returns a function that reports whether what a state runs now, at a place, has ended.
func (r *running) ends(place int, st *state) func() bool {
	run := st.runs.Load()
	return func() bool { return st.runs.Load() != run || r.places[place].Load() != st }
}

// waitUntil looks again and again: what is waited for is over soon, or takes long.
func waitUntil(holds func() bool) {
	for !holds() {
		time.Sleep(killPoll) //nolint:forbidigo // scripts run in real time
	}
}

const killPoll = 500 * time.Microsecond

// Stop ends all scripts, whatever they have done. The server that calls it is about to end.
func (e *Engine) Stop() {
	e.running.ending.Store(true)
	e.running.each(func(_ int, st *state) { st.stop(errStopped, true) })
}

// stop makes the script that the state runs end with reason, unless it has written and force is not set.
func (st *state) stop(reason error, force bool) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.caller == nil || !st.caller.Kill() && !force {
		return false
	}
	st.machine.Stop(reason)
	return true
}
