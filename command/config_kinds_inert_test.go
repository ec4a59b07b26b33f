package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What parameters that change nothing here take is what Redis takes (compat_test compares all of them with it).
func TestConfig_InertValues(t *testing.T) {
	for _, c := range []struct {
		parse     func(string) (string, error)
		in, value string
		err       error
	}{
		{oomScoresValue, "0\x00x  -800", "0 0 -800", nil},
		{oomScoresValue, "0  200 -800", "", errConfigWords},
		{oomScoresValue, "0 200", "", errConfigWords},
		{oomScoresValue, "0 200 2001", "", errConfigOOMScores},
		{oomScoresValue, "0 200 x", "", errConfigOOMScores},
		{titleValue, "{title} {listen-addr}", "{title} {listen-addr}", nil},
		{titleValue, "{title}", "", errConfigTitle},
		{titleValue, "{nosuch}", "", errConfigTitle},
		{shutdownValue, "default", "default", nil},
		{shutdownValue, "FORCE now nosave", "nosave now force", nil},
		{shutdownValue, "save nosave", "", errConfigShutdown},
		{hostnameValue, "", "", nil},
		{hostnameValue, "a-b.example", "a-b.example", nil},
		{hostnameValue, "a b", "", errConfigHostname},
	} {
		value, err := c.parse(c.in)
		require.Equal(t, c.value, value, c.in)
		require.ErrorIs(t, err, c.err, c.in)
	}
	_, err := shutdownValue("never")
	require.Error(t, err)
}
