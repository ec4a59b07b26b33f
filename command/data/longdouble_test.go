package data

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/require"
)

// The expected results are those of redis-server 7.0 on amd64.
func TestLongDouble_Sums(t *testing.T) {
	for _, c := range []struct{ a, b, sum string }{
		{"0.1", "0.2", "0.3"},
		{"0", "0", "0"},
		{"-5.5", "5.5", "0"},
		{"0", "-1e-18", "0"},
		{"1", "1.000000000000000001", "2"},
		{"12345678901234567.12345678901234567", "0.00000000000000001", "12345678901234567.123046875"},
		{"0", "123456789012345678901234567890", "123456789012345678899921813504"},
		{"0x10", "0x1.8p3", "28"},
		{"0X1P-4", "+5", "5.0625"},
		{"5.", ".5", "5.5"},
		{"010", "1E2", "110"},
		{"1e-4940", "3.6e-4951", "0"},
	} {
		a, err := parseLongDouble([]byte(c.a))
		require.NoError(t, err, c.a)
		b, err := parseLongDouble([]byte(c.b))
		require.NoError(t, err, c.b)
		sum, err := addLongDoubles(a, b)
		require.NoError(t, err)
		require.Equal(t, c.sum, string(formatLongDouble(sum)), "%s + %s", c.a, c.b)
	}
}

func TestLongDouble_Invalid(t *testing.T) {
	for _, text := range []string{"", ".", "-", "--1", "+-1", "1e", "1e+", "0x", "1_0", "0b1", "0o7", "1/2", " 1", "1 ",
		"1p3", "abc",
		"nan", "infi", "1e5000", "-1e5000", "1e-5000", "1e99999999999", strings.Repeat("1", longDoubleInput)} {
		_, err := parseLongDouble([]byte(text))
		require.ErrorIs(t, err, command.ErrNotFloat, text)
	}
}

func TestLongDouble_Infinity(t *testing.T) {
	one, err := parseLongDouble([]byte("1"))
	require.NoError(t, err)
	for _, text := range []string{"inf", "-INF", "+Infinity"} {
		inf, err := parseLongDouble([]byte(text))
		require.NoError(t, err, text)
		for _, other := range []string{"1", "inf", "-inf"} {
			b, _ := parseLongDouble([]byte(other))
			_, err = addLongDoubles(inf, b)
			require.ErrorIs(t, err, errNotFinite)
		}
		_, err = addLongDoubles(one, inf)
		require.ErrorIs(t, err, errNotFinite)
	}
	large, err := parseLongDouble([]byte("1e4932"))
	require.NoError(t, err)
	_, err = addLongDoubles(large, large)
	require.ErrorIs(t, err, errNotFinite)
}
