package stats

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestTruncate(t *testing.T) {
	args := make([][]byte, 40)
	for i := range args {
		args[i] = []byte("w")
	}
	args[1] = []byte(strings.Repeat("x", 130))
	got := Truncate(args)
	require.Len(t, got, 32)
	require.Equal(t, strings.Repeat("x", 128)+"... (2 more bytes)", got[1])
	require.Equal(t, "... (9 more arguments)", got[31])
	require.Len(t, Truncate(args[:32]), 32)
	require.Equal(t, "w", Truncate(args[:32])[31])
}
