package command

// CLIENT PAUSE (Redis command page). A call that the pause stops becomes a blockedCall with paused set, so that the
// connection reads no further commands; when the pause ends, each session runs its call as if the client had just sent
// it.
//
// Keys do not expire by timer while a pause lasts, since that would be a write. Commands still see no expired key.

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
)

// PauseScope says which commands CLIENT PAUSE stops.
type PauseScope int32

// The scopes.
const (
	PauseNothing PauseScope = iota
	PauseWrites
	PauseAll
)

// pause is the state of CLIENT PAUSE. The zero value pauses nothing; it is safe for concurrent use.
type pause struct {
	scope atomic.Int32 // a PauseScope. Without a pause, loading it is all that a command costs.

	mu      lockrank.Mutex[lockrank.Pause] // guards the fields below, and writes of scope
	until   time.Time                      // zero without a pause
	timer   clock.Timer
	waiting []*blockedCall // in the order in which they came
}

// begin pauses until the given time; the zero time begins no pause. As in Redis it never shortens or narrows a pause
// that is in effect.
func (p *pause) begin(e *Env, scope PauseScope, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until.IsZero() && p.until.IsZero() {
		return
	}
	scope = max(scope, PauseScope(p.scope.Load()))
	if until.After(p.until) {
		p.until = until
	}
	p.scope.Store(int32(scope))
	e.Store.HoldExpiry(true)
	if p.timer != nil {
		p.timer.Stop()
	}
	p.timer = e.Clock.AfterFunc(p.until.Sub(e.Clock.Now()), func() { p.endDue(e) })
}

// endDue runs when the timer fires. It ends the pause unless CLIENT PAUSE has extended it in the meantime.
func (p *pause) endDue(e *Env) { endPauses(p.stopDue(e)) }

// end ends the pause: CLIENT UNPAUSE.
func (p *pause) end(e *Env) { endPauses(p.stop(e)) }

func endPauses(waiting []*blockedCall) {
	for _, call := range waiting {
		call.runStopped()
	}
}

// stopDue is stop if the pause is over; otherwise it sets the timer for the rest. The timer may be early, since it runs
// on another clock of the machine.
func (p *pause) stopDue(e *Env) (waiting []*blockedCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rest := p.until.Sub(e.Clock.Now()); rest > 0 {
		p.timer.Reset(rest)
		return nil
	}
	return p.stopLocked(e)
}

// stop ends the pause and returns the paused calls. The caller resumes them after mu is unlocked.
func (p *pause) stop(e *Env) (waiting []*blockedCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopLocked(e)
}

func (p *pause) stopLocked(e *Env) (waiting []*blockedCall) {
	waiting = p.waiting
	p.waiting, p.until = nil, time.Time{}
	p.scope.Store(int32(PauseNothing))
	e.Store.HoldExpiry(false)
	if p.timer != nil {
		p.timer.Stop()
	}
	return waiting
}

// add adds a paused call. It returns false if the pause has already ended.
func (p *pause) add(call *blockedCall) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if PauseScope(p.scope.Load()) == PauseNothing {
		return false
	}
	p.waiting = append(p.waiting, call)
	return true
}

// forget removes a call whose session runs it now, or is closed.
func (p *pause) forget(call *blockedCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, call); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
}

// stops reports whether the pause stops a call; EXEC is stopped if it would stop one of the queued calls.
func (p *pause) stops(s *Session, cmd *Command, args [][]byte) bool {
	switch scope := PauseScope(p.scope.Load()); {
	case scope == PauseNothing, cmd.Flags.Has(Control), s.Exempt():
		return false
	case scope == PauseAll:
		return true
	}
	if cmd.Flags.Has(RunsQueued) && s.multi != nil {
		return slices.ContainsFunc(s.multi.calls, func(q queued) bool { return s.mayReplicate(q.cmd, q.args) })
	}
	return s.mayReplicate(cmd, args)
}

// mayReplicate reports whether Redis might propagate the call to replicas: a command with the flag write or
// may_replicate, or a script without the flag no-writes (Redis: CMD_MAY_REPLICATE).
func (s *Session) mayReplicate(cmd *Command, args [][]byte) bool {
	if cmd.Script == nil {
		return cmd.Flags.Has(Write | MayReplicate)
	}
	c := Call{Tx: s.tx, Cmd: cmd, Args: args, Session: s}
	if err := c.prepare(); err != nil || c.script == nil {
		return !cmd.Flags.Has(ReadOnly)
	}
	return !cmd.Flags.Has(ReadOnly) && !c.script.Flags().Has(luaeval.NoWrites)
}

// blockUntilUnpaused blocks the session until the pause ends; the call then runs.
func (s *Session) blockUntilUnpaused(cmd *Command, args [][]byte) {
	p := s.blockStopped(cmd, args, s.hooked)
	if !s.env.pause.add(p) {
		p.end(resp.None)
	}
}

// Pause implements CLIENT PAUSE for a number of milliseconds.
func (c *Call) Pause(scope PauseScope, ms int64) {
	var until time.Time
	if ms > 0 {
		until = c.Tx.Time().Add(time.Duration(min(ms, MaxTimeout)) * time.Millisecond)
	}
	c.Env().pause.begin(c.Env(), scope, until)
}

// PauseWrites pauses the commands that write until Unpause.
func (e *Env) PauseWrites() { e.pause.begin(e, PauseWrites, e.Clock.Now().Add(forever)) }

// forever is longer than any test.
const forever = 100 * 365 * 24 * time.Hour

// Paused returns which commands are paused now.
func (e *Env) Paused() PauseScope { return PauseScope(e.pause.scope.Load()) }

// PausedFor returns how much longer commands are paused.
func (e *Env) PausedFor() time.Duration {
	e.pause.mu.Lock()
	defer e.pause.mu.Unlock()
	return max(0, e.pause.until.Sub(e.Clock.Now()))
}

// Unpause implements CLIENT UNPAUSE.
func (e *Env) Unpause() { e.pause.end(e) }
