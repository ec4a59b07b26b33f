package luaeval

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestScriptHeader(t *testing.T) {
	const allButNoWrites = Declared | AllowOOM | AllowStale | NoCluster | AllowCrossSlotKeys
	for source, want := range map[string]Flags{
		"return 1":                 0,
		" #!lua\n":                 0,
		"#!lua\n":                  Declared,
		"#!lua flags=\n":           Declared,
		"#!lua flags=no-writes\nx": Declared | NoWrites,
		"#!lua flags=allow-oom flags=allow-stale,no-cluster,allow-cross-slot-keys\n": allButNoWrites,
	} {
		flags, _, err := newEngine().scriptHeader(source)
		require.NoError(t, err, source)
		require.Equal(t, want, flags, source)
	}
	_, body, err := newEngine().scriptHeader("#!lua\nreturn 1\n")
	require.NoError(t, err)
	require.Equal(t, "\nreturn 1\n", body)
}

func TestFlags_Names(t *testing.T) {
	require.Equal(t, []string{"no-writes", "allow-cross-slot-keys"}, (AllowCrossSlotKeys | NoWrites | Declared).Names())
	require.Empty(t, Declared.Names())
}
