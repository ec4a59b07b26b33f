package luaeval

import (
	"errors"
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

// Watch is called every few milliseconds by one goroutine while scripts may be running. It finds those that have run for
// longer than the threshold (busy-reply-threshold), ends those that hold too much memory, and reports whether any runs at all.
func (e *Engine) Watch(now time.Time, threshold time.Duration) (active bool) {
	var busy *Overdue
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
		if busy == nil && now.Sub(s.since) >= threshold {
			busy = st.overdue(s.since)
		}
	})
	if (busy == nil) != (e.running.busy.Load() == nil) {
		e.running.busy.Store(busy)
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

// Busy returns a script that has been running for longer than the threshold, while which other clients are refused; nil if
// there is none.
func (e *Engine) Busy() *Overdue { return e.running.busy.Load() }

// Kill ends what has run for longer than the threshold (SCRIPT KILL and FUNCTION KILL command pages). A script that has
// written is not killed: that would leave half of its work.
func (e *Engine) Kill() error {
	err := ErrNotBusy
	if e.Busy() == nil {
		return err
	}
	e.running.each(func(_ int, st *state) {
		switch killed := st.stop(errKilled, false); {
		case killed:
			err = nil
		case err != nil:
			err = ErrUnkillable
		}
	})
	return err
}

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
