package control

// CLOCK.* moves, stops and speeds up the time of the server. Each command replies with the time that the server's clock
// shows afterwards, in ms since 1970. Those that change it run in the background, since a step forward takes as long as
// the work that becomes due on the way; other clients are served meanwhile.

import (
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/resp"
)

// anytime are the flags of commands that a test may need whatever state the server is in; changes adds that the command
// waits in the background, which neither scripts nor EXEC can do.
const (
	anytime = command.Loading | command.Stale | command.AllowBusy | command.Control
	changes = anytime | command.Admin | command.NoScript | command.NoMulti
)

var clockCommands = []command.Command{
	{Name: "clock.now", Arity: 1, Flags: anytime | command.Fast, Since: since, Tips: "nondeterministic_output",
		Summary: "Returns the time of the server, in milliseconds since 1970.", Run: clockNow},
	{Name: "clock.advance", Usage: "milliseconds", Arity: 2, Flags: changes, Since: since,
		Summary: "Moves the clock forward; all that becomes due on the way happens, in order, before the reply.",
		Run:     clockAdvance},
	{Name: "clock.set", Usage: "unix-time-milliseconds", Arity: 2, Flags: changes, Since: since,
		Summary: "Moves the clock to a time: forward as CLOCK.ADVANCE does, or back at once.", Run: clockSet},
	{Name: "clock.freeze", Arity: 1, Flags: changes, Since: since,
		Summary: "Stops the clock. CLOCK.ADVANCE and CLOCK.SET still move it.", Run: clockFreeze},
	{Name: "clock.resume", Arity: 1, Flags: changes, Since: since,
		Summary: "Lets a stopped clock run on.", Run: clockResume},
	{Name: "clock.speed", Usage: "factor", Arity: 2, Flags: changes, Since: since,
		Summary: "Makes the clock run faster or slower than real time.", Run: clockSpeed},
}

// clockNow implements CLOCK.NOW. Within a script or EXEC it is the time at which the transaction began, as of TIME.
func clockNow(c *command.Call) resp.Value { return resp.Int(c.Tx.Time().UnixMilli()) }

// clockAdvance implements CLOCK.ADVANCE milliseconds.
func clockAdvance(c *command.Call) resp.Value {
	ms, err := c.Int(1)
	if err == nil {
		err = clock.CheckAdvance(c.Tx.Time(), ms)
	}
	if err != nil {
		return c.Fail(err)
	}
	return change(c, func(clk clock.Adjustable) { clk.Advance(time.Duration(ms) * time.Millisecond) })
}

// clockSet implements CLOCK.SET unix-time-milliseconds.
func clockSet(c *command.Call) resp.Value {
	ms, err := c.Int(1)
	if err == nil {
		err = clock.CheckTime(ms)
	}
	if err != nil {
		return c.Fail(err)
	}
	return change(c, func(clk clock.Adjustable) { clk.Set(time.UnixMilli(ms)) })
}

// clockFreeze implements CLOCK.FREEZE. It is no error if the clock stands still already.
func clockFreeze(c *command.Call) resp.Value { return change(c, clock.Adjustable.Freeze) }

// clockResume implements CLOCK.RESUME. It is no error if the clock runs.
func clockResume(c *command.Call) resp.Value { return change(c, clock.Adjustable.Resume) }

// clockSpeed implements CLOCK.SPEED factor. A clock that stands still goes on at that speed once it is resumed.
func clockSpeed(c *command.Call) resp.Value {
	factor, err := c.Float(1)
	if err == nil {
		err = clock.CheckSpeed(factor)
	}
	if err != nil {
		return c.Fail(err)
	}
	return change(c, func(clk clock.Adjustable) { clk.SetSpeed(factor) })
}

// change changes the clock in the background and replies with what it then shows.
func change(c *command.Call, f func(clock.Adjustable)) resp.Value {
	clk := c.Env().Clock
	return c.Background(func() resp.Value {
		f(clk)
		return resp.Int(clk.Now().UnixMilli())
	})
}
