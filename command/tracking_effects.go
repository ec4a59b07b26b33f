package command

import (
	"slices"

	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/store"
)

// invalidation is the keys that a transaction has changed. Clients that track get a push when it commits.
type invalidation struct {
	table     *tracking.Table
	by        tracking.Client
	keys      []string
	committed bool
}

// Commit implements store.Effect.
func (i *invalidation) Commit() {
	i.committed = true
	i.table.Changed(i.keys, i.by)
}

// invalidate records that a key was changed, if any client tracks.
func (e *Env) invalidate(tx *store.Tx, key []byte) {
	if !e.Tracking.Active() {
		return
	}
	if last, ok := tx.LastEffect().(*invalidation); ok && !last.committed {
		if !slices.Contains(last.keys, string(key)) {
			last.keys = append(last.keys, string(key))
		}
		return
	}
	by, _ := tx.Owner.(tracking.Client)
	tx.Defer(&invalidation{table: &e.Tracking, by: by, keys: []string{string(key)}})
}

// Flushed pushes to clients that track, when the transaction commits, that all keys are gone.
func (c *Call) Flushed() {
	if table := &c.Env().Tracking; table.Active() {
		c.Tx.Defer(store.EffectFunc(table.Flushed))
	}
}

// track records which keys the call has read. A script's reads count for the keys that it declared.
func (c *Call) track() {
	t := c.Session.Tracker()
	if t == nil || !c.Cmd.Flags.Has(ReadOnly) || c.Cmd.Script != nil || !t.Wanted() {
		return
	}
	of := c
	if c.scripted {
		of = c.Session.lua.outer
	}
	var keys []string
	of.Cmd.Keys.each(of.Args, func(pos int) { keys = append(keys, string(of.Args[pos])) })
	c.Env().Tracking.Remember(t, keys, int(c.Env().Config.TrackedKeys()))
}

// keepsCaching reports whether what CLIENT CACHING has said is still about the next command.
func (c *Command) keepsCaching() bool {
	return c.container != nil && c.container.Flags.Has(KeepsCaching)
}

// untrackNext ends what CLIENT CACHING has said, once the next command has run.
func (s *Session) endCaching(cmd *Command) {
	t := s.Tracker()
	if t == nil || s.multi != nil || cmd != nil && cmd.keepsCaching() {
		return
	}
	t.EndCaching()
}

// Tracker is how the client tracks; nil until NewTracker is called.
func (s *Session) Tracker() *tracking.Tracker { return s.tracker.Load() }

// NewTracker returns the session's tracker, a new one if it has none.
func (s *Session) NewTracker() *tracking.Tracker {
	if s.Tracker() == nil {
		s.tracker.Store(s.env.Tracking.NewTracker(s))
	}
	return s.Tracker()
}

// Untrack ends CLIENT TRACKING.
func (s *Session) Untrack() {
	if t := s.Tracker(); t != nil {
		t.TurnOff()
	}
}

// ClientID implements tracking.Client.
func (s *Session) ClientID() int64 { return s.ID }

// Closed implements tracking.Client: the connection has ended.
func (s *Session) Closed() bool { return s.info.closed.Load() }

// PutPush implements tracking.Client.
func (s *Session) PutPush(p tracking.Push) {
	s.pushes.put(p)
	s.peer.Wake()
}
