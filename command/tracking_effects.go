package command

// How client tracking (package tracking) hangs on commands: what a call has read is remembered after its handler
// (track), and what a transaction has changed is pushed when it commits (invalidation). All keys that change between
// two other effects go into one invalidation.

import (
	"slices"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/store"
)

// invalidation pushes the keys that a transaction has changed to the clients that track them, when it commits.
type invalidation struct {
	table     *tracking.Table
	by        tracking.Client // the client that changed them; nil if keys expired
	keys      []string
	committed bool
}

// Commit implements store.Effect.
func (i *invalidation) Commit() {
	i.committed = true
	i.table.Changed(i.keys, i.by)
}

// invalidate is the change sink of the store: it records that a key was changed, if any client tracks.
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

// Flushed tells the clients that track that all keys are invalid, when the transaction commits: FLUSHALL. Since 8.0
// Redis frees the keys in the background before it replies, and a client that has flushed is told before that.
func (c *Call) Flushed(async bool) {
	c.Env().AnyChanged(c.Tx)
	c.flushed = !async && !c.nested && c.Does(emulate.FlushesBeforeReply)
	if table := &c.Env().Tracking; table.Active() {
		c.Tx.Defer(store.EffectFunc(table.Flushed))
	}
}

// track remembers the keys that a read-only call has read. For a call of a script these are the keys that the script
// has declared, as in Redis before 7.2. What the transaction has changed before is invalidated first, at its commit.
func (c *Call) track() {
	t := c.Session.Tracker()
	if t == nil || !c.Cmd.Flags.Has(ReadOnly) || c.Cmd.Script != nil || !t.Wanted() {
		return
	}
	reader := c
	if c.fromScript && !c.Does(emulate.TracksReadsOfScripts) {
		reader = c.Session.lua.outer
	}
	var keys []string
	reader.Cmd.Keys.each(reader.Args, func(pos int) { keys = append(keys, string(reader.Args[pos])) })
	remember := func() { c.Env().Tracking.Remember(t, keys, int(c.Env().Config.TrackedKeys())) }
	if c.Tx.LastEffect() == nil {
		remember()
		return
	}
	c.Tx.Defer(store.EffectFunc(remember))
}

// keepsCaching reports whether CLIENT CACHING still applies to the command after this one.
func (c *Command) keepsCaching() bool {
	return c.container != nil && c.container.Flags.Has(KeepsCaching)
}

// endCaching ends the effect of CLIENT CACHING after the command that it applied to.
func (s *Session) endCaching(cmd *Command) {
	t := s.Tracker()
	if p := s.blocked.Load(); p != nil && p.stopped {
		return // it has not run yet
	}
	if t == nil || s.multi != nil || cmd != nil && cmd.keepsCaching() {
		return
	}
	t.EndCaching()
}

// Tracker returns the client's tracker, nil until NewTracker is called. It is safe for concurrent use.
func (s *Session) Tracker() *tracking.Tracker { return s.tracker.Load() }

// NewTracker returns the client's tracker, a new one if there is none.
func (s *Session) NewTracker() *tracking.Tracker {
	if s.Tracker() == nil {
		s.tracker.Store(s.env.Tracking.NewTracker(s))
	}
	return s.Tracker()
}

// Untrack implements CLIENT TRACKING OFF.
func (s *Session) Untrack() {
	if t := s.Tracker(); t != nil {
		t.TurnOff()
	}
}

// ClientID implements tracking.Client.
func (s *Session) ClientID() int64 { return s.ID }

// Closed implements tracking.Client. It is safe for concurrent use.
func (s *Session) Closed() bool { return s.info.closed.Load() }

// PutPush implements tracking.Client. It may be called from any goroutine, under any lock.
func (s *Session) PutPush(p tracking.Push) {
	s.pushes.put(p)
	s.peer.Wake()
}
