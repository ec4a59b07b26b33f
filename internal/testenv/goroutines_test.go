package testenv

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func TestNoGoroutines(t *testing.T) {
	const own = "internal/testenv"
	require.NoError(t, NoGoroutines(0, own))
	started, end := make(chan bool), make(chan bool)
	go func() {
		close(started)
		<-end
	}()
	<-started
	require.ErrorContains(t, NoGoroutines(0, own), "1 goroutines are left:\ngoroutine ")
	require.NoError(t, NoGoroutines(0, "internal/other"))
	close(end)
	require.NoError(t, NoGoroutines(time.Minute, own))
}
