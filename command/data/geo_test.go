package data_test

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

const addCities = "GEOADD g 13.361389 38.115556 Palermo 15.087269 37.502669 Catania"

func TestGeoAdd(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			addCities, "2",
			addCities, "0",
			"GEOADD g CH 13.5 38.2 Palermo 2.349014 48.864716 Paris", "2",
			"GEOADD g NX 0 0 Palermo", "0",
			"GEOADD g XX CH 1 1 nobody", "0",
			"ZSCORE g Catania", `"3479447370796909"`,
			"GEOADD e 181 0 x", "ERR invalid longitude,latitude pair 181.000000,0.000000",
			"GEOADD e inf -inf x", "ERR invalid longitude,latitude pair inf,-inf",
			"GEOADD e x 0 a", "ERR value is not a valid float",
			"GEOADD e GT 0 0 a", "ERR syntax error",
			"GEOADD e GT 0 a", "ERR value is not a valid float",
			"GEOADD e CH XX NX", "ERR syntax error",
			"GEOADD e CH XX XX", "ERR syntax error",
			"RPUSH l a", "1",
			"GEOADD l 0 x a", "ERR value is not a valid float",
			"GEOADD l 0 0 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"EXISTS e", "0",
		)
		c.WantEvents("GEOADD g 0 0 zero", "zadd g")
		c.WantEvents("GEOADD g 0 0 zero")
	})
}

func TestGeo_DistHashPos(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			addCities, "2",
			"GEODIST g Palermo Catania", `"166274.1516"`,
			"GEODIST g Palermo Catania KM", `"166.2742"`,
			"GEODIST g Palermo Catania mi", `"103.3182"`,
			"GEODIST g Palermo nobody", "nil",
			"GEODIST missing Palermo Catania", "nil",
			"GEODIST missing a b leagues", "ERR unsupported unit provided. please use M, KM, FT, MI",
			"GEODIST g Palermo Catania km m", "ERR syntax error",
			"GEOHASH g Palermo nobody", `["sqc8b49rny0" nil]`,
			"GEOPOS g Palermo nobody", `[["13.36138933897018433" "38.11555639549629859"] nil-array]`,
			"GEOPOS missing a", "[nil-array]",
			"GEOPOS g", "[]",
		)
	})
}

func TestGeoSearch(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			addCities, "2",
			"GEORADIUS g 15 37 200 km", `["Palermo" "Catania"]`,
			"GEORADIUS g 15 37 200 km WITHDIST ASC", `[["Catania" "56.4413"] ["Palermo" "190.4424"]]`,
			"GEORADIUS g 15 37 200 km WITHHASH WITHCOORD COUNT 1",
			`[["Catania" 3479447370796909 ["15.08726745843887329" "37.50266842333162032"]]]`,
			"GEORADIUS g 15 37 200 km COUNT 1 ANY", `["Palermo"]`,
			"GEORADIUS g 15 37 200 km COUNT 1 DESC", `["Palermo"]`,
			"GEORADIUSBYMEMBER g Palermo 100 km", `["Palermo"]`,
			"GEORADIUSBYMEMBER_RO g Catania 200 km ASC", `["Catania" "Palermo"]`,
			"GEORADIUS_RO g 15 37 200 km STORE d", "ERR syntax error",
			"GEOSEARCH g FROMLONLAT 15 37 BYBOX 400 400 km DESC", `["Palermo" "Catania"]`,
			"GEOSEARCH g FROMLONLAT 15 37 BYBOX 100 400 km", `["Catania"]`,
			"GEOSEARCH g FROMMEMBER nobody BYRADIUS 1 km", "ERR could not decode requested zset member",
			"GEOSEARCH missing FROMMEMBER nobody BYRADIUS 1 km", "[]",
			"GEOSEARCH g FROMLONLAT 1 1 WITHDIST ASC ASC",
			"ERR exactly one of BYRADIUS and BYBOX can be specified for GEOSEARCH",
			"GeoSearch g BYRADIUS 1 km ASC ASC",
			"ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for GeoSearch",
			"GEORADIUS g 15 37 1 km ANY", "ERR the ANY argument requires COUNT argument",
			"GEORADIUS g 15 37 1 km COUNT 0", "ERR COUNT must be > 0",
		)
	})
}

func TestGeoSearch_Store(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Do(addCities)
		c.WantEvents("GEORADIUS g 15 37 200 km STORE d", "georadiusstore d")
		c.Want("ZRANGE d 0 -1 WITHSCORES", `["Palermo" "3479099956230698" "Catania" "3479447370796909"]`)
		c.WantEvents("GEOSEARCHSTORE d g FROMLONLAT 15 37 BYBOX 400 400 km COUNT 1 STOREDIST", "geosearchstore d")
		c.Want("ZRANGE d 0 -1 WITHSCORES", `["Catania" "56.441257870158204"]`)
		c.WantEvents("GEOSEARCHSTORE d g FROMLONLAT 0 0 BYRADIUS 1 m", "del d")
		c.WantEvents("GEOSEARCHSTORE d missing FROMLONLAT 0 0 BYRADIUS 1 m")
		c.Want(
			"GEORADIUS g 15 37 200 km STORE d WITHDIST ANY",
			"ERR STORE option in GEORADIUS is not compatible with WITHDIST, WITHHASH and WITHCOORD options",
			"GEOSEARCHSTORE d g FROMLONLAT 1 1 BYRADIUS 1 km WITHDIST",
			"ERR GEOSEARCHSTORE is not compatible with WITHDIST, WITHHASH and WITHCOORD options",
			"COMMAND GETKEYS GEORADIUS g 15 37 200 km STORE x STOREDIST d", `["g" "x" "d"]`,
			"COMMAND GETKEYS GEORADIUSBYMEMBER g m 200 km COUNT 1", `["g"]`,
		)
	})
}

// With many members at one distance, COUNT shows the order that the sort leaves. The expected replies are those of
// redis-server 7.0.15.
func TestGeoSearch_EqualDistances(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 60 {
			require.Equal(t, "1", c.Do(fmt.Sprintf("GEOADD g %d 10 p%d", i%3, i)))
		}
		c.Want(
			"GEORADIUS g 0 10 1 km COUNT 4", `["p9" "p12" "p15" "p18"]`,
			"GEORADIUS g 2 10 1000 km COUNT 3 DESC", `["p9" "p15" "p18"]`,
			"GEORADIUS g 1 10 1000 km COUNT 5 ANY", `["p0" "p12" "p15" "p18" "p21"]`,
		)
	})
}

// The distances are those that Valkey 9.1.2 replies.
func TestGeoSearch_ByPolygon(t *testing.T) {
	const noVertices = "ERR GEOSEARCH BYPOLYGON must have at least 3 vertices"
	commandtest.InBubbleOf(t, "valkey-9.1", func(c *commandtest.BubbleClient) {
		c.Want(
			"GEOADD g 0 0 a 1 1 b 2 2 c 3 1 d 0.5 0.7 e 10 10 f", "6",
			"GEOSEARCH g BYPOLYGON 3 -1 -1 4 -1 1 6", `["a" "e" "b" "c" "d"]`,
			"GEOSEARCH g BYPOLYGON 3 -1 -1 4 -1 1 6 ASC WITHDIST COUNT 2", `[["b" "52431.4722"] ["c" "104838.6845"]]`,
			"GEOSEARCH g BYPOLYGON 2 -1 -1 4 -1", noVertices,
			"GEOSEARCH g BYPOLYGON 4 -1 -1 4 -1 1 6", noVertices,
			"GEOSEARCH g BYPOLYGON x -1 -1 4 -1 1 6", "ERR invalid number of vertices",
			"GEOSEARCH g BYPOLYGON 3 -1 -1 4 -1 1 86", "ERR invalid longitude,latitude pair 1.000000,86.000000",
			"GEOSEARCH g BYPOLYGON 3 -1 -1 4 -1 1 6 BYRADIUS 1 km", "ERR syntax error",
			"GEOSEARCH g FROMMEMBER a BYPOLYGON 3 -1 -1 4 -1 1 6", "ERR syntax error",
			"GEOSEARCH g FROMMEMBER nobody BYRADIUS 1 km", "ERR member nobody does not exist",
			"GEOSEARCH g FROMLONLAT 1 1 ASC WITHDIST",
			"ERR exactly one of BYRADIUS, BYBOX and BYPOLYGON can be specified for GEOSEARCH",
			"GEOSEARCHSTORE d g BYPOLYGON 3 -1 -1 4 -1 1 6 STOREDIST COUNT 1", "1",
			"ZRANGE d 0 -1 WITHSCORES", `["b" "5.24314722337614e+4"]`,
			"COMMAND GETKEYS GEORADIUS s 0 0 1 km STORE a STOREDIST b", `["s" "b"]`,
		)
	})
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("GEOSEARCH g BYPOLYGON 3 -1 -1 4 -1 1 6", "ERR syntax error")
	})
}
