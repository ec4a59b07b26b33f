package buffer

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestNew_HasRoom(t *testing.T) {
	for _, n := range []int{0, 1, Large, Large + 1, 1 << 20} {
		b := New(n)
		require.Empty(t, b)
		require.GreaterOrEqual(t, cap(b), n)
		Drop(b)
	}
}

func TestGrow_KeepsContent(t *testing.T) {
	b := []byte("content")
	for _, n := range []int{1, Large, 3 * Large} {
		b = Grow(b, n)
		require.Equal(t, "content", string(b))
		require.GreaterOrEqual(t, cap(b)-len(b), n)
	}
}
