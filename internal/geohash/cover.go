package geohash

// Range is the scores from Min to Max, Max not included.
type Range struct{ Min, Max float64 }

// Ranges returns the ranges that cover the shape, in the order in which Redis searches them: the cell of the center,
// and those around it that the shape reaches.
func (s *Shape) Ranges() []Range {
	bounds := s.bounds()
	center := cellOf(s.Center, MaxLat, s.steps(bounds))
	ranges := make([]Range, 0, 1+len(neighbors))
	ranges = append(ranges, center.scores())
	last := center
	for _, n := range neighbors {
		if center.steps >= 2 && n.beyond(center.area(), bounds) {
			continue
		}
		c := center.move(n.columns, n.rows)
		if c != last || last == center { // with few steps the neighbors on both sides are the same cell
			ranges = append(ranges, c.scores())
		}
		last = c
	}
	return ranges
}

// scores is the range of the places in a cell.
func (c cell) scores() Range {
	shift := 2 * (maxSteps - c.steps)
	return Range{float64(c.bits() << shift), float64((c.bits() + 1) << shift)}
}

// neighbor returns an adjacent cell.
type neighbor struct{ columns, rows int }

var neighbors = []neighbor{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}

// beyond reports whether the shape ends within the cell on this side, so that the neighbor is not needed.
func (n neighbor) beyond(a, bounds area) bool {
	return n.rows < 0 && a.min.Lat < bounds.min.Lat || n.rows > 0 && a.max.Lat > bounds.max.Lat ||
		n.columns < 0 && a.min.Lon < bounds.min.Lon || n.columns > 0 && a.max.Lon > bounds.max.Lon
}

// steps is the number of steps after which cells are just large enough for the center's and those around it to cover
// the shape.
func (s *Shape) steps(bounds area) uint {
	steps := stepsFor(s.reach(), s.Center.Lat)
	c := cellOf(s.Center, MaxLat, steps)
	tooSmall := c.move(0, 1).area().max.Lat < bounds.max.Lat || c.move(0, -1).area().min.Lat > bounds.min.Lat ||
		c.move(1, 0).area().max.Lon < bounds.max.Lon || c.move(-1, 0).area().min.Lon > bounds.min.Lon
	if steps > 1 && tooSmall {
		steps--
	}
	return steps
}

// stepsFor is a first guess: cells are twice as large as the reach in meters, larger where meridians come together.
func stepsFor(meters, lat float64) uint {
	const mapWidth = 20037726.37 // half of the equator, in meters
	if meters == 0 {
		return maxSteps
	}
	steps := -1
	for ; meters < mapWidth; meters *= 2 {
		steps++
	}
	if lat > 66 || lat < -66 {
		steps--
	}
	if lat > 80 || lat < -80 {
		steps--
	}
	return uint(min(max(steps, 1), maxSteps))
}
