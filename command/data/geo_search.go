package data

import (
	"cmp"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/geohash"
	"github.com/minilockd/minilockd/internal/partsort"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// GEOSEARCH and its older form GEORADIUS find members within a circle or a box (GEOSEARCH command page). The shape
// yields up to nine ranges of geohashes that cover it; each range is a range of scores, and each member in it is
// checked exactly. COUNT n ANY stops at the n-th match, so its result depends on the order of the ranges, which is
// that of Redis.

// The parts that the rows of Usage share, with the blank before them. COMMAND DOCS derives the arguments from them.
const (
	geoUnit    = " M | KM | FT | MI"
	geoWith    = " [WITHCOORD] [WITHDIST] [WITHHASH]"
	geoCount   = " [COUNT count [ANY]]"
	geoOrder   = " [ASC | DESC]"
	geoStore   = " [STORE key] [STOREDIST key]"
	geoRadius  = " radius" + geoUnit + geoWith + geoCount + geoOrder
	geoAnyArea = " <FROMMEMBER member | FROMLONLAT longitude latitude>{<valkey-9.0 redis} " +
		"[FROMMEMBER member | FROMLONLAT longitude latitude]{valkey-9.0} " +
		"<BYRADIUS radius <M | KM | FT | MI> | BYBOX width height <M | KM | FT | MI> | " +
		"BYPOLYGON num-vertices longitude latitude [longitude latitude ...] {valkey-9.0}>"
)

// geoSearchCommands search by distance. All run geoForm.run; the form says how the arguments differ.
var geoSearchCommands = []command.Command{
	{Name: "georadius", Usage: "key longitude latitude" + geoRadius + geoStore, Arity: -6,
		Flags: writeDenyOOM | command.MovableKeys, Keys: keyAndStore, Specs: keyAndStoreSpecs(6, "OW update"), Since: "3.2.0",
		Changes: storesPerhaps(6),
		Summary: "Finds, or stores, the places within a circle. The older form of GEOSEARCH.",
		Run:     geoForm{source: 1, options: 6, byPoint: true}.run},
	{Name: "georadius_ro", Usage: "key longitude latitude" + geoRadius, Arity: -6, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "3.2.10",
		Summary: "Finds the places within a circle.",
		Run:     geoForm{source: 1, options: 6, byPoint: true, readOnly: true}.run},
	{Name: "georadiusbymember", Usage: "key member" + geoRadius + geoStore, Arity: -5,
		Flags: writeDenyOOM | command.MovableKeys, Keys: keyAndStore, Specs: keyAndStoreSpecs(5, "OW update"), Since: "3.2.0",
		Changes: storesPerhaps(5),
		Summary: "Finds, or stores, the places within a circle around one of them.",
		Run:     geoForm{source: 1, options: 5, member: true}.run},
	{Name: "georadiusbymember_ro", Usage: "key member" + geoRadius, Arity: -5, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "3.2.10",
		Summary: "Finds the places within a circle around one of them.",
		Run:     geoForm{source: 1, options: 5, member: true, readOnly: true}.run},
	{Name: "geosearch", Usage: "key" + geoAnyArea + geoOrder + geoCount + geoWith, Arity: -7, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "6.2.0",
		Summary: "Finds the places within a circle or a box.",
		Run:     geoForm{source: 1, options: 2, readOnly: true}.run},
	{Name: "geosearchstore", Usage: "destination source" + geoAnyArea + geoOrder + geoCount + " [STOREDIST]",
		Arity: -8, Flags: writeDenyOOM, Keys: command.TwoKeys, Access: "OW update, RO access", Since: "6.2.0",
		Summary: "Stores the places within a circle or a box.", Run: geoForm{source: 2, options: 3, stores: true}.run},
}

// keyAndStore are the source of a search, and the destination: the argument after the last STORE or STOREDIST.
var keyAndStore = command.Keys{First: 1, Last: 1, Step: 1, Find: func(args [][]byte, yield func(pos int)) {
	dest := 0
	// Options begin at argument 5 after a member, and at 6 after longitude and latitude.
	for i := 5; i+1 < len(args); i++ {
		if command.EqualFold(args[i], "store") || command.EqualFold(args[i], "storedist") {
			i++
			dest = i
		}
	}
	if dest > 0 {
		yield(dest)
	}
}}

// run implements all of GEOSEARCH key, GEOSEARCHSTORE destination source, GEORADIUS key longitude latitude radius unit,
// and GEORADIUSBYMEMBER key member radius unit, with their options. It replies the matches or, if it stores them, their
// number. It reads the source first: FROMMEMBER needs it, and WRONGTYPE comes before syntax errors.
func (f geoForm) run(c *command.Call) resp.Value {
	z, err := readZSet(c, c.Key(f.source))
	if err != nil {
		return c.Fail(err)
	}
	q, err := f.parse(c, z)
	if err != nil {
		return c.Fail(err)
	}
	var matches []geoMatch
	if z != nil {
		matches = q.sort(q.find(z))
	}
	// A missing source deletes the destination: its result is empty.
	if q.dest != nil {
		return q.store(c, matches, either(f.stores, "geosearchstore", "georadiusstore"))
	}
	return q.reply(c, matches)
}

// geoMatch is a member within the shape. member aliases the sorted set, so the matches are encoded or stored before the
// transaction ends.
type geoMatch struct {
	member   []byte
	score    float64
	at       geohash.Point
	distance float64 // from the center, in meters
}

// find returns the matches range by range, each range in the order of scores. Clients see this order if they ask for
// no other.
func (q *geoQuery) find(z *store.ZSet) (matches []geoMatch) {
	enough := func() bool { return q.any && len(matches) >= q.count }
	for _, r := range q.Ranges() {
		if enough() {
			break
		}
		s := z.ByScore(store.ScoreRange{Min: r.Min, Max: r.Max, MaxOpen: true})
		z.Walk(s, func(member []byte, score float64) bool {
			at := geohash.PointOf(score)
			if distance, ok := q.Distance(at); ok {
				matches = append(matches, geoMatch{member, score, at, distance})
			}
			return !enough()
		})
	}
	return matches
}

// sort sorts the matches by distance and returns the first COUNT of them. With a COUNT it sorts only that part, in
// the way of Redis' partial quicksort, since that decides the order of equal distances.
func (q *geoQuery) sort(matches []geoMatch) []geoMatch {
	count := len(matches)
	if q.count > 0 {
		count = min(count, q.count)
	}
	compare := func(a, b *geoMatch) int { return cmp.Compare(a.distance, b.distance) }
	if q.order == farthestFirst {
		compare = func(a, b *geoMatch) int { return cmp.Compare(b.distance, a.distance) }
	}
	switch {
	case q.order == unsorted:
	case count == len(matches):
		slices.SortStableFunc(matches, func(a, b geoMatch) int { return compare(&a, &b) })
	default:
		// Redis' pqsort, which is not stable.
		partsort.Sort(matches, 0, count, compare)
	}
	return matches[:count]
}

// reply replies the matches in the order of the query: all as members, or all as arrays.
func (q *geoQuery) reply(c *command.Call, matches []geoMatch) resp.Value {
	elems := make([]resp.Value, len(matches))
	for i := range matches {
		elems[i] = q.matchReply(c, &matches[i])
	}
	return resp.Array(elems...)
}

// matchReply is the member, or an array of it with what WITHDIST, WITHHASH and WITHCOORD ask for, in this order
// whatever that of the options is.
func (q *geoQuery) matchReply(c *command.Call, g *geoMatch) resp.Value {
	elems := []resp.Value{resp.Bulk(g.member)}
	if q.withDist {
		elems = append(elems, distanceReply(g.distance/q.Unit))
	}
	if q.withHash {
		elems = append(elems, resp.Int(geohash.Integer(g.score)))
	}
	if q.withPoint {
		elems = append(elems, pointReply(c, g.at))
	}
	if len(elems) == 1 {
		return elems[0]
	}
	return resp.Array(elems...)
}

// store stores the matches as a sorted set, with geohashes or, for STOREDIST, distances in the unit of the query as
// scores. Whatever the destination held is replaced. Each member counts as a change.
func (q *geoQuery) store(c *command.Call, matches []geoMatch, event string) resp.Value {
	z := store.NewZSetTable()
	for i := range matches {
		score := matches[i].score
		if q.storeDist {
			score = matches[i].distance / q.Unit
		}
		z.Set(matches[i].member, score)
	}
	c.Tx.CountChanges(max(z.Len()-1, 0))
	return storeResult(c, q.dest, z, z.Len(), store.EventZSet, event)
}

// keyAndStoreSpecs are the key specifications of such a search, whose options begin at argument options.
func keyAndStoreSpecs(options int, store string) []command.KeySpec {
	return []command.KeySpec{{Index: 1, Access: "RO access"}, {Keyword: "STORE", From: options, Access: store},
		{Keyword: "STOREDIST", From: options, Access: store}}
}

// storesPerhaps is the change of their specifications: the options decide.
func storesPerhaps(options int) []command.Change {
	return []command.Change{{Since: "valkey-9.1", Specs: keyAndStoreSpecs(options, "OW update variable_flags")}}
}
