package geohash

import "math"

// SetPolygon makes the shape a polygon. Its edges are straight lines on the map, and the last vertex is joined with the
// first. Its center is that of the vertices as points of a sphere in space.
func (s *Shape) SetPolygon(vertices []Point) {
	s.polygon, s.Unit = vertices, 1
	x, y, z := 0.0, 0.0, 0.0
	for _, v := range vertices {
		lon, lat := v.Lon*degree, v.Lat*degree
		x += cos(lat) * cos(lon)
		y += cos(lat) * sin(lon)
		z += sin(lat)
	}
	n := float64(len(vertices))
	x, y, z = x/n, y/n, z/n
	s.Center = Point{math.Atan2(y, x) / degree, math.Atan2(z, math.Sqrt(x*x+y*y)) / degree}
}

// polygonBounds is the area from the least to the greatest longitude and latitude of the vertices.
func (s *Shape) polygonBounds() area {
	a := area{min: s.polygon[0], max: s.polygon[0]}
	for _, v := range s.polygon[1:] {
		a.min = Point{math.Min(a.min.Lon, v.Lon), math.Min(a.min.Lat, v.Lat)}
		a.max = Point{math.Max(a.max.Lon, v.Lon), math.Max(a.max.Lat, v.Lat)}
	}
	return a
}

// polygonReach is the way from the center to the farthest corner of the bounds, in meters.
func (s *Shape) polygonReach() float64 {
	a := s.polygonBounds()
	northwest, southeast := Point{a.min.Lon, a.max.Lat}, Point{a.max.Lon, a.min.Lat}
	return max(Distance(s.Center, a.min), Distance(s.Center, a.max), Distance(s.Center, northwest),
		Distance(s.Center, southeast))
}

// inPolygon reports whether a ray from the place to the east crosses an odd number of edges.
func (s *Shape) inPolygon(p Point) bool {
	within := false
	from := s.polygon[len(s.polygon)-1]
	for _, to := range s.polygon {
		if (to.Lat > p.Lat) != (from.Lat > p.Lat) &&
			p.Lon < (from.Lon-to.Lon)*(p.Lat-to.Lat)/(from.Lat-to.Lat)+to.Lon {
			within = !within
		}
		from = to
	}
	return within
}
