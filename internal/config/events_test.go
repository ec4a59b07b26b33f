package config

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestEventsValue(t *testing.T) {
	for letters, canonical := range map[string]string{
		"": "", "KEA": "AKE", "A": "A", "Kx": "xK", "mnKEx": "xnKEm", "KEg$lshzxetdmn": "AKEm",
		"tezhsl$gdEK": "g$lshzetdKE",
	} {
		got, err := eventsValue(letters)
		require.NoError(t, err)
		require.Equal(t, canonical, displayEvents(got), letters)
	}
	full, err := eventsValue("nKEA")
	require.NoError(t, err)
	require.Equal(t, "AnKE", full, "n is left out, but has its effect")
	_, err = eventsValue("KQ")
	require.Equal(t, errEvents, err)
}
