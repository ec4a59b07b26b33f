package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/geohash"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// The arguments of all searches parse to one geoQuery; a geoForm says how the commands differ. The last of several
// COUNT or ASC/DESC options wins. An invalid combination is found after all options are parsed (GEOSEARCH command
// page).

// Redis has an error for each argument of a search that can't be parsed. errGeoMember is for a member that is not in
// the sorted set. A radius of 0 is valid: it matches the center.
var (
	errGeoMember      = errors.New("ERR could not decode requested zset member")
	errRadius         = errors.New("ERR need numeric radius")
	errRadiusNegative = errors.New("ERR radius cannot be negative")
	errWidth          = errors.New("ERR need numeric width")
	errHeight         = errors.New("ERR need numeric height")
	errBoxNegative    = errors.New("ERR height or width cannot be negative")
	errGeoCount       = errors.New("ERR COUNT must be > 0")
	errAnyNeedsCount  = errors.New("ERR the ANY argument requires COUNT argument")
	errVertexCount    = errors.New("ERR invalid number of vertices")
)

// geoForm is what the name of the command decides about a search.
type geoForm struct {
	source   int  // index of the key that is searched
	options  int  // index of the first option
	byPoint  bool // the key is followed by longitude, latitude and radius
	member   bool // the key is followed by a member and the radius
	readOnly bool // STORE and STOREDIST are not allowed
	stores   bool // the first key is the destination
}

// named reports whether center and shape are options, in any order, and not fixed arguments.
func (f geoForm) named() bool { return !f.byPoint && !f.member }

// geoSort is the order of the reply: ASC is nearestFirst.
type geoSort uint8

// Without COUNT, unsorted means the order in which find meets the members.
const (
	unsorted geoSort = iota
	nearestFirst
	farthestFirst
)

// geoQuery is a parsed search.
type geoQuery struct {
	geohash.Shape
	fromMember, fromPoint, byRadius, byBox, byPolygon bool // options given so far

	dest                          []byte // destination, nil to reply the matches
	storeDist                     bool   // store distances instead of geohashes
	withDist, withHash, withPoint bool

	order geoSort
	count int  // 0 for all
	any   bool // ANY: stop at count matches
}

// parse parses the call. z is the source, nil if it is missing: then Redis does not read members, so a missing one is
// no error.
func (f geoForm) parse(c *command.Call, z *store.ZSet) (*geoQuery, error) {
	q := new(geoQuery)
	if f.stores {
		q.dest = c.Key(1)
	}
	if err := q.parseCenter(c, f, z); err != nil {
		return nil, err
	}
	for i := f.options; i < c.Len(); {
		used, err := q.parseOption(c, f, z, i)
		if err != nil {
			return nil, err
		}
		i += used
	}
	return q, q.check(c, f)
}

// parseCenter reads the fixed arguments after the key: center and radius.
func (q *geoQuery) parseCenter(c *command.Call, f geoForm, z *store.ZSet) (err error) {
	switch {
	case f.byPoint:
		q.Center, err = parseLonLat(c, 2)
	case f.member && z != nil:
		err = q.centerOn(c, z, 2)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	return q.parseRadius(c, f.options-2)
}

// centerOn makes the position of the member that argument i names the center.
func (q *geoQuery) centerOn(c *command.Call, z *store.ZSet, i int) error {
	score, ok := z.Score(c.Arg(i))
	switch {
	case !ok && c.Does(emulate.GeoNamesMember):
		return words.Errorf("ERR member %s does not exist", c.Arg(i))
	case !ok:
		return errGeoMember
	}
	q.Center = geohash.PointOf(score)
	return nil
}

// parseRadius reads arguments i and i+1 as a radius and its unit.
func (q *geoQuery) parseRadius(c *command.Call, i int) (err error) {
	if q.Radius, err = parseScore(c, c.Arg(i)); err != nil {
		return errRadius
	}
	if q.Radius < 0 {
		return errRadiusNegative
	}
	q.Unit, err = parseGeoUnit(c, i+1)
	return err
}

// parseBox reads width, height and unit from argument i on.
func (q *geoQuery) parseBox(c *command.Call, i int) (err error) {
	q.Box = true
	if q.Width, err = parseScore(c, c.Arg(i)); err != nil {
		return errWidth
	}
	if q.Height, err = parseScore(c, c.Arg(i+1)); err != nil {
		return errHeight
	}
	if q.Width < 0 || q.Height < 0 {
		return errBoxNegative
	}
	q.Unit, err = parseGeoUnit(c, i+2)
	return err
}

// parseOption reads the option at argument i and returns how many arguments it used.
func (q *geoQuery) parseOption(c *command.Call, f geoForm, z *store.ZSet, i int) (used int, err error) {
	left := c.Len() - i
	switch {
	case c.Is(i, "withdist"):
		q.withDist = true
	case c.Is(i, "withhash"):
		q.withHash = true
	case c.Is(i, "withcoord"):
		q.withPoint = true
	case c.Is(i, "any"):
		q.any = true
	case c.Is(i, "asc"):
		q.order = nearestFirst
	case c.Is(i, "desc"):
		q.order = farthestFirst
	case c.Is(i, "storedist") && f.stores:
		q.storeDist = true
	case c.Is(i, "count") && left > 1:
		return 2, q.parseCount(c, i+1)
	case f.named():
		return q.parseArea(c, z, i)
	case (c.Is(i, "store") || c.Is(i, "storedist")) && left > 1 && !f.readOnly:
		q.dest, q.storeDist = c.Key(i+1), c.Is(i, "storedist")
		return 2, nil
	default:
		return 0, command.ErrSyntax
	}
	return 1, nil
}

// parseArea reads an option that sets center or shape. A second center or shape of the other kind is a syntax error.
func (q *geoQuery) parseArea(c *command.Call, z *store.ZSet, i int) (used int, err error) {
	left := c.Len() - i
	if c.Is(i, "bypolygon") && left > 1 && !q.byRadius && !q.byBox && !q.fromMember && !q.fromPoint {
		q.byPolygon = true
		return q.parsePolygon(c, i+1)
	}
	switch {
	case q.byPolygon:
		return 0, command.ErrSyntax
	// The member is read at its place among the options, so its error may precede later syntax errors.
	case c.Is(i, "frommember") && left > 1 && !q.fromPoint:
		if q.fromMember = true; z != nil {
			err = q.centerOn(c, z, i+1)
		}
		return 2, err
	case c.Is(i, "fromlonlat") && left > 2 && !q.fromMember:
		q.fromPoint = true
		q.Center, err = parseLonLat(c, i+1)
		return 3, err
	case c.Is(i, "byradius") && left > 2 && !q.byBox:
		q.byRadius = true
		return 3, q.parseRadius(c, i+1)
	case c.Is(i, "bybox") && left > 3 && !q.byRadius:
		q.byBox = true
		return 4, q.parseBox(c, i+1)
	}
	return 0, command.ErrSyntax
}

// parsePolygon reads the vertices of a polygon, whose number is argument i. The polygon has its center itself.
func (q *geoQuery) parsePolygon(c *command.Call, i int) (used int, err error) {
	n, err := c.Int(i)
	switch {
	case err != nil:
		return 0, errVertexCount
	case n < 3 || n > int64(c.Len()-i-1)/2:
		return 0, words.Errorf("ERR %s BYPOLYGON must have at least 3 vertices", c.Arg(0))
	}
	vertices := make([]geohash.Point, n)
	for v := range vertices {
		if vertices[v], err = parseLonLat(c, i+1+2*v); err != nil {
			return 0, err
		}
	}
	q.SetPolygon(vertices)
	return int(2 + 2*n), nil
}

// parseCount reads COUNT, which must be positive. ANY may stand anywhere among the options.
func (q *geoQuery) parseCount(c *command.Call, i int) (err error) {
	if q.count, err = c.Index(i); err == nil && q.count <= 0 {
		err = errGeoCount
	}
	return err
}

// check returns an error if the options contradict each other. COUNT without ANY and without an order means the
// nearest.
func (q *geoQuery) check(c *command.Call, f geoForm) error {
	switch {
	case q.dest != nil && (q.withDist || q.withHash || q.withPoint):
		return words.Errorf("ERR %s is not compatible with WITHDIST, WITHHASH and WITHCOORD options",
			either(f.stores, "GEOSEARCHSTORE", "STORE option in GEORADIUS"))
	case q.byPolygon:
	case f.named() && !q.fromMember && !q.fromPoint:
		return words.Errorf("ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for %s", c.Arg(0))
	case f.named() && !q.byRadius && !q.byBox:
		return words.Errorf("ERR exactly one of %s can be specified for %s",
			either(c.Cmd.Lacks("bypolygon"), "BYRADIUS and BYBOX", "BYRADIUS, BYBOX and BYPOLYGON"), c.Arg(0))
	}
	if q.any && q.count == 0 {
		return errAnyNeedsCount
	}
	// Without an order the nearest COUNT members are returned, not arbitrary ones (command page).
	if q.count > 0 && q.order == unsorted && !q.any {
		q.order = nearestFirst
	}
	return nil
}
