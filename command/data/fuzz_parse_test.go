package data

import (
	"math"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// FuzzParseStreamID checks that an id that is parsed, printed and parsed again is the same, and that a range contains
// its ends unless they are excluded.
func FuzzParseStreamID(f *testing.F) {
	for _, seed := range []string{"", "-", "+", "0", "5-", "-5", "1-1", "(1-1", "(-", "(+", "((1",
		"18446744073709551615-18446744073709551615", "18446744073709551616", " 1", "+1-+2", "1-2-3", "1-*", "*"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if id, err := parseStreamID(b, 7); err == nil {
			again, err := parseStreamID(id.Append(nil), 0)
			require.NoError(t, err)
			require.Equal(t, id, again)
		}
		bound, err := parseStreamBound(b, 7)
		first, last, rangeErr := parseStreamRange(b, b)
		if _, open := cutOpen(b); !open {
			require.Equal(t, err, rangeErr)
		}
		if err == nil && rangeErr == nil {
			require.LessOrEqual(t, first.Compare(bound), 0)
			require.GreaterOrEqual(t, last.Compare(bound), 0)
		}
		if rangeErr == nil {
			require.True(t, first.Compare(store.MaxStreamID) <= 0)
		}
	})
}

// FuzzParseLongDouble checks that what INCRBYFLOAT parses and prints can be parsed again, and that no exponent takes
// long.
func FuzzParseLongDouble(f *testing.F) {
	for _, seed := range []string{"", "1", "-0.5", "1e4932", "1e-4951", "1e99999999", "1e-99999999", "inf", "nan",
		"0x1p-2", "0xA.8", "1_0", "1/3", " 1", "0b1", "1p5"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := parseLongDouble(b)
		if err != nil || v.IsInf() {
			return
		}
		text := formatLongDouble(v)
		require.Less(t, len(text), 2*longDoubleInput)
		if exp := v.MantExp(nil); exp > math.MinInt8/2 && len(text) < longDoubleInput {
			_, err = parseLongDouble(text)
			require.NoError(t, err)
		}
	})
}
