package data

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/geohash"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// Geo commands keep positions in a sorted set: the score of a member is its geohash of 52 bits (GEOADD command page,
// package internal/geohash). So ZREM removes a position, and all commands on sorted sets work. Replies show the
// stored position, which differs from the one given by less than a meter.

var geoCommands = slices.Concat(geoMemberCommands, geoSearchCommands)

// geoMemberCommands add positions and reply what is known about single members.
var geoMemberCommands = []command.Command{
	{Name: "geoadd", Usage: "key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]", Arity: -5,
		Flags: writeDenyOOM, Keys: command.OneKey, Access: "RW update", Since: "3.2.0",
		Summary: "Adds places to a sorted set, or moves them. Creates the key if it does not exist.", Run: geoadd},
	{Name: "geodist", Usage: "key member1 member2 [M | KM | FT | MI]", Arity: -4, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "3.2.0",
		Summary: "Returns the distance between two places.", Run: geodist},
	{Name: "geohash", Usage: "key [member [member ...]]", Arity: -2, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "3.2.0",
		Summary: "Returns places in the notation of geohash.org.", Run: geohashTexts},
	{Name: "geopos", Usage: "key [member [member ...]]", Arity: -2, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "3.2.0",
		Summary: "Returns the longitudes and latitudes of places.", Run: geopos},
}

// errGeoUnit is for a unit that does not exist, also in the options of searches. Case does not matter.
var errGeoUnit = errors.New("ERR unsupported unit provided. please use M, KM, FT, MI")

// errCoordinates is Redis' error for a position that the geohash can't hold; it prints both numbers with 6
// decimals.
func errCoordinates(p geohash.Point) error {
	return words.Errorf("ERR invalid longitude,latitude pair %s,%s", fixed(p.Lon, 6), fixed(p.Lat, 6))
}

// fixed formats a number with a fixed count of decimals, as %f of printf does.
func fixed(f float64, places int) string {
	if math.IsInf(f, 0) {
		return either(f > 0, "inf", "-inf")
	}
	return strconv.FormatFloat(f, 'f', places, 64)
}

// parseLonLat reads arguments i and i+1 as longitude and latitude, in degrees. Both must be numbers before either is
// checked for its range: -180 to 180, and about -85.05 to 85.05, beyond which the projection of the geohash ends.
func parseLonLat(c *command.Call, i int) (p geohash.Point, err error) {
	if p.Lon, err = parseScore(c, c.Arg(i)); err != nil {
		return p, err
	}
	if p.Lat, err = parseScore(c, c.Arg(i+1)); err != nil {
		return p, err
	}
	if !p.Valid() {
		return p, errCoordinates(p)
	}
	return p, nil
}

// geoUnits are the units of distances, in meters. The values are those of Redis, even where they are rounded.
var geoUnits = []struct {
	name   string
	meters float64
}{{"m", 1}, {"km", 1000}, {"ft", 0.3048}, {"mi", 1609.34}}

// parseGeoUnit reads argument i as a unit, in meters.
func parseGeoUnit(c *command.Call, i int) (float64, error) {
	for _, u := range geoUnits {
		if c.Is(i, u.name) {
			return u.meters, nil
		}
	}
	return 0, errGeoUnit
}

// geoadd implements GEOADD key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]. It is ZADD
// with the geohash as score, so it has the reply and the event of ZADD. All positions are checked before the first
// member is added.
func geoadd(c *command.Call) resp.Value {
	o, err := parseGeoOptions(c)
	if err != nil {
		return c.Fail(err)
	}
	var scores []float64
	for i := o.first; i < c.Len(); i += o.stride {
		p, err := parseLonLat(c, i)
		if err != nil {
			return c.Fail(err)
		}
		scores = append(scores, geohash.Score(p))
	}
	// Options without a member pass the arity.
	if len(scores) == 0 {
		return c.Fail(command.ErrSyntax)
	}
	return o.run(c, scores)
}

// propagateGeoAdd sends ZADD with the options of GEOADD and the scores of its members.
func (o *zaddOptions) propagateGeoAdd(c *command.Call) {
	args := slices.Clone(c.Args[:o.first])
	args[0] = []byte(either(c.Does(emulate.ReplicatesNames), "ZADD", "zadd"))
	for i := o.first; i < c.Len(); i += o.stride {
		p, _ := parseLonLat(c, i) // GEOADD has checked it
		args = append(args, strconv.AppendUint(nil, geohash.Bits(p), 10), c.Arg(i+2))
	}
	c.Propagate(args...)
}

// geoStride is the number of arguments for a member of GEOADD.
const geoStride = 3

// parseGeoOptions parses the options: NX, XX and CH of ZADD. The first argument that is none of them is a longitude, so
// GT, LT and INCR end in a syntax error or as an invalid float. NX with XX is a syntax error; ZADD has an error of its
// own for it.
func parseGeoOptions(c *command.Call) (zaddOptions, error) {
	o := zaddOptions{first: 2, stride: geoStride}
	for ; o.first < c.Len() && (c.Is(o.first, "nx") || c.Is(o.first, "xx") || c.Is(o.first, "ch")); o.first++ {
		o.parseOption(c, o.first)
	}
	if (c.Len()-o.first)%o.stride != 0 || o.nx && o.xx {
		return o, command.ErrSyntax
	}
	return o, nil
}

// geodist implements GEODIST key member1 member2 [M | KM | FT | MI]. It replies null if the key or a member is missing.
// The unit is meters if it is not given, and is checked before the key.
func geodist(c *command.Call) resp.Value {
	unit := 1.0
	switch c.Len() {
	case 4:
	case 5:
		var err error
		if unit, err = parseGeoUnit(c, 4); err != nil {
			return c.Fail(err)
		}
	default:
		return c.Fail(command.ErrSyntax)
	}
	z, err := readZSet(c, c.Key(1))
	if err != nil || z == nil {
		return c.FailOr(err, resp.Null)
	}
	from, known := z.Score(c.Arg(2))
	to, alsoKnown := z.Score(c.Arg(3))
	if !known || !alsoKnown {
		return resp.Null
	}
	return distanceReply(geohash.Distance(geohash.PointOf(from), geohash.PointOf(to)) / unit)
}

// distanceReply is a distance with 4 decimals, a string in RESP3 too (addReplyDoubleDistance).
func distanceReply(d float64) resp.Value { return resp.BulkString(fixed(d, 4)) }

// geohashTexts implements GEOHASH key [member ...]. It replies the geohashes of geohash.org, 11 characters each; null
// for a missing member. These are not the digits of the score: geohash.org divides latitudes from -90 to 90 degrees.
func geohashTexts(c *command.Call) resp.Value {
	return memberReplies(c, resp.Null, func(score float64) resp.Value { return resp.BulkString(geohash.Text(score)) })
}

// geopos implements GEOPOS key [member ...]. It replies pairs of longitude and latitude; a null array for a missing
// member (command page).
func geopos(c *command.Call) resp.Value {
	return memberReplies(c, resp.NullArray, func(score float64) resp.Value {
		return pointReply(c, geohash.PointOf(score))
	})
}

// memberReplies replies one element for each member of the call: reply(score), or missing for a member that does not
// exist.
func memberReplies(c *command.Call, missing resp.Value, reply func(score float64) resp.Value) resp.Value {
	z, err := readZSet(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	elems := make([]resp.Value, 0, c.Len()-2)
	for _, member := range c.Rest(2) {
		elem := missing
		if z != nil {
			if score, ok := z.Score(member); ok {
				elem = reply(score)
			}
		}
		elems = append(elems, elem)
	}
	return resp.Array(elems...)
}

// pointReply replies longitude and latitude as doubles in RESP3, as strings in RESP2.
func pointReply(c *command.Call, p geohash.Point) resp.Value {
	if c.Does(emulate.ShortPositions) {
		return resp.Array(c.Double(p.Lon), c.Double(p.Lat))
	}
	return resp.Array(degreesReply(p.Lon), degreesReply(p.Lat))
}

// degreesReply formats a coordinate with up to 17 decimals, without trailing zeros (addReplyHumanLongDouble).
func degreesReply(f float64) resp.Value {
	text := strconv.AppendFloat(nil, f, 'f', longDoubleDigits, 64)
	text = bytes.TrimSuffix(bytes.TrimRight(text, "0"), []byte("."))
	return resp.Decimal(either(string(text) == "-0", "0", string(text)))
}
