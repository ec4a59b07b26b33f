package command

import (
	"github.com/minilockd/minilockd/store"
)

// Apply runs what a master has sent, in one transaction, unless mayApply says within it that the master is not followed
// any more. None of the checks of a client's call are made, and there are no replies. It returns the first error of a
// command, which a master that has the same data does not cause.
func (s *Session) Apply(unit [][][]byte, mayApply func() bool) (err error) {
	var calls queue
	for _, args := range unit {
		cmd, unknown := s.env.Table.Lookup(args)
		if unknown != nil {
			return unknown
		}
		calls.calls = append(calls.calls, queued{cmd, args})
		calls.mayRestart = calls.mayRestart || cmd.Flags.Has(MayRestart)
	}
	locks := calls.locks(s.tx)
	if locks == 0 {
		locks = store.AnyLock(s.ID)
	}
	s.undoLog.Reset()
	db, asked, applies := s.tx.DB(), false, false
	s.tx.Do(locks, calls.mayRestart, func() {
		if !asked { // the transaction may run twice
			asked, applies = true, mayApply()
		}
		if s.tx.Select(db); applies {
			err = s.applyCalls(calls.calls)
		}
	}, func() {})
	s.info.publish(s)
	return err
}

func (s *Session) applyCalls(calls []queued) (err error) {
	for _, call := range calls {
		c := Call{Tx: s.tx, Cmd: call.cmd, Args: call.args, Session: s}
		v := c.runNested()
		if s.tx.Restarting() {
			return nil
		}
		if v.IsError() && err == nil {
			err = &applyError{call.cmd.FullName(), v.Text()}
		}
	}
	return err
}

// applyError is the error of a command that a master has sent.
type applyError struct{ command, reply string }

// Error implements error.
func (e *applyError) Error() string { return e.command + ": " + e.reply }

// FollowMaster makes the server a replica, or a master again: a replica keeps what has expired until its master deletes
// it, evicts nothing, and asks Replication.Reject about each call that writes. The transaction must hold all shards.
func (e *Env) FollowMaster(tx *store.Tx, on bool) {
	e.roles.turn(isReplica, on)
	e.setLimits(tx)
}

// NewMasterSession returns the session for what a master sends. It sees keys whose time has come, since the master
// deletes them.
func NewMasterSession(e *Env, id int64, addr string, peer Peer) *Session {
	s := NewSession(e, id, addr, "", peer)
	s.tx.SetImports(true)
	s.replyMode = ReplyOff
	s.info.master.Store(true)
	return s
}

// IsMaster reports whether NewMasterSession has made the session. It is safe for concurrent use.
func (s *Session) IsMaster() bool { return s.info.master.Load() }
