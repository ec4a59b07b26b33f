package command

// This file is the path of a call: from the arguments that a client has sent to its reply.
//
// Serve decides in the order of Redis' processCommand: unknown command and arity, authentication, ACL, a busy script,
// memory. Only then may CLIENT PAUSE stop the call, or MULTI queue it. A call that is rejected never locks a shard.
//
// A transaction locks the shards of the keys that the arguments name. A call that turns out to need another one, as a
// script may, makes the transaction restart: its effects are undone and the handler runs again with every shard
// locked. So a handler, and all that is counted or logged on the way, may run twice (see stats.UndoLog).

import (
	"runtime/debug"
	"slices"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// Serve runs one command, given by its arguments, and appends the reply to Out. It is a client's only way to the
// store. Only the connection of the session may call it, and only while the session is not Blocked.
func (s *Session) Serve(args [][]byte) {
	if s.info.killed.Load() {
		s.Closing = true
		return
	}
	defer s.afterCommand()
	cmd, err := s.env.Table.Lookup(args)
	s.info.serving(cmd)
	s.batchClock.lastBrief = cmd != nil && cmd.Flags.Has(Fast|Brief)
	if s.Tracker() != nil {
		defer s.endCaching(cmd)
	}
	if err == nil {
		err = s.checkCall(cmd, args)
		s.FlushPushes() // invalidations of evicted keys precede the reply
	}
	if err != nil && s.hidesCommands(cmd) {
		err = errNoAuth
	}
	switch {
	case err != nil && cmd == nil && isHTTP(args[0]):
		s.env.warnHTTP(s)
		s.Out = s.Out[:0] // Redis drops the replies to earlier commands of the same pipeline, too
		s.Kill()
	case err != nil:
		s.reject(cmd, args, err, s.hooked)
	case s.env.pause.stops(s, cmd, args):
		s.blockUntilUnpaused(cmd, args)
	case s.env.hooks.on(HookCalls) && s.intercept(cmd, args):
	default:
		s.execute(cmd, args)
	}
}

// hidesCommands reports whether a client must log in before it is told that a command is unknown or has another arity.
func (s *Session) hidesCommands(cmd *Command) bool {
	return !s.Authenticated() && (cmd == nil || !cmd.Flags.Has(NoAuth)) &&
		s.env.Table.Server.Does(emulate.HidesCommands)
}

// execute runs a command, or queues it within MULTI.
func (s *Session) execute(cmd *Command, args [][]byte) {
	if s.multi != nil && !cmd.Flags.Has(Immediate) {
		s.multi.add(cmd, args)
		s.reply(resp.Queued)
		return
	}
	s.run(cmd, args)
}

// checkCall returns the error that rejects the call, nil if it may run now.
func (s *Session) checkCall(cmd *Command, args [][]byte) error {
	switch {
	case cmd.Unavailable != nil:
		return cmd.Unavailable
	case !cmd.Flags.Has(NoAuth) && !s.Authenticated():
		return errNoAuth
	case s.multi != nil && cmd.Flags.Has(NoMulti):
		return s.errNoMulti(cmd)
	}
	if err := s.permit(cmd, args); err != nil {
		return err
	}
	if s.env.Cluster != nil {
		if err := s.env.Cluster.Redirect(s, cmd, args); err != nil {
			return err
		}
	}
	switch {
	case s.env.Scripts.Busy() != nil && !cmd.Flags.Has(AllowBusy):
		return s.busyError()
	case s.InSubscribedMode() && !cmd.Flags.Has(InSubscribed):
		return words.Errorf("ERR Can't execute '%s': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET "+
			"are allowed in this context", cmd.FullName())
	}
	if s.info.monitors.Load() && s.usesKeyspace(cmd) {
		return errMonitorKeys
	}
	return s.checkMemoryAndReplicas(cmd, args)
}

// usesKeyspace reports whether a command reads, writes, sends a message or runs a script; EXEC does if one of the
// queued commands does.
func (s *Session) usesKeyspace(cmd *Command) bool {
	if cmd.Flags.Has(RunsQueued) && s.multi != nil {
		return slices.ContainsFunc(s.multi.calls, func(q queued) bool { return q.cmd.usesKeyspace() })
	}
	return cmd.usesKeyspace()
}

func (c *Command) usesKeyspace() bool {
	return c.Script != nil || c.Flags.Has(ReadOnly|Write|MayReplicate)
}

// reject replies with an error. Within MULTI it makes EXEC fail; a rejected EXEC discards the transaction. cmd is nil
// if the command is unknown; asked says whether the hooks were asked about the call.
func (s *Session) reject(cmd *Command, args [][]byte, err error, asked bool) {
	if s.multi != nil {
		s.multi.aborted = true
	}
	if cmd != nil && cmd.Flags.Has(RunsQueued) {
		s.multi = nil
		s.unwatch()
		if _, redirected := err.(RedirectError); !redirected {
			err = errExecAbortBecause(err)
		}
	}
	(&Call{Tx: s.tx, Cmd: cmd, Args: args, Session: s}).countRejected(err, asked)
	s.reply(resp.Error(err.Error()))
}

// run executes a command with the shards of its keys locked. If a script that holds them exceeds busy-reply-threshold
// while the command waits for them, the reply is BUSY, as if the client had sent the command only then.
func (s *Session) run(cmd *Command, args [][]byte) {
	c := &s.call
	*c = Call{Tx: s.tx, Cmd: cmd, Args: args, Session: s}
	if err := c.prepare(); err != nil {
		s.reply(c.failPrepare(err))
		if c.logsLarge() {
			c.logLarge()
		}
		return
	}
	s.undoLog.Reset()
	var v resp.Value
	invoke := func() {
		if s.env.Cluster != nil {
			if err := s.env.Cluster.RedirectHeld(c); err != nil {
				v = c.redirected(err)
				return
			}
		}
		v = c.invoke()
	}
	reply := func() {
		s.committed(v)
		if c.flushed {
			s.FlushPushes()
		}
		s.reply(v)
		if c.logsLarge() {
			c.logLarge()
		}
	}
	if s.tx.DoUnless(s.env.Scripts.WhenBusy, c.requiredLocks(), c.mayRestart(), invoke, reply) {
		if s.env.Cluster != nil && s.Blocked() {
			s.env.Cluster.RedirectBlocked(s)
		}
		return
	}
	if cmd.Flags.Has(AllowBusy) { // only WATCH names keys, and it can do without their shards
		s.tx.Do(0, false, invoke, reply)
		return
	}
	s.reject(cmd, args, s.busyError(), true)
}

// busyError is the BUSY reply for the script that now exceeds busy-reply-threshold.
func (s *Session) busyError() error {
	if busy := s.env.Scripts.Busy(); busy != nil {
		return s.env.ErrBusy(busy)
	}
	return s.env.ErrBusy(new(luaeval.BusyScript)) // the script has just ended
}

// requiredLocks returns the shards to lock. A command with the flag HoldsShard that names no key gets any one shard.
func (c *Call) requiredLocks() store.Locks {
	locks := c.locks()
	if locks == 0 && c.Cmd.Flags.Has(HoldsShard) {
		return store.AnyLock(c.Session.ID)
	}
	return locks
}

// locks returns the shards of the keys of the call; for EXEC those of the watched keys and of the queued calls.
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

// HoldsKeys reports whether the transaction holds the shards of all keys of the call.
func (c *Call) HoldsKeys() bool {
	if k := &c.Cmd.Keys; k.First == 1 && k.Last == 1 && k.Count == 0 && k.Find == nil {
		return c.Tx.Holds(c.Args[1])
	}
	return c.locks()&^c.Tx.Held() == 0
}

// mayRestart reports whether the call may need shards of keys that its arguments do not name: a script, or EXEC with a
// script in its queue.
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

// failPrepare is the reply of a call whose Prepare fails, as for a script that does not compile. MONITOR and the
// statistics see it like a call that ran.
func (c *Call) failPrepare(err error) resp.Value {
	if c.Env().monitors.count.Load() > 0 {
		c.feedMonitorsNow()
	}
	if c.Env().Config.Timing() == config.TimeAll {
		c.recordDuration(c.Env().Clock.Now())
	}
	return c.countReply(c.Fail(err))
}

// panicMessage is the log message for a handler that has panicked.
const panicMessage = "panic in command"

// invoke calls the handler. A panic is a bug of the handler: it is logged and becomes an error reply, so that other
// clients and the shards' locks are not affected.
func (c *Call) invoke() (v resp.Value) {
	defer func() {
		if r := recover(); r != nil && !c.Tx.Restarting() {
			v = c.panicked(r)
		}
	}()
	if c.Session.Tracker() != nil {
		defer c.track()
	}
	if c.Env().monitors.count.Load() == 0 {
		return c.countReply(c.runTimed())
	}
	if c.Cmd.Flags.Has(SkipMonitor) { // MONITOR shows a script before the commands that it calls
		c.feedMonitors()
		return c.countReply(c.runTimed())
	}
	v = c.countReply(c.runTimed())
	c.feedMonitors()
	return v
}

// panicked logs a panic of the handler and returns the reply.
func (c *Call) panicked(r any) resp.Value {
	c.Env().Log.Error(panicMessage, "command", c.Cmd.FullName(), "panic", r, "stack", string(debug.Stack()))
	return resp.Error("ERR internal error")
}

// runNested runs the call within the transaction of a script or of EXEC. If that does not hold the shards of its keys,
// the transaction restarts with all shards: the caller must then check Tx.Restarting and return.
func (c *Call) runNested() resp.Value {
	c.nested = true
	c.Session.arena.forget() // the previous reply has been converted to Lua or encoded
	if err := c.prepare(); err != nil {
		return c.failPrepare(err)
	}
	if !c.HoldsKeys() {
		c.Tx.Restart()
		return resp.None
	}
	return c.invoke()
}
