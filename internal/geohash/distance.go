package geohash

import "math"

const (
	earthRadius = 6372797.560856 // in meters, as Redis has it

	degree = 0.017453292519943295 // in radians: M_PI / 180.0 of C
)

// Distance is the length of the great circle between two places in meters (haversine formula).
func Distance(a, b Point) float64 {
	v := sin((b.Lon*degree - a.Lon*degree) / 2)
	if v == 0 {
		return latDistance(a.Lat, b.Lat)
	}
	lat1, lat2 := a.Lat*degree, b.Lat*degree
	u := sin((lat2 - lat1) / 2)
	h := float64(u*u) + float64(cos(lat1)*cos(lat2)*v*v)
	return 2 * earthRadius * asin(math.Sqrt(h))
}

// latDistance is the distance of two parallels in meters.
func latDistance(lat1, lat2 float64) float64 {
	return earthRadius * math.Abs(float64(lat2*degree)-float64(lat1*degree))
}

// Shape is a circle, or a box if Box is set, around a place, or a polygon. Its sizes are in units of so many meters.
type Shape struct {
	Center        Point
	Unit          float64
	Radius        float64
	Box           bool
	Width, Height float64

	polygon []Point // nil for the other shapes
}

// Distance is the way from the center to a place in meters; false if the place is not within the shape.
func (s *Shape) Distance(p Point) (meters float64, within bool) {
	switch {
	case s.polygon != nil:
		return Distance(s.Center, p), s.inPolygon(p)
	case !s.Box:
		meters = Distance(s.Center, p)
		return meters, !(meters > s.Radius*s.Unit)
	}
	if latDistance(p.Lat, s.Center.Lat) > s.Height*s.Unit/2 {
		return 0, false
	}
	if Distance(p, Point{s.Center.Lon, p.Lat}) > s.Width*s.Unit/2 {
		return 0, false
	}
	return Distance(s.Center, p), true
}

// reach is the radius of a circle around the shape, in meters.
func (s *Shape) reach() float64 {
	switch {
	case s.polygon != nil:
		return s.polygonReach()
	case !s.Box:
		return s.Radius * s.Unit
	}
	width, height := s.Width/2, s.Height/2
	return math.Sqrt(float64(width*width)+float64(height*height)) * s.Unit
}

// bounds is an area around the shape. Close to the poles it is none: its ends may be infinite or no numbers.
func (s *Shape) bounds() area {
	if s.polygon != nil {
		return s.polygonBounds()
	}
	width, height := s.Unit*s.Radius, s.Unit*s.Radius
	if s.Box {
		width, height = s.Unit*(s.Width/2), s.Unit*(s.Height/2)
	}
	lat := height / earthRadius / degree
	nearPole := s.Center.Lat + lat // the edge along which meridians are closest
	if s.Center.Lat < 0 {
		nearPole = s.Center.Lat - lat
	}
	lon := width / earthRadius / cos(nearPole*degree) / degree
	return area{Point{s.Center.Lon - lon, s.Center.Lat - lat}, Point{s.Center.Lon + lon, s.Center.Lat + lat}}
}
