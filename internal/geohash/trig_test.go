package geohash

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// nearestDoubles were computed with 200 bits and rounded.
var nearestDoubles = []struct {
	name    string
	f       func(float64) float64
	x, want float64
}{
	{"sin", sin, 0.7718226439073281, 0.6974425771198158},
	{"sin", sin, 1.5184222925573807, 0.9986287937512416},
	{"sin", sin, 1.8538155917525754, 0.9602166681843525},
	{"sin", sin, 2.778587782119876, 0.35508488832194957},
	{"sin", sin, 1.5065630493667652, 0.9979377522364503},
	{"sin", sin, 2.652200979058819, 0.47008905557433556},
	{"sin", sin, -2.9578471663788997, -0.18271328300647016},
	{"sin", sin, -0.21588973050549853, -0.2142165894420949},
	{"cos", cos, 1.3921400913747048, 0.17770735788014408},
	{"cos", cos, 0.46778009684994193, 0.892571454251142},
	{"cos", cos, 1.2588275440969554, 0.306932981867751},
	{"cos", cos, -1.2145332709891268, 0.3487743875052093},
	{"cos", cos, -0.09712318996400593, 0.9952872493145164},
	{"cos", cos, -0.7957613055737328, 0.6997410948145402},
	{"cos", cos, 0.13740909800082157, 0.990574214797022},
	{"cos", cos, 0.2321753300942364, 0.9731681653052566},
	{"asin", asin, 0.013114189588902203, 0.013114565518687137},
	{"asin", asin, 0.21672980046384815, 0.21846339841098614},
	{"asin", asin, 0.2794823660111103, 0.28325494950320157},
	{"asin", asin, 0.9163453718085519, 1.1588552689232445},
	{"asin", asin, 0.7657254516291417, 0.8721685099793194},
	{"asin", asin, 0.15960421235803823, 0.16028971285405083},
	{"asin", asin, 0.7971469914312045, 0.9225551646792571},
	{"asin", asin, 0.13876741839890316, 0.13921668250487534},
	{"sin", sin, 1e-09, 1e-09},
	{"sin", sin, -0.0078125, -0.0078124205273828315},
	{"sin", sin, 3.141592653589793, 1.2246467991473532e-16},
	{"sin", sin, 1.5707963267948966, 1.0},
	{"sin", sin, 3.1415926535, 8.979318433952318e-11},
	{"cos", cos, 0.0, 1.0},
	{"cos", cos, 1.5707963267948966, 6.123233995736766e-17},
	{"cos", cos, 1.4844222297453324, 0.08626673833405434},
	{"asin", asin, 0.0, 0.0},
	{"asin", asin, 1e-09, 1e-09},
	{"asin", asin, 0.5, 0.5235987755982989},
	{"asin", asin, 0.7071067811865476, 0.7853981633974484},
	{"asin", asin, 0.9999999999999999, 1.5707963118937354},
	{"asin", asin, 1.0, 1.5707963267948966},
}

func TestTrig_TheNearestDouble(t *testing.T) {
	for _, c := range nearestDoubles {
		require.Equal(t, c.want, c.f(c.x), "%s(%v)", c.name, c.x)
	}
}

func TestTrig_CloseToPackageMath(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		x := (2*rnd.Float64() - 1) * math.Pi
		require.InDelta(t, math.Sin(x), sin(x), 2e-16)
		require.InDelta(t, math.Cos(x), cos(x), 2e-16)
		z := rnd.Float64()
		require.InDelta(t, math.Asin(z), asin(z), 1e-14)
	}
	require.Equal(t, math.Cos(1e6), cos(1e6))
	require.True(t, math.IsNaN(cos(math.Inf(1))))
	require.True(t, math.IsNaN(asin(1.5)))
	require.True(t, math.Signbit(sin(math.Copysign(0, -1))))
}
