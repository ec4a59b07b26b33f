package luaeval

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                             nil,
		" \t":                          nil,
		"#!lua":                        {"#!lua"},
		"#!lua  a\tb\r":                {"#!lua", "a", "b"},
		`name="a b" 'c d'`:             {"name=a b", "c d"},
		`"\x41\x4a\xzz\n\r\t\b\a\"\\"`: {"AJxzz\n\r\t\b\a\"\\"},
		`'it\'s \n'`:                   {`it's \n`},
		`"" ''`:                        {"", ""},
	} {
		words, ok := splitWords(line)
		require.True(t, ok, line)
		require.Equal(t, want, words, line)
	}
	for _, line := range []string{`"`, `'`, `"a"b`, `'a'b`, `"a\`, `a "b`} {
		_, ok := splitWords(line)
		require.False(t, ok, line)
	}
}

func TestScriptHeader(t *testing.T) {
	for source, want := range map[string]Flags{
		"return 1":                 0,
		" #!lua\n":                 0,
		"#!lua\n":                  Declared,
		"#!lua flags=\n":           Declared,
		"#!lua flags=no-writes\nx": Declared | NoWrites,
		"#!lua flags=allow-oom flags=allow-stale,no-cluster,allow-cross-slot-keys\n": Declared | AllowOOM | AllowStale | NoCluster |
			AllowCrossSlotKeys,
	} {
		flags, _, err := scriptHeader(source)
		require.NoError(t, err, source)
		require.Equal(t, want, flags, source)
	}
	_, body, err := scriptHeader("#!lua\nreturn 1\n")
	require.NoError(t, err)
	require.Equal(t, "\nreturn 1\n", body)
}

func TestFlags_Names(t *testing.T) {
	require.Equal(t, []string{"no-writes", "allow-cross-slot-keys"}, (AllowCrossSlotKeys | NoWrites | Declared).Names())
	require.Empty(t, Declared.Names())
}
