package num

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseFloat(t *testing.T) {
	for s, want := range map[string]float64{"0": 0, "-1": -1, "3.25": 3.25, "1e3": 1000, ".5": 0.5, "5.": 5, "+2": 2, "0x10": 16, "-0x.8": -0.5, "0x1p3": 8,
		"inf": math.Inf(1), "-Infinity": math.Inf(-1), "1e400": math.Inf(1), "1e-400": 0, "1e-310": 1e-310} {
		f, ok := ParseFloat([]byte(s))
		require.True(t, ok, s)
		require.Equal(t, want, f, s)
	}
	for _, s := range []string{"", "nan", "-nan", " 1", "1 ", "1_0", "x", "1x", "0x", "--1", "e5", "in", "1e"} {
		_, ok := ParseFloat([]byte(s))
		require.False(t, ok, s)
	}
}

func TestParseFinite_OutOfRange(t *testing.T) {
	for _, s := range []string{"1e400", "-1e400", "1e-400", "0x1p-9999", "0xep-9999", "0x00e1p-9999", "0xfp99999"} {
		_, ok := ParseFinite([]byte(s))
		require.False(t, ok, s)
	}
	for _, s := range []string{"inf", "-Infinity", "0", "-0.0e5", "0e99999", "0x0p-9999", "1e-310", "1.7976931348623157e308"} {
		_, ok := ParseFinite([]byte(s))
		require.True(t, ok, s)
	}
}
