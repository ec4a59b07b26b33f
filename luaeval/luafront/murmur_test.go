package luafront

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestMurmurHash_KnownValues(t *testing.T) {
	for _, c := range []struct {
		text       string
		seed, want uint32
	}{
		{"", 0, 0}, {"", 1, 0x514e28b7}, {"", 0xffffffff, 0x81f16f39}, {"test", 0, 0xba6bd213},
		{"Hello, world!", 0, 0xc0363e43}, {"The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723},
	} {
		require.Equal(t, c.want, murmurHash(c.text, c.seed), c.text)
	}
}
