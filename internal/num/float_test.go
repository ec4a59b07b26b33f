package num

import (
	"math"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestParseFloat(t *testing.T) {
	for s, want := range map[string]float64{"0": 0, "-1": -1, "3.25": 3.25, "1e3": 1000, ".5": 0.5, "5.": 5, "+2": 2,
		"0x10": 16, "-0x.8": -0.5, "0x1p3": 8,
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

// The expectations are the numbers that redis-server 7.0.15 accepts for SORT, and those it rejects.
func TestUnderflows(t *testing.T) {
	for s, want := range map[string]bool{
		"0x1p-1070": false, "0x1p-1074": false, "-0x1p-1074": false, "0x1.8p-1074": true, "0x1.8p-1073": false,
		"4.9e-324": true, "-4e-324": true,
		"5e-324": true, "1e-310": true, "2.2250738585072014e-308": false,
		"2.225073858507201e-308": true, "2.2250738585072011e-308": true,
		"2.22507385850720138e-308": false, "0x0.8p-1022": false, "0x1p-1022": false, "0x1.fffffffffffffp-1023": true,
		"0x1.ffffffffffffep-1023": false, "0x1.fffffffffffff8p-1023": false, "0x1.fffffffffffff7p-1023": true,
		"0x1.fffffffffffff9p-1023":      false,
		"0x1.0000000000000000001p-1022": false, "0e-999": false,
		"0x0p-9999": false, "1": false, "-inf": false,
	} {
		f, ok := ParseFinite([]byte(s))
		require.True(t, ok, s)
		require.Equal(t, want, Underflows([]byte(s), f), s)
	}
}

func TestParseFinite_OutOfRange(t *testing.T) {
	for _, s := range []string{"1e400", "-1e400", "1e-400", "0x1p-9999", "0xep-9999", "0x00e1p-9999", "0xfp99999"} {
		_, ok := ParseFinite([]byte(s))
		require.False(t, ok, s)
	}
	for _, s := range []string{"inf", "-Infinity", "0", "-0.0e5", "0e99999", "0x0p-9999", "1e-310",
		"1.7976931348623157e308"} {
		_, ok := ParseFinite([]byte(s))
		require.True(t, ok, s)
	}
}
