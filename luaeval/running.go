package luaeval

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// Reasons for stopping a script.
var (
	errKilled = errors.New("Script killed by user with SCRIPT KILL...")
	// Of Valkey:
	errScriptKilled   = errors.New("Script killed by user with SCRIPT KILL.")
	errFunctionKilled = errors.New("Script killed by user with FUNCTION KILL.")

	errStopped = errors.New("Script stopped: the server is shutting down")
)

// Errors of Kill if no script can be killed.
var (
	ErrNotBusy    = errors.New("NOTBUSY No scripts in execution right now.")
	ErrUnkillable = errors.New("UNKILLABLE Sorry the script already executed write commands against the dataset. " +
		"You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.")
)

// running is the scripts that run. A script takes a slot when it starts, without a lock, so that scripts on several
// cores do not slow each other down; if all slots are taken, it runs without the watch. The watch only reads the slots:
// it finds a script that has run for too long, and stops one that exceeds the memory limit.
type running struct {
	places [64]slot
	seen   [64]firstSeen // used only by Watch
	busy   atomic.Pointer[BusyScript]
	ending atomic.Bool // no script may start

	mu      lockrank.Mutex[lockrank.RunningScripts] // guards started, and the change of busy from nil
	started chan struct{}                           // closed when busy is no longer nil; made by whenBusy
}

// closed is a closed channel.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// whenBusy returns a channel that is closed when busy is set.
func (r *running) whenBusy() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy.Load() != nil {
		return closed
	}
	if r.started == nil {
		r.started = make(chan struct{})
	}
	return r.started
}

// setBusy reports a busy script, and closes the channel of whenBusy; nil reports that there is none any more.
func (r *running) setBusy(o *BusyScript) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy.Store(o)
	if o != nil && r.started != nil {
		close(r.started)
		r.started = nil
	}
}

// slot is the entry of a running script. Each has its own cache line, since scripts on several cores write to them.
type slot struct {
	atomic.Pointer[state]
	_ [56]byte
}

// BusyScript is a script or function that has run for longer than busy-reply-threshold.
type BusyScript struct {
	Function    string    // its name; empty for a script
	CommandLine []string  // of the command that runs it
	Since       time.Time // when it was first seen
}

// firstSeen is the state at which Watch first saw a run.
type firstSeen struct {
	state *state
	run   uint64
	since time.Time
	heap  heap // at that time
}

// enter takes a slot for a state that starts a script, beginning with the one that it had last.
func (r *running) enter(st *state) {
	for range r.places {
		if r.places[st.slot].CompareAndSwap(nil, st) {
			return
		}
		st.slot = (st.slot + 1) % len(r.places)
	}
}

// leave frees the slot. Clients that got BUSY because of this script are served again at once.
func (r *running) leave(st *state) {
	r.places[st.slot].CompareAndSwap(st, nil)
	if r.busy.Load() != nil {
		r.busy.Store(nil)
	}
}

// each calls f with the states that run a script.
func (r *running) each(f func(slot int, st *state)) {
	for i := range r.places {
		if st := r.places[i].Load(); st != nil {
			f(i, st)
		}
	}
}

// Watch must be called every few milliseconds by one goroutine while scripts may be running. It finds those that have
// run for longer than the threshold (busy-reply-threshold), stops those that exceed the memory limit, and reports
// whether any script runs.
func (e *Engine) Watch(now time.Time, threshold time.Duration) (active bool) {
	var busy *BusyScript
	ended := func() bool { return false } // the busy run has ended
	heap := heap{}
	e.running.each(func(i int, st *state) {
		if !active {
			active, heap = true, readHeap()
		}
		s := &e.running.seen[i]
		if run := st.runs.Load(); s.state != st || s.run != run {
			*s = firstSeen{st, run, now, heap}
		}
		s.heap = s.heap.least(heap)
		if busy == nil && threshold > 0 && now.Sub(s.since) >= threshold {
			busy, ended = st.describeRun(s.since), e.running.ends(i, st)
		}
	})
	if (busy == nil) != (e.running.busy.Load() == nil) {
		e.running.setBusy(busy)
		if ended() { // leave may not have seen busy
			e.running.busy.Store(nil)
		}
	}
	if active {
		e.guardMemory(now, heap)
	}
	return active
}

// describeRun describes the run; nil if it has just ended.
func (st *state) describeRun(since time.Time) *BusyScript {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.caller == nil {
		return nil
	}
	return &BusyScript{Function: st.function, CommandLine: st.caller.CommandLine(), Since: since}
}

// Busy returns a script that has run for longer than the threshold, so that other clients get BUSY; nil if there is
// none.
func (e *Engine) Busy() *BusyScript { return e.running.busy.Load() }

// WhenBusy returns a channel that is closed when a script has run for longer than the threshold. It is safe for
// concurrent use.
func (e *Engine) WhenBusy() <-chan struct{} { return e.running.whenBusy() }

// Kill ends scripts that have run for longer than the threshold (SCRIPT KILL and FUNCTION KILL command pages), and
// waits for their end, so that the next command of the caller is served. A script that has written is not killed: that
// would leave half of its writes.
func (e *Engine) Kill() error {
	err, busy := ErrNotBusy, e.Busy()
	if busy == nil {
		return err
	}
	var ended []func() bool
	e.running.each(func(i int, st *state) {
		end := e.running.ends(i, st)
		switch killed := st.stop(e.killReason(busy), false); {
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

// killReason is the error that ends a script which is killed.
func (e *Engine) killReason(busy *BusyScript) error {
	switch {
	case !e.server.Does(emulate.ServerTable):
		return errKilled
	case busy.Function != "":
		return errFunctionKilled
	}
	return errScriptKilled
}

// AwaitBusy waits until the running scripts have ended, or one of them has run for longer than the threshold: Redis,
// which runs one at a time, does not serve SCRIPT KILL and FUNCTION STATS earlier either.
func (e *Engine) AwaitBusy() {
	e.running.each(func(i int, st *state) {
		end := e.running.ends(i, st)
		waitUntil(func() bool { return e.Busy() != nil || end() })
	})
}

// ends returns a function that reports whether the run of a state, in a slot, has ended.
func (r *running) ends(slot int, st *state) func() bool {
	run := st.runs.Load()
	return func() bool { return st.runs.Load() != run || r.places[slot].Load() != st }
}

// waitUntil polls: the condition becomes true soon, or takes long.
func waitUntil(holds func() bool) {
	for !holds() {
		time.Sleep(killPoll) //nolint:forbidigo // scripts run in real time
	}
}

// killPoll is the time between two checks of waitUntil: a script checks for a stop at every jump, loop and call.
const killPoll = 500 * time.Microsecond

// Stop ends all scripts, even if they have written. The server calls it when it closes.
func (e *Engine) Stop() {
	e.running.ending.Store(true)
	e.Abort()
}

// Abort ends the scripts that run now, even if they have written. It does not wait.
func (e *Engine) Abort() { e.running.each(func(_ int, st *state) { st.stop(errStopped, true) }) }

// stop makes the script that the state runs end with reason, unless it has written and force is not set. It reports
// whether the script will end.
func (st *state) stop(reason error, force bool) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.caller == nil || !st.caller.Kill() && !force {
		return false
	}
	st.machine.Stop(reason)
	return true
}
