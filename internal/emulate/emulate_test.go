package emulate

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestHas(t *testing.T) {
	for since, want := range map[string]string{
		"":                 "7.0 7.2 7.4 8.0 8.2 8.4 valkey-8.1 valkey-9.1",
		"2.6.0":            "7.0 7.2 7.4 8.0 8.2 8.4 valkey-8.1 valkey-9.1",
		"7.2":              "7.2 7.4 8.0 8.2 8.4 valkey-8.1 valkey-9.1",
		"7.2.5":            "7.2 7.4 8.0 8.2 8.4 valkey-8.1 valkey-9.1",
		"7.4.0":            "7.4 8.0 8.2 8.4",
		"8.4":              "8.4",
		"8.0 valkey-9.0.0": "8.0 8.2 8.4 valkey-9.1",
		"<7.2":             "7.0",
		"<8.0":             "7.0 7.2 7.4",
		"<valkey-9.1":      "valkey-8.1",
		"redis":            "7.0 7.2 7.4 8.0 8.2 8.4",
		"valkey":           "valkey-8.1 valkey-9.1",
		"=8.0 =valkey-8.1": "8.0 valkey-8.1",
		"valkey <7.2":      "7.0 valkey-8.1 valkey-9.1",
	} {
		var got []string
		for _, s := range All() {
			if s.Has(since) {
				got = append(got, s.Name)
			}
		}
		require.Equal(t, want, strings.Join(got, " "), since)
	}
}

func TestNamed(t *testing.T) {
	s := Named("Valkey-9.1")
	require.Equal(t, "9.1.2", s.Version)
	require.Equal(t, "7.2.4", s.RedisVersion())
	require.Equal(t, 0x090102, s.Number())
	require.Equal(t, 0x070204, s.RedisNumber())
	require.Equal(t, "9.0.0", s.Since("8.0.0 valkey-9.0.0"))
	require.Equal(t, "2.6.0", s.Since("2.6.0"))

	require.Equal(t, Default, Named("").Name)
	require.True(t, Named("6.2") == nil)
}

// Each behavior has one line, and at least one server differs from the others in it.
func TestList(t *testing.T) {
	seen := make(map[Behavior]bool)
	for _, b := range list {
		require.False(t, seen[b.behavior], b.what)
		seen[b.behavior] = true
		does := 0
		for _, s := range All() {
			if s.Does(b.behavior) {
				does++
			}
		}
		require.True(t, 0 < does && does < len(All()), b.what)
	}
	require.Equal(t, int(behaviors), len(list))
}
