package hashtag

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The text in the first pair of braces is the tag, unless it is empty.
func TestOf(t *testing.T) {
	for key, want := range map[string]string{"k": "k", "{a}b": "a", "x{a}{b}": "a", "{}a": "{}a", "{a": "{a", "a}{b}": "b",
		"{{a}}": "{a", "": ""} {
		require.Equal(t, want, string(Of([]byte(key))), key)
	}
}
