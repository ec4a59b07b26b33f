package hashtag

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The slots are those of CLUSTER KEYSLOT.
func TestSlot(t *testing.T) {
	for key, want := range map[string]int{"123456789": 12739, "foo": 12182, "{user1000}.following": 3443,
		"{user1000}.followers": 3443, "": 0} {
		require.Equal(t, want, Slot([]byte(key)), key)
	}
}
