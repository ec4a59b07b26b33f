package tracking

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// silentClient drops the pushes that it gets.
type silentClient struct{}

func (silentClient) ClientID() int64 { return 1 }
func (silentClient) Closed() bool    { return false }
func (silentClient) PutPush(Push)    {}

func TestTable_CheckNoClients(t *testing.T) {
	var table Table
	require.NoError(t, table.CheckNoClients())
	tracker := table.NewTracker(silentClient{})
	require.NoError(t, tracker.TurnOn(new(State), func(*State) error { return nil }))
	table.Remember(tracker, []string{"k"}, 0)
	require.ErrorContains(t, table.CheckNoClients(), "1 clients still track")
	tracker.TurnOff()
	require.ErrorContains(t, table.CheckNoClients(), "0 clients still track, and 1 trackers are left")
	tracker.Drop()
	require.NoError(t, table.CheckNoClients())
	table.Remember(tracker, []string{"k"}, 0)
	require.ErrorContains(t, table.CheckNoClients(), "1 keys are remembered")
}
