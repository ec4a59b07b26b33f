package lock

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The text in the first pair of braces determines the slot, unless it is empty (Redis Cluster specification).
func TestHashTag(t *testing.T) {
	for key, want := range map[string]string{"k": "k", "{a}b": "a", "x{a}{b}": "a", "{}a": "{}a", "{a": "{a", "a}{b}": "b",
		"{{a}}": "{a"} {
		require.Equal(t, want, hashTag(key), key)
	}
}
