package geohash

// Point is a place in degrees.
type Point struct{ Lon, Lat float64 }

// The limits of what can be encoded, in degrees (EPSG:900913).
const (
	MaxLon = 180.0
	MaxLat = 85.05112878
)

// maxSteps is how many steps the score of a place has.
const maxSteps = 26

// Valid reports whether the place can be encoded.
func (p Point) Valid() bool {
	return p.Lon >= -MaxLon && p.Lon <= MaxLon && p.Lat >= -MaxLat && p.Lat <= MaxLat
}

// cell is a rectangle after so many steps: its column and row, from west to east and from south to north.
type cell struct {
	lon, lat uint32
	steps    uint
}

// cellOf returns the cell of a valid position. The eastern and the northern limit are in a column and a row after the
// last one.
func cellOf(p Point, maxLat float64, steps uint) cell {
	side := float64(uint64(1) << steps)
	return cell{
		lon:   uint32((p.Lon + MaxLon) / (2 * MaxLon) * side),
		lat:   uint32((p.Lat + maxLat) / (2 * maxLat) * side),
		steps: steps,
	}
}

// cellOfBits is the cell with these interleaved bits.
func cellOfBits(bits uint64, steps uint) cell {
	return cell{lon: squeeze(bits >> 1), lat: squeeze(bits), steps: steps}
}

func (c cell) bits() uint64 { return interleaveZeros(c.lat) | interleaveZeros(c.lon)<<1 }

// move is the cell so many columns and rows away. Behind the last comes the first.
func (c cell) move(columns, rows int) cell {
	mask := uint32(1)<<c.steps - 1
	if columns != 0 {
		c.lon = (c.lon + uint32(columns)) & mask
	}
	if rows != 0 {
		c.lat = (c.lat + uint32(rows)) & mask
	}
	return c
}

// area is a rectangle of the map, in degrees.
type area struct{ min, max Point }

func (c cell) area() area {
	west, east := edges(c.lon, c.steps, MaxLon)
	south, north := edges(c.lat, c.steps, MaxLat)
	return area{Point{west, south}, Point{east, north}}
}

// edges returns the ends of the i-th interval of an axis from -limit to limit.
func edges(i uint32, steps uint, limit float64) (low, high float64) {
	side := float64(uint64(1) << steps)
	low = -limit + float64(float64(i)/side*(2*limit))
	high = -limit + float64((float64(i)+1)/side*(2*limit))
	return low, high
}

// center is the middle of the area, as far as it is on the map.
func (a area) center() Point {
	return Point{
		Lon: max(-MaxLon, min(MaxLon, (a.min.Lon+a.max.Lon)/2)),
		Lat: max(-MaxLat, min(MaxLat, (a.min.Lat+a.max.Lat)/2)),
	}
}

// interleaveZeros inserts a zero above each bit.
func interleaveZeros(v uint32) uint64 {
	x := uint64(v)
	for _, s := range interleaveStep {
		x = (x | x<<s.shift) & s.mask
	}
	return x
}

// squeeze returns the bits at even positions, without those between them. It is the inverse of interleaveZeros.
func squeeze(x uint64) uint32 {
	x &= interleaveStep[len(interleaveStep)-1].mask
	for i := len(interleaveStep) - 1; i > 0; i-- {
		x = (x | x>>interleaveStep[i].shift) & interleaveStep[i-1].mask
	}
	return uint32(x | x>>interleaveStep[0].shift)
}

// interleaveStep moves the upper half of every group of bits up by its width.
var interleaveStep = [...]struct {
	shift uint
	mask  uint64
}{{16, 0x0000ffff0000ffff}, {8, 0x00ff00ff00ff00ff}, {4, 0x0f0f0f0f0f0f0f0f}, {2, 0x3333333333333333}, {1,
	0x5555555555555555}}
