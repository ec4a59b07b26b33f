package command

import (
	"slices"

	"github.com/minilockd/minilockd/store"
)

// invalidation is the keys that a transaction has changed. Those who track hear of them when it commits.
type invalidation struct {
	env  *Env
	by   *Session
	keys []string
	told bool
}

// Commit implements store.Effect.
func (i *invalidation) Commit() {
	i.told = true
	i.env.tracking.changed(i.keys, i.by)
}

// invalidate notes that a key was changed, if anybody tracks.
func (e *Env) invalidate(tx *store.Tx, key []byte) {
	if e.tracking.clients.Load() == 0 {
		return
	}
	if last, ok := tx.LastEffect().(*invalidation); ok && !last.told {
		if !slices.Contains(last.keys, string(key)) {
			last.keys = append(last.keys, string(key))
		}
		return
	}
	by, _ := tx.Owner.(*Session)
	tx.Defer(&invalidation{env: e, by: by, keys: []string{string(key)}})
}

// flushed is that a database was emptied.
type flushed struct{ env *Env }

// Commit implements store.Effect.
func (f flushed) Commit() { f.env.tracking.flushed() }

// flushed tells those who track that their keys are gone when the transaction commits.
func (c *Call) flushed() {
	if c.Env().tracking.clients.Load() > 0 {
		c.Tx.Defer(flushed{c.Env()})
	}
}

// track notes which keys the client has read, when the call reads. A script's reads count for the keys that it declared.
func (c *Call) track() {
	t := c.Session.tracker
	if t == nil || !c.Cmd.Flags.has(ReadOnly) || c.Cmd.Script != nil || !t.wanted(c.Env()) {
		return
	}
	of := c
	if c.scripted {
		of = c.Session.lua.outer
	}
	var keys []string
	of.Cmd.Keys.each(of.Args, func(pos int) { keys = append(keys, string(of.Args[pos])) })
	c.Env().tracking.remember(t, keys, int(c.Env().Config.TrackedKeys()))
}

// wanted reports whether what is read now is to be tracked. The mode is that of the session's own commands, which alone change
// it, but for what is said of it in sending.
func (of *tracker) wanted(e *Env) bool {
	e.tracking.mu.Lock()
	defer e.tracking.mu.Unlock()
	cached := of.mode&trackCaching != 0
	switch {
	case !of.on, of.mode&trackBroadcast != 0,
		of.mode&trackOptIn != 0 && !cached,
		of.mode&trackOptOut != 0 && cached:
		return false
	}
	return true
}

// untrackNext ends what CLIENT CACHING has said, once the next command has run.
func (s *Session) untrackNext(cmd *Command) {
	if s.tracker == nil || s.multi != nil || cmd != nil && cmd.parent == "client" {
		return
	}
	s.env.tracking.mu.Lock()
	defer s.env.tracking.mu.Unlock()
	s.tracker.mode &^= trackCaching
}

// untrack ends CLIENT TRACKING.
func (c *Call) untrack() {
	if c.Session.tracker != nil {
		_ = c.Env().tracking.set(c.Session, false, nil)
	}
}
