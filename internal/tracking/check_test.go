package tracking

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// anyone is a client that is told nothing.
type anyone struct{}

func (anyone) ClientID() int64 { return 1 }
func (anyone) Closed() bool    { return false }
func (anyone) PutPush(Push)    {}

func TestTable_CheckNoClients(t *testing.T) {
	var table Table
	require.NoError(t, table.CheckNoClients())
	of := table.NewTracker(anyone{})
	require.NoError(t, of.TurnOn(new(State), func(*State) error { return nil }))
	table.Remember(of, []string{"k"}, 0)
	require.ErrorContains(t, table.CheckNoClients(), "1 clients still track")
	of.TurnOff()
	require.ErrorContains(t, table.CheckNoClients(), "0 clients still track, and 1 trackers are left")
	of.Drop()
	require.NoError(t, table.CheckNoClients())
	table.Remember(of, []string{"k"}, 0)
	require.ErrorContains(t, table.CheckNoClients(), "1 keys are remembered")
}
