package locks

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// An event is a line in the message of a failed test.
func TestEvent_String(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	list := []Event{
		{Type: Taken, Time: at, Lock: "order:1", Owner: "me:1", Holds: 1, Lease: 30 * time.Second,
			Client: Client{ID: 7, Addr: "a:1"}},
		{Type: Lapsed, Time: at, Lock: "order:1", Owner: "me:1", Lost: true},
		{Type: Taken, Time: at, Lock: "sem", Holds: 2},
	}
	require.Equal(t, `[03:04:05.006 taken "order:1" by me:1, holds 1, lease 30s, id=7 addr=a:1 `+
		`03:04:05.006 lapsed "order:1" by me:1, holds 0, lost 03:04:05.006 taken "sem", holds 2]`, fmt.Sprint(list))
}
