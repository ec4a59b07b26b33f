package admin

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestHumanBytes(t *testing.T) {
	for n, want := range map[uint64]string{0: "0B", 1023: "1023B", 1024: "1.00K", 1536: "1.50K", 3 << 30: "3.00G",
		1 << 62: "4096.00P"} {
		require.Equal(t, want, humanBytes(n))
	}
}
