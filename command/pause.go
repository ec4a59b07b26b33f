package command

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
)

// pauseCommands are subcommands of CLIENT.
var pauseCommands = []Command{
	{Name: "pause", Usage: "timeout [WRITE | ALL]", Arity: -3, Flags: operating, Since: "3.0.0",
		Summary: "Lets the commands of all clients wait, or those that write.", Run: clientPause},
	{Name: "unpause", Arity: 2, Flags: operating, Since: "6.2.0",
		Summary: "Ends CLIENT PAUSE.", Run: clientUnpause},
}

var (
	errPauseMode    = errors.New("ERR CLIENT PAUSE mode must be WRITE or ALL")
	errPauseTimeout = errors.New("ERR timeout is not an integer or out of range")
)

// pauseScope is which commands have to wait.
type pauseScope int32

const (
	pauseNothing pauseScope = iota
	pauseWrites
	pauseAll
)

// pause is what CLIENT PAUSE has stopped. The zero value stops nothing; it is safe for concurrent use. While it lasts no key
// is removed because its time has come, though none of those is seen. (CLIENT PAUSE command page.)
type pause struct {
	scope atomic.Int32 // a pauseScope; all that a command costs where nothing is paused

	mu      sync.Mutex // guards what follows, and changes of scope
	until   time.Time
	timer   clock.Timer
	waiting []*blockedCall // in the order in which they came
}

// begin pauses until a moment, the zero time for none. A pause that is on already is only widened, and only made longer.
func (p *pause) begin(e *Env, scope pauseScope, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until.IsZero() && p.until.IsZero() {
		return
	}
	scope = max(scope, pauseScope(p.scope.Load()))
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

// endDue ends the pause if its time has come. It may have been made longer since the timer fired, and the timer, which goes by another
// clock of the machine, may be early.
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
	p.scope.Store(int32(pauseNothing))
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
	if pauseScope(p.scope.Load()) == pauseNothing {
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
	switch pauseScope(p.scope.Load()) {
	case pauseNothing:
		return false
	case pauseAll:
		return true
	}
	if cmd.Flags.has(RunsQueued) && s.multi != nil {
		return slices.ContainsFunc(s.multi.calls, func(q queued) bool { return s.mayReplicate(q.cmd, q.args) })
	}
	return s.mayReplicate(cmd, args)
}

// mayReplicate reports whether Redis would expect a command to reach its replicas: one that writes or publishes, and a script
// that does not say that it writes nothing.
func (s *Session) mayReplicate(cmd *Command, args [][]byte) bool {
	if cmd.Script == nil {
		return cmd.Flags.has(Write | MayReplicate)
	}
	c := Call{Tx: s.tx, Cmd: cmd, Args: args, Session: s}
	if err := c.prepare(); err != nil || c.script == nil {
		return !cmd.Flags.has(ReadOnly)
	}
	return !cmd.Flags.has(ReadOnly) && !c.script.Flags.Has(luaeval.NoWrites)
}

// postpone blocks the session with a command that is served when the pause ends.
func (s *Session) postpone(cmd *Command, args [][]byte) {
	p := &blockedCall{session: s, cmd: cmd, args: copyWords(args), postponed: true}
	s.blocked.Store(p)
	if !s.env.pause.add(p) {
		p.end(resp.None)
	}
}

func clientPause(c *Call) resp.Value {
	scope := pauseAll
	switch {
	case c.Len() > 4:
		return c.Fail(errSubcommandArity(c))
	case c.Is(3, "write"):
		scope = pauseWrites
	case c.Len() == 4 && !c.Is(3, "all"):
		return c.Fail(errPauseMode)
	}
	ms, ok := num.ParseInt(c.Arg(2))
	switch {
	case !ok:
		return c.Fail(errPauseTimeout)
	case ms < 0:
		return c.Fail(errTimeoutNegative)
	}
	var until time.Time
	if ms > 0 {
		until = c.Tx.Time().Add(time.Duration(min(ms, maxTimeout)) * time.Millisecond)
	}
	c.Env().pause.begin(c.Env(), scope, until)
	return resp.OK
}

func clientUnpause(c *Call) resp.Value {
	c.Env().pause.end(c.Env())
	return resp.OK
}
