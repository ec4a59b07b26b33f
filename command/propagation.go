package command

// What a master sends to its replicas: the commands that have changed a key, in the order in which their transactions
// commit, so that a replica which runs them has the same data. A command whose effect depends on the time, on chance or
// on who waits is replaced by one that always does the same (Call.Propagate); of a script and of EXEC, the commands
// that they call are sent. What one transaction has changed is a unit: a replica applies all of it or nothing.
//
// While no replica has ever asked for it, a call costs one load more.

import (
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Writes is a unit: what one transaction has changed, as commands.
type Writes struct {
	First, Last int    // the databases of the first and of the last command
	Count       int    // of commands, without those of SELECT
	Encoded     []byte // the commands in RESP, with a SELECT where the database changes; valid until Propagate returns

	env     *Env
	pending bool // it is among the effects of a transaction
}

// Propagates reports whether there is a replica to propagate to, or may be one later. Handlers ask before they call
// Propagate, which is in vain otherwise.
func (c *Call) Propagates() bool { return c.Env().roles.on(feedsReplicas) && !c.local }

// Propagate sends the replicas a command. The call itself is then not sent, so that several commands, or an empty list
// of arguments, can stand for it. The arguments are copied.
func (c *Call) Propagate(args ...[]byte) {
	c.replaced = true
	if len(args) > 0 && c.Propagates() {
		c.Env().writesOf(c.Tx).add(c.Tx.DB(), args)
	}
}

// PropagateAs is Propagate for a command with a constant name.
func (c *Call) PropagateAs(name string, args ...[]byte) {
	if c.replaced = true; c.Propagates() {
		c.Propagate(append([][]byte{[]byte(name)}, args...)...)
	}
}

// PropagateItself sends the replicas the call, even if it has changed nothing.
func (c *Call) PropagateItself() {
	if c.Propagates() {
		c.Propagate(c.Args...)
	}
}

// propagateChange sends the replicas the call if the transaction has counted more changes than before it.
func (c *Call) propagateChange(before int64) {
	if c.replaced || c.Tx.Changes() == before || c.Tx.Restarting() ||
		c.Cmd.Script != nil || c.Cmd.Flags.Has(RunsQueued) {
		return
	}
	c.Env().writesOf(c.Tx).add(c.Tx.DB(), c.Args)
}

// propagateRemoval is the removal sink of the store: a key, or a field of a hash, that has expired or was evicted is
// deleted on the replicas.
func (e *Env) propagateRemoval(tx *store.Tx, r store.Removal) {
	if !e.roles.on(feedsReplicas) {
		return
	}
	e.writesOf(tx).add(r.DB, e.Replication.Removal(r))
}

// writesOf returns the unit of a transaction. A session has one, and uses its memory again; each key that a timer
// removes is a unit of its own.
func (e *Env) writesOf(tx *store.Tx) *Writes {
	s, ok := tx.Owner.(*Session)
	if !ok {
		w := &Writes{env: e, pending: true}
		tx.Defer(w)
		return w
	}
	if s.writes == nil {
		s.writes = &Writes{env: e}
	}
	w := s.writes
	if tx.LastEffect() == nil {
		w.reset() // what a run has left that was rolled back
	}
	if !w.pending {
		w.pending = true
		tx.Defer(w)
	}
	return w
}

// endUnit makes what the transaction propagates from now on another unit: each client that it serves has its own.
func (e *Env) endUnit(tx *store.Tx) {
	if s, ok := tx.Owner.(*Session); ok && s.writes != nil && s.writes.pending {
		s.writes = nil
	}
}

func (w *Writes) add(db int, args [][]byte) {
	switch {
	case w.Count == 0:
		w.First = db
	case w.Last != db:
		w.Encoded = w.env.Replication.AppendSelect(w.Encoded, db)
	}
	w.Last = db
	w.Count++
	w.Encoded = resp.AppendCommand(w.Encoded, args...)
}

// Commit implements store.Effect.
func (w *Writes) Commit() {
	w.env.Replication.Propagate(w)
	w.reset()
}

// reset forgets the commands. It leaves no more memory than most units need.
func (w *Writes) reset() {
	const most = 16 << 10
	w.Encoded, w.Count, w.pending = w.Encoded[:0], 0, false
	if cap(w.Encoded) > most {
		w.Encoded = nil
	}
}
