package lock

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// What is in the first pair of braces decides the slot, if that is something (Redis Cluster specification).
func TestHashTag(t *testing.T) {
	for key, want := range map[string]string{"k": "k", "{a}b": "a", "x{a}{b}": "a", "{}a": "{}a", "{a": "{a", "a}{b}": "b",
		"{{a}}": "{a"} {
		require.Equal(t, want, hashTag(key), key)
	}
}
