package resp

import (
	"math"
	"strconv"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The expectations are what redis-server 8.0 replies.
func TestAppendDouble_Shortest(t *testing.T) {
	for want, f := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(),
		"3": 3, "-12": -12, "0.1": 0.1, "-0.3": -0.3, "0.00001": 1e-5, "1.23456e-4": 0.000123456, "1.5e-7": 1.5e-7,
		"5.242715645457697e+4": 52427.156454576972, "1234567890.123": 1234567890.123, "100000.5": 100000.5,
		"100000000000000000": 1e17, "123456789012345680": 123456789012345678, "1e+21": 1e21, "1.5e+300": 1.5e300,
		"5e-324": 5e-324, "53322701639186320000000": 5.332270163918632e22, "5e+19": 5e19, "3.3333333333333335": 10. / 3,
	} {
		require.Equal(t, want, string(AppendDouble(nil, f, Shortest)))
		if back, err := strconv.ParseFloat(want, 64); !math.IsNaN(f) {
			require.NoError(t, err)
			require.Equal(t, f, back)
		}
	}
	require.Equal(t, ",0.1\r\n", string(Append(nil, Double(0.1, Shortest), RESP3)))
	require.Equal(t, "$3\r\n0.1\r\n", string(Append(nil, Double(0.1, Shortest), RESP2)))
	require.Equal(t, ",0.10000000000000001\r\n", string(Append(nil, Double(0.1, Digits17), RESP3)))
}

// Grisu2 finds other digits than the shortest ones for some doubles. Redis 8.2 replies these.
func TestAppendDouble_AsGrisu2(t *testing.T) {
	for want, f := range map[string]float64{
		"636.5383605544949":  636.538360554495,
		"780269012617070.7":  780269012617070.8,
		"-599.1974348189231": -599.197434818923,
		"1563.8995111757729": 1563.899511175773,
	} {
		require.Equal(t, want, string(AppendDouble(nil, f, Shortest)))
	}
	buf := make([]byte, 0, 64)
	require.Equal(t, 0.0, testing.AllocsPerRun(100, func() { AppendDouble(buf, 1.0/3, Shortest) }))
}
