package store

// CheckNoClients is for tests: it returns an error if a key has a WATCH or a waiter though all clients are gone.
func (st *Store) CheckNoClients() error {
	var c checker
	tx := st.NewTx()
	tx.Do(All, false, func() {
		for i := range st.shards {
			c.noClients(&st.shards[i])
		}
	}, func() {})
	return c.err
}

func (c *checker) noClients(sh *shard) {
	c.where = "clients"
	for k, queue := range sh.waiters.byKey {
		c.require(false, "%d clients wait for key %q, and all are gone", len(queue), k.key)
	}
	sh.watched.mu.Lock()
	defer sh.watched.mu.Unlock()
	for k, set := range sh.watched.keys {
		c.require(false, "%d clients watch key %q, and all are gone", len(set), k.key)
	}
}
