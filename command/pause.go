package command

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
)

// PauseScope says which commands have to wait.
type PauseScope int32

// The scopes.
const (
	PauseNothing PauseScope = iota
	PauseWrites
	PauseAll
)

// pause is what CLIENT PAUSE has stopped. The zero value stops nothing; it is safe for concurrent use. While it lasts
// no key is removed because its time has come, though none of those is seen. (CLIENT PAUSE command page.)
type pause struct {
	scope atomic.Int32 // a PauseScope; all that a command costs where nothing is paused

	mu      lockrank.Mutex[lockrank.Pause] // guards what follows, and changes of scope
	until   time.Time
	timer   clock.Timer
	waiting []*blockedCall // in the order in which they came
}

// begin pauses until a moment, the zero time for none. A pause that is on already is only widened, and only made
// longer.
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

// endDue ends the pause if its time has come. It may have been made longer since the timer fired, and the timer, which
// goes by another clock of the machine, may be early.
func (p *pause) endDue(e *Env) { endPauses(p.stopDue(e)) }

// end lets those who wait go on.
func (p *pause) end(e *Env) { endPauses(p.stop(e)) }

func endPauses(waiting []*blockedCall) {
	for _, call := range waiting {
		call.endPause()
	}
}

// stopDue is stop if the time has come; else it arms the timer for the rest. Nobody can begin another pause in between.
func (p *pause) stopDue(e *Env) (waiting []*blockedCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rest := p.until.Sub(e.Clock.Now()); rest > 0 {
		p.timer.Reset(rest)
		return nil
	}
	return p.stopLocked(e)
}

// stop makes it the end, and returns those who wait.
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

// add lets a blocked call wait for the end; it reports false if that has come meanwhile.
func (p *pause) add(call *blockedCall) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if PauseScope(p.scope.Load()) == PauseNothing {
		return false
	}
	p.waiting = append(p.waiting, call)
	return true
}

func (p *pause) forget(call *blockedCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, call); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
}

// stops reports whether a command has to wait.
func (p *pause) stops(s *Session, cmd *Command, args [][]byte) bool {
	switch PauseScope(p.scope.Load()) {
	case PauseNothing:
		return false
	case PauseAll:
		return true
	}
	if cmd.Flags.Has(RunsQueued) && s.multi != nil {
		return slices.ContainsFunc(s.multi.calls, func(q queued) bool { return s.mayReplicate(q.cmd, q.args) })
	}
	return s.mayReplicate(cmd, args)
}

// mayReplicate reports whether Redis would expect a command to reach its replicas: one that writes or publishes, and a
// script that does not say that it writes nothing.
func (s *Session) mayReplicate(cmd *Command, args [][]byte) bool {
	if cmd.Script == nil {
		return cmd.Flags.Has(Write | MayReplicate)
	}
	c := Call{Tx: s.tx, Cmd: cmd, Args: args, Session: s}
	if err := c.prepare(); err != nil || c.script == nil {
		return !cmd.Flags.Has(ReadOnly)
	}
	return !cmd.Flags.Has(ReadOnly) && !c.script.Flags.Has(luaeval.NoWrites)
}

// postpone blocks the session with a command that is served when the pause ends.
func (s *Session) postpone(cmd *Command, args [][]byte) {
	p := &blockedCall{session: s, cmd: cmd, args: CopyArgs(args), postponed: true}
	s.blocked.Store(p)
	if !s.env.pause.add(p) {
		p.end(resp.None)
	}
}

// Pause makes the commands of all clients wait for so many milliseconds, or those that write: CLIENT PAUSE.
func (c *Call) Pause(scope PauseScope, ms int64) {
	var until time.Time
	if ms > 0 {
		until = c.Tx.Time().Add(time.Duration(min(ms, MaxTimeout)) * time.Millisecond)
	}
	c.Env().pause.begin(c.Env(), scope, until)
}

// Paused says which commands wait at present.
func (e *Env) Paused() PauseScope { return PauseScope(e.pause.scope.Load()) }

// Unpause ends Pause: CLIENT UNPAUSE.
func (e *Env) Unpause() { e.pause.end(e) }
