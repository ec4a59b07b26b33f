package command

import (
	trace "runtime/debug"
	"slices"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// Serve runs one command, given as its words, and appends the reply. It is the only way into the store for a client.
func (s *Session) Serve(args [][]byte) {
	if s.info.killed.Load() {
		s.Closing = true
		return
	}
	defer s.afterCommand()
	cmd, err := s.env.Table.Lookup(args)
	s.info.serving(cmd)
	s.batchClock.brief = cmd != nil && cmd.Flags.Has(Fast|Brief)
	if s.tracker != nil {
		defer s.untrackNext(cmd)
	}
	if err == nil {
		err = s.admit(cmd, args)
		s.FlushPushes() // what had to go to make room is told before the reply
	}
	switch {
	case err != nil && cmd == nil && isHTTP(args[0]):
		s.env.warnHTTP(s)
		s.Out = s.Out[:0] // nor does Redis answer what came before it in one piece
		s.Kill()
	case err != nil:
		s.refuse(cmd, err)
	case s.env.pause.stops(s, cmd, args):
		s.postpone(cmd, args)
	case s.multi != nil && !cmd.Flags.Has(Immediate):
		s.multi.add(cmd, args)
		s.reply(resp.Queued)
	default:
		s.run(cmd, args)
	}
}

// admit decides whether the session may call the command now.
func (s *Session) admit(cmd *Command, args [][]byte) error {
	switch {
	case cmd.Unavailable != nil:
		return cmd.Unavailable
	case !cmd.Flags.Has(NoAuth) && !s.Authenticated():
		return errNoAuth
	case s.multi != nil && cmd.Flags.Has(NoMulti):
		return errInTransaction
	}
	if err := s.permit(cmd, args); err != nil {
		return err
	}
	switch {
	case s.env.Scripts.Busy() != nil && !cmd.Flags.Has(AllowBusy):
		return s.busyError()
	case s.proto == resp.RESP2 && s.subs.Total() > 0 && !cmd.Flags.Has(InSubscribed):
		return words.Errorf("ERR Can't execute '%s': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context",
			cmd.FullName())
	}
	if s.info.monitors.Load() && s.touchesKeys(cmd) {
		return errMonitorKeys
	}
	return s.checkMemoryAndReplicas(cmd, args)
}

// touchesKeys reports whether a command reads, writes or publishes, or is the EXEC of such ones.
func (s *Session) touchesKeys(cmd *Command) bool {
	if cmd.Flags.Has(RunsQueued) && s.multi != nil {
		return slices.ContainsFunc(s.multi.calls, func(q queued) bool { return q.cmd.touchesKeys() })
	}
	return cmd.touchesKeys()
}

func (c *Command) touchesKeys() bool {
	return c.Script != nil || c.Flags.Has(ReadOnly|Write|MayReplicate)
}

// refuse answers an error; within MULTI it also spoils the transaction, and a refused EXEC ends it. cmd is nil if
// there is no such command.
func (s *Session) refuse(cmd *Command, err error) {
	if s.multi != nil {
		s.multi.spoiled = true
	}
	if cmd != nil && cmd.Flags.Has(RunsQueued) {
		s.multi = nil
		s.unwatch()
		err = errExecAbortBecause(err)
	}
	s.countRefusal(cmd, err)
	s.reply(resp.Error(err.Error()))
}

// run executes a command on the shards of its keys. If it has to wait for them until a script runs too long, the
// client is told so, as if it had called the command only then.
func (s *Session) run(cmd *Command, args [][]byte) {
	c := &s.call
	*c = Call{Tx: s.tx, Cmd: cmd, Args: args, Session: s}
	if err := c.prepare(); err != nil {
		s.reply(c.unprepared(err))
		return
	}
	s.journal.Reset()
	var v resp.Value
	invoke, reply := func() { v = c.invoke() }, func() { s.reply(v) }
	if s.tx.DoUnless(s.env.Scripts.WhenBusy, c.mustHold(), c.mayRestart(), invoke, reply) {
		return
	}
	if cmd.Flags.Has(AllowBusy) { // WATCH does not need its shards
		s.tx.Do(0, false, invoke, reply)
		return
	}
	s.refuse(cmd, s.busyError())
}

// busyError is what clients are told while a script runs too long.
func (s *Session) busyError() error {
	if o := s.env.Scripts.Busy(); o != nil {
		return ErrBusy(o)
	}
	return ErrBusy(new(luaeval.Overdue)) // it has just ended
}

// mustHold is locks, and where these are none for a command that HoldsShard, any shard.
func (c *Call) mustHold() store.Locks {
	locks := c.locks()
	if locks == 0 && c.Cmd.Flags.Has(HoldsShard) {
		return store.AnyLock(c.Session.ID)
	}
	return locks
}

// locks are the shards that the call needs: those of its keys, of the session's watches, and for EXEC those of what is
// queued.
func (c *Call) locks() store.Locks {
	locks := c.Cmd.Keys.locks(c.Tx, c.Args)
	if c.Cmd.Flags.Has(RunsQueued) {
		locks |= c.Session.watch.Locks()
		if c.Session.multi != nil {
			locks |= c.Session.multi.locks(c.Tx)
		}
	}
	return scriptLocks(c.script, locks)
}

// HoldsKeys reports whether the transaction holds the shards that the call needs.
func (c *Call) HoldsKeys() bool {
	if k := &c.Cmd.Keys; k.First == 1 && k.Last == 1 && k.Count == 0 && k.Find == nil {
		return c.Tx.Holds(c.Args[1])
	}
	return c.locks()&^c.Tx.Held() == 0
}

// mayRestart reports whether the call may turn out to need more shards than its keys tell: a script, or EXEC with one
// queued.
func (c *Call) mayRestart() bool {
	queue := c.Session.multi
	return c.Cmd.Flags.Has(MayRestart) || c.Cmd.Flags.Has(RunsQueued) && queue != nil && queue.mayRestart
}

func (c *Call) prepare() error {
	if c.Cmd.Prepare == nil {
		return nil
	}
	return c.Cmd.Prepare(c)
}

// unprepared is the reply of a call that fails before its handler runs, as one does whose script can't be compiled.
func (c *Call) unprepared(err error) resp.Value {
	if c.Env().monitors.count.Load() > 0 {
		c.observeAtOnce()
	}
	if c.Env().Config.Timing() == config.TimeAll {
		c.took(c.Env().Clock.Now())
	}
	return c.counted(c.Fail(err))
}

// panicMessage is what the log says of a handler that has panicked.
const panicMessage = "panic in command"

// invoke calls the handler. A panic in it is a fault of ours: it is logged and answered, and hurts nobody else.
func (c *Call) invoke() (v resp.Value) {
	defer func() {
		if r := recover(); r != nil && !c.Tx.Restarting() {
			v = c.panicked(r)
		}
	}()
	if c.Session.tracker != nil {
		defer c.track()
	}
	if c.Env().monitors.count.Load() == 0 {
		return c.counted(c.measured())
	}
	if c.Cmd.Flags.Has(SkipMonitor) { // a script is shown before what it calls
		c.observe()
		return c.counted(c.measured())
	}
	v = c.counted(c.measured())
	c.observe()
	return v
}

// panicked is the reply of a call whose handler has panicked.
func (c *Call) panicked(r any) resp.Value {
	c.Env().Log.Error(panicMessage, "command", c.Cmd.FullName(), "panic", r, "stack", string(trace.Stack()))
	return resp.Error("ERR internal error")
}

// within runs the call in a transaction that has begun: that of a script or of EXEC. Where the transaction does not
// hold the shards it asks to be run again with all of them; the caller then sees Tx.Restarting.
func (c *Call) within() resp.Value {
	c.nested = true
	c.Session.arena.forget() // the reply before has been converted or copied
	if err := c.prepare(); err != nil {
		return c.unprepared(err)
	}
	if !c.HoldsKeys() {
		c.Tx.Restart()
		return resp.None
	}
	return c.invoke()
}
