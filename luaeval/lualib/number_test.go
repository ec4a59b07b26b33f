package lualib

import (
	"math"
	"math/rand"
	"strconv"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// sampleNumbers are numbers around the limits where the form changes, and many at random.
func sampleNumbers() []float64 {
	samples := []float64{0, math.Copysign(0, -1), 0.1, 1.0 / 3, math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64,
		1 << 53}
	for exponent := -20; exponent <= 22; exponent++ {
		power := math.Pow10(exponent)
		samples = append(samples, power, -power, power-1, power+1, math.Nextafter(power, 0))
	}
	r := rand.New(rand.NewSource(1))
	for range 10_000 {
		if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			samples = append(samples, f, math.Trunc(f), float64(r.Int63()>>r.Intn(60)))
		}
	}
	return samples
}

func TestNumber_FastPathsAgreeWithTheGeneralForm(t *testing.T) {
	for _, f := range sampleNumbers() {
		require.Equal(t, strconv.FormatFloat(f, 'g', 14, 64), FormatNumber(f), "%v", f)
		require.Equal(t, strconv.FormatFloat(f, 'g', 17, 64), FormatArgument(f), "%v", f)
	}
}

func TestNumber_ArgumentsLoseNothing(t *testing.T) {
	for _, f := range sampleNumbers() {
		parsed, ok := ParseNumber(FormatArgument(f))
		require.True(t, ok, "%v", f)
		require.Equal(t, math.Float64bits(f), math.Float64bits(parsed), "%v", f)
	}
}

func TestNumber_NonFinite(t *testing.T) {
	for want, f := range map[string]float64{
		"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": positiveNaN, "-nan": negativeNaN,
	} {
		require.Equal(t, want, FormatNumber(f))
		require.Equal(t, want, FormatArgument(f))
		parsed, ok := ParseNumber(want)
		require.True(t, ok)
		require.Equal(t, math.Float64bits(f), math.Float64bits(parsed), want)
	}
}

func TestNumber_AppendKeepsWhatIsThere(t *testing.T) {
	require.Equal(t, "n=0.1", string(AppendNumber([]byte("n="), 0.1)))
	require.Equal(t, "n=0.10000000000000001", string(AppendArgument([]byte("n="), 0.1)))
}

func TestParseNumber_Decimal_AgreesWithGo(t *testing.T) {
	for _, f := range sampleNumbers() {
		for _, format := range []byte{'e', 'f', 'g'} {
			text := strconv.FormatFloat(f, format, -1, 64)
			parsed, ok := ParseNumber(" " + text + "\n")
			require.True(t, ok, text)
			require.Equal(t, f, parsed, text)
		}
	}
}
