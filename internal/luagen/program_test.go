package luagen

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestGenerate_SameSeedSameProgram(t *testing.T) {
	for _, o := range []Options{{}, {Libraries: true}} {
		require.Equal(t, Generate(5, o).Source(), Generate(5, o).Source())
		require.NotEqual(t, Generate(5, o).Source(), Generate(6, o).Source())
	}
}

// Shrink must leave only what the failure needs: here one call and the statements that contain it.
func TestProgram_Shrink(t *testing.T) {
	found := 0
	for seed := range uint64(200) {
		p := Generate(seed, Options{Libraries: true})
		fails := func(source string) bool { return strings.Contains(source, "table.sort") }
		if !fails(p.Source()) {
			continue
		}
		found++
		short := p.Shrink(fails)
		require.True(t, fails(short.Source()), "seed %d", seed)
		require.Equal(t, 1, strings.Count(short.Source(), "table.sort"), "seed %d", seed)
		require.True(t, strings.HasPrefix(short.Source(), harness), "seed %d", seed)
		require.Equal(t, short.Source(), short.Shrink(fails).Source(), "nothing more can be dropped: seed %d", seed)
	}
	require.NotZero(t, found)
}

func TestGenerateTables_SameSeedSameProgram(t *testing.T) {
	require.Equal(t, GenerateTables(5).Source(), GenerateTables(5).Source())
	require.NotEqual(t, GenerateTables(5).Source(), GenerateTables(6).Source())
}
