package store

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
)

// testStore is a store whose clock is stopped until the test advances it, and which records its events.
type testStore struct {
	*Store
	t     *testing.T
	clock *clock.Offset

	mu     sync.Mutex // guards events
	events []string   // "db event key"
}

// inStore runs a test in a bubble of virtual time, and checks the store when it has ended.
func inStore(t *testing.T, test func(*testStore)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(newTestStore(t)) })
}

// newTestStore returns a store that is checked and closed when the test ends.
func newTestStore(t *testing.T) *testStore {
	c := clock.NewOffset(clock.Real{})
	st := &testStore{Store: New(c, 16), t: t, clock: c}
	t.Cleanup(func() {
		st.Close()
		require.NoError(t, st.Check())
	})
	st.SetEventSink(func(_ *Tx, class EventClass, event string, db int, key []byte) {
		if class == EventNew || class == EventMiss { // they come with every new or missing key
			return
		}
		st.mu.Lock()
		defer st.mu.Unlock()
		st.events = append(st.events, fmt.Sprintf("%d %s %s", db, event, key))
	})
	return st
}

// all runs f in a transaction on every shard.
func (st *testStore) all(f func(*Tx)) {
	tx := st.NewTx()
	tx.Do(All, false, func() { f(tx) }, func() {})
}

// put stores a string under a key of database 0, with an expiry in ms from now, 0 for none.
func (st *testStore) put(key, value string, ttl int64) {
	st.all(func(tx *Tx) {
		when := int64(0)
		if ttl != 0 {
			when = tx.Now() + ttl
		}
		tx.PutUntil([]byte(key), NewString([]byte(value)), when)
	})
}

// dump is every key of a database with its string and what is left to it in ms.
func (st *testStore) dump(db int) map[string]string {
	found := map[string]string{}
	st.all(func(tx *Tx) {
		tx.In(db, func() {
			tx.Each(func(key []byte, e Entry) bool {
				text := string(e.Value().(*String).Bytes())
				if when, ok := e.ExpireAt(); ok {
					text += fmt.Sprintf(" for %d", when-tx.Now())
				}
				found[string(key)] = text
				return true
			})
		})
	})
	return found
}

// takeEvents returns the events since the last call.
func (st *testStore) takeEvents() []string {
	synctest.Wait()
	st.mu.Lock()
	defer st.mu.Unlock()
	events := st.events
	st.events = nil
	return events
}

func (st *testStore) requireEvents(want ...string) {
	st.t.Helper()
	require.Equal(st.t, append([]string(nil), want...), st.takeEvents())
}
