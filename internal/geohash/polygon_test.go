package geohash

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestShape_Polygon(t *testing.T) {
	var s Shape
	s.SetPolygon([]Point{{-1, -1}, {4, -1}, {4, 4}, {-1, 4}})
	require.InDelta(t, 1.5, s.Center.Lon, 1e-9)
	require.InDelta(t, 1.501429, s.Center.Lat, 1e-6) // on a sphere: the northern edge is shorter
	for p, want := range map[Point]bool{{0, 0}: true, {3.9, 3.9}: true, {4.1, 2}: false, {2, -1.1}: false} {
		_, within := s.Distance(p)
		require.Equal(t, want, within, "%v", p)
		covered := false
		for _, r := range s.Ranges() {
			covered = covered || r.Min <= Score(p) && Score(p) < r.Max
		}
		require.True(t, covered || !want)
	}
	meters, _ := s.Distance(PointOf(Score(Point{0, 0})))
	require.InDelta(t, 236045.172, meters, 0.001)

	// A notch between two vertices is not a part of it.
	s.SetPolygon([]Point{{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}})
	_, within := s.Distance(Point{2, 2})
	require.False(t, within)
	_, within = s.Distance(Point{0.5, 2})
	require.True(t, within)
}
