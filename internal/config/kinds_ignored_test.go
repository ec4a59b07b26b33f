package config

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// Ignored parameters accept and reject the values that Redis does (compat_test compares all of them with it).
func TestConfig_IgnoredValues(t *testing.T) {
	for _, c := range []struct {
		parse     func(string) (string, error)
		in, value string
		err       error
	}{
		{oomScoresValue, "0\x00x  -800", "0 0 -800", nil},
		{oomScoresValue, "0  200 -800", "", errWords},
		{oomScoresValue, "0 200", "", errWords},
		{oomScoresValue, "0 200 2001", "", errOOMScores},
		{oomScoresValue, "0 200 x", "", errOOMScores},
		{titleValue, "{title} {listen-addr}", "{title} {listen-addr}", nil},
		{titleValue, "{title}", "", errTitle},
		{titleValue, "{nosuch}", "", errTitle},
		{shutdownValue(shutdownWays), "default", "default", nil},
		{shutdownValue(shutdownWays), "FORCE now nosave", "nosave now force", nil},
		{shutdownValue(shutdownWays), "save nosave", "", errShutdown},
		{hostnameValue, "", "", nil},
		{hostnameValue, "a-b.example", "a-b.example", nil},
		{hostnameValue, "a b", "", errHostname},
	} {
		value, err := c.parse(c.in)
		require.Equal(t, c.value, value, c.in)
		require.ErrorIs(t, err, c.err, c.in)
	}
	_, err := shutdownValue(shutdownWays)("never")
	require.Error(t, err)
}
