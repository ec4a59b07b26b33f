package geohash

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

var (
	palermo = Point{13.361389, 38.115556}
	catania = Point{15.087269, 37.502669}
)

func randomPoint(rnd *rand.Rand) Point {
	return Point{(2*rnd.Float64() - 1) * MaxLon, (2*rnd.Float64() - 1) * MaxLat}
}

// The expectations are what redis-server 7.0.15 answers.
func TestScore_AsRedis(t *testing.T) {
	require.Equal(t, 3479099956230698.0, Score(palermo))
	require.Equal(t, 3479447370796909.0, Score(catania))
	require.Equal(t, Point{13.36138933897018433, 38.11555639549629859}, PointOf(Score(palermo)))
	require.Equal(t, "sqc8b49rny0", Text(Score(palermo)))
	require.Equal(t, "sqdtr74hyu0", Text(Score(catania)))
	require.InDelta(t, 166274.1516, Distance(PointOf(Score(palermo)), PointOf(Score(catania))), 0.00005)
}

func TestPointOf_IsWithinTheCell(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		p := randomPoint(rnd)
		back := PointOf(Score(p))
		require.InDelta(t, p.Lon, back.Lon, 360.0/(1<<26))
		require.InDelta(t, p.Lat, back.Lat, 180.0/(1<<26))
		require.Equal(t, Score(p), Score(back))
	}
}

func TestPointOf_AnyNumberIsAPlace(t *testing.T) {
	for _, score := range []float64{-1, 0, 0.5, 1e17, 1e30, -1e30, math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		require.True(t, PointOf(score).Valid(), "%v", score)
		require.Len(t, Text(score), textLength)
	}
	require.Equal(t, int64(math.MinInt64), Integer(math.Inf(1)))
	require.EqualValues(t, -3, Integer(-3.7))
}

func TestCell_BitsAndBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	for range 5000 {
		c := cell{lon: rnd.Uint32(), lat: rnd.Uint32(), steps: 26}
		require.Equal(t, c, cellOfBits(c.bits(), 26))
	}
	require.Equal(t, uint64(0b1001), cell{lon: 0b10, lat: 0b01}.bits())
}

func TestPoint_Valid(t *testing.T) {
	require.True(t, Point{-180, 85.05112878}.Valid())
	require.False(t, Point{-180.1, 0}.Valid())
	require.False(t, Point{0, 85.06}.Valid())
}

func TestDistance_AlongAMeridian(t *testing.T) {
	require.Equal(t, latDistance(10, 20), Distance(Point{7, 10}, Point{7, 20}))
	require.Zero(t, Distance(palermo, palermo))
	require.InDelta(t, math.Pi*earthRadius, Distance(Point{0, 0}, Point{180, 0}), 1e-3)
}

// Every position within a shape must be in exactly one of the ranges, unless the shape crosses the date line, where
// Redis' search ends, too.
func TestShape_Ranges_HaveAllPlacesWithin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	found := 0
	for range 2000 {
		s := Shape{Center: Point{(2*rnd.Float64() - 1) * 120, (2*rnd.Float64() - 1) * 60}, Unit: 1000, Box: rnd.IntN(2) == 0}
		size := math.Pow(10, 3.3*rnd.Float64())
		s.Radius, s.Width, s.Height = size, size*rnd.Float64()*2, size*rnd.Float64()*2
		ranges := s.Ranges()
		for range 30 {
			p := Point{s.Center.Lon + rnd.NormFloat64()*size/200, s.Center.Lat + rnd.NormFloat64()*size/200}
			if !p.Valid() {
				continue
			}
			if _, within := s.Distance(PointOf(Score(p))); !within {
				continue
			}
			found++
			require.Equal(t, 1, inRanges(ranges, Score(p)), "%+v %+v", s, p)
		}
	}
	require.Greater(t, found, 10_000)
}

func inRanges(ranges []Range, score float64) (n int) {
	for _, r := range ranges {
		if score >= r.Min && score < r.Max {
			n++
		}
	}
	return n
}

func BenchmarkDistance(b *testing.B) {
	for b.Loop() {
		_ = Distance(palermo, catania)
	}
}
