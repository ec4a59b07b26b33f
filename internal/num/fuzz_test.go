package num

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// FuzzParseFloat: what is read is a number that, printed and read again, is the same one.
func FuzzParseFloat(f *testing.F) {
	for _, seed := range []string{"", "1", "-0.5", "1e308", "1e400", "1e-400", "inf", "-Infinity", "nan", "0x1p-2",
		"0xA.8", "0x", "1_0", " 1", "1 ",
		"+.5", ".", "5.", "0x1e400", "0xep-9999", "00012", "1e", "--1"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, ok := ParseFloat(b)
		finite, alsoOK := ParseFinite(b)
		require.True(t, ok || !alsoOK, "finite numbers are numbers")
		if !ok {
			return
		}
		require.False(t, math.IsNaN(v))
		require.Equal(t, strings.TrimSpace(string(b)), string(b), "blanks are no part of a number")
		require.NotContains(t, string(b), "_")
		if alsoOK {
			require.Equal(t, v, finite)
		} else {
			require.True(t, v == 0 || math.IsInf(v, 0), "only what is out of range is left out")
		}
		again, ok := ParseFloat(strconv.AppendFloat(nil, v, 'g', 17, 64))
		require.True(t, ok)
		require.Equal(t, v, again)
	})
}

// FuzzParseInt: exactly the words that printing gives are read.
func FuzzParseInt(f *testing.F) {
	for _, seed := range []string{"", "0", "-0", "+1", "01", "-1", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "1x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := strconv.ParseInt(string(b), 10, 64)
		canonical := err == nil && strconv.FormatInt(n, 10) == string(b)
		got, ok := ParseInt(b)
		require.Equal(t, canonical, ok)
		if ok {
			require.Equal(t, n, got)
		}
	})
}
