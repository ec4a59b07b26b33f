package command

import (
	"bytes"

	"github.com/minilockd/minilockd/store"
)

// KeyChange is a key that a transaction has changed.
type KeyChange struct {
	DB  int
	Key []byte // valid until Hooks.Committed returns
	All bool   // instead, all keys may have changed: by a flush, a swap of databases or a restore
}

// keyChanges collects what a transaction changes, and is the effect that tells the hooks when it commits. A session has
// one, and uses its memory again.
type keyChanges struct {
	env     *Env
	tx      *store.Tx
	list    []KeyChange
	names   []byte // the memory of the keys of list
	pending bool   // it is among the effects of the transaction, unless that was rolled back
	told    bool   // the hooks have been told of a change by the call
}

// changesOf returns what collects the changes of a transaction, and defers it unless it was the last effect.
func (e *Env) changesOf(tx *store.Tx) *keyChanges {
	last := tx.LastEffect()
	if c, ok := last.(*keyChanges); ok && c.pending {
		return c
	}
	c := e.collectorOf(tx)
	if last == nil {
		c.reset() // what a run has left that was rolled back
	}
	c.pending = true
	tx.Defer(c)
	return c
}

// collectorOf returns the one of the session, or a new one for a timer.
func (e *Env) collectorOf(tx *store.Tx) *keyChanges {
	s, ok := tx.Owner.(*Session)
	if !ok {
		return &keyChanges{env: e, tx: tx}
	}
	if s.changes == nil {
		s.changes = &keyChanges{env: e, tx: tx}
	}
	return s.changes
}

// add adds a key. Most scripts change one key several times.
func (c *keyChanges) add(db int, key []byte) {
	if n := len(c.list); n > 0 && c.list[n-1].DB == db && bytes.Equal(c.list[n-1].Key, key) {
		return
	}
	start := len(c.names)
	c.names = append(c.names, key...)
	c.list = append(c.list, KeyChange{DB: db, Key: c.names[start:len(c.names):len(c.names)]})
}

// addAll adds all keys.
func (c *keyChanges) addAll() { c.list = append(c.list, KeyChange{All: true}) }

// Commit implements store.Effect. What the hooks read may be due to expire, which is one change more.
func (c *keyChanges) Commit() {
	for told := 0; told < len(c.list); {
		more := c.list[told:]
		told = len(c.list)
		c.env.Hooks.Committed(c.tx, more)
	}
	c.told = true
	c.reset()
}

// reset forgets the changes. It leaves no more memory than most transactions need.
func (c *keyChanges) reset() {
	const most = 64
	c.list, c.names, c.pending = c.list[:0], c.names[:0], false
	if cap(c.list) > most {
		c.list, c.names = nil, nil
	}
}
