package store

// What a transaction does outside the keyspace (publish a message, send a notification) is collected as effects and
// happens when it commits: a run that is rolled back has none. Effects happen before the shards are released, so a
// client that is notified by one and then reads the keys finds what the transaction wrote; in return an effect must
// neither block nor begin a transaction.

// Effect is something outside the keyspace that happens when a transaction commits.
type Effect interface{ Commit() }

// EffectFunc is an effect that is rare enough to be a function of its own.
type EffectFunc func()

// Commit implements Effect.
func (f EffectFunc) Commit() { f() }

// Defer adds an effect to be committed at the end of the transaction.
func (tx *Tx) Defer(e Effect) { tx.effects = append(tx.effects, e) }

// LastEffect is the effect that was added last, or nil.
func (tx *Tx) LastEffect() Effect {
	if len(tx.effects) == 0 {
		return nil
	}
	return tx.effects[len(tx.effects)-1]
}

// commit commits the effects, then serves the clients that wait for changed keys, which may have effects in turn.
func (tx *Tx) commit() {
	for i := 0; i < len(tx.effects) || len(tx.ready.keys) > 0; {
		if i < len(tx.effects) {
			tx.effects[i].Commit()
			i++
			continue
		}
		tx.clock.set(tx.store.clock.Now()) // the transaction may have taken long
		tx.serveReady()
	}
}

func (tx *Tx) dropEffects() {
	clear(tx.effects)
	tx.effects = tx.effects[:0]
}
