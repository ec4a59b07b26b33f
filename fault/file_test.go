package fault

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestParseFile(t *testing.T) {
	lines, err := ParseFile(strings.NewReader("# for the demo\n\n  COMMAND get THEN ERROR \"ERR two words\"  \r\n" +
		"\t# another\nCHANNEL '*' THEN DROP"))
	require.NoError(t, err)
	require.Equal(t, []Line{{3, Rule{Command: "get", Action: Error("ERR two words")}},
		{5, Rule{Channel: "*", Action: Drop()}}}, lines)
}

func TestParseFile_Errors(t *testing.T) {
	for text, want := range map[string]string{
		"THEN HANG\n\nTO FLY":    "line 3: ERR unknown condition 'TO'",
		"COMMAND 'get THEN HANG": "line 1: ERR unbalanced quotes in the rule",
		"FAULT.ADD THEN HANG":    "line 1: ERR unknown condition 'FAULT.ADD'",
	} {
		_, err := ParseFile(strings.NewReader(text))
		require.EqualError(t, err, want, text)
	}
	_, err := ParseFile(strings.NewReader(strings.Repeat("x", 1<<17)))
	require.Error(t, err)
}
