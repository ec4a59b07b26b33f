package store

import (
	"testing"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
)

func TestStore_CheckNoClients(t *testing.T) {
	st := brokenStore{New(clock.NewOffset(clock.Real{}), 16)}
	t.Cleanup(st.Close)
	require.NoError(t, st.CheckNoClients())

	var w Waiter
	st.wait("list", &w)
	require.ErrorContains(t, st.CheckNoClients(), `1 clients wait for key "list"`)
	st.StopCounting(&w)
	st.Leave(&w)
	require.NoError(t, st.CheckNoClients())

	var watch Watch
	tx := st.NewTx()
	tx.Do(All, false, func() { tx.Watch(&watch, []byte("watched")) }, func() {})
	require.ErrorContains(t, st.CheckNoClients(), `1 clients watch key "watched"`)
	st.Unwatch(&watch)
	require.NoError(t, st.CheckNoClients())
}
