package num

import (
	"math"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestParseInt(t *testing.T) {
	for s, want := range map[string]int64{"0": 0, "-1": -1, "42": 42, "9223372036854775807": math.MaxInt64,
		"-9223372036854775808": math.MinInt64} {
		n, ok := ParseInt([]byte(s))
		require.True(t, ok, s)
		require.Equal(t, want, n, s)
	}
	for _, s := range []string{"", "-", "+1", "01", "-0", " 1", "1 ", "1.0", "0x1", "9223372036854775808",
		"-9223372036854775809", "99999999999999999999"} {
		_, ok := ParseInt([]byte(s))
		require.False(t, ok, s)
	}
}
