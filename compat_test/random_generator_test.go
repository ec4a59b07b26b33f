package compat

import (
	"crypto/sha1"
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"strings"
)

// generator returns random commands on few keys and values, so that they affect each other. Most commands are of two
// groups, with three keys each; commands of other groups often find a key of the wrong type.
type generator struct {
	rnd       *rand.Rand
	from      []commandGroup
	focus     []int // indexes of the two groups in from
	preferred int   // the half of the keys that the current command prefers; -1 for none
	used      map[template]int
	dumps     []string // payloads for RESTORE
}

// keyNames are the keys of all random commands.
var keyNames = []string{"k1", "k2", "k3", "k4", "k5", "k6"}

// typedKeys have values of one type only. With different scores, Redis does not define what ZRANGEBYLEX returns; and
// SORT returns equal elements in the order of a set's hash table.
var typedKeys = map[string]string{"lexkey": "lex", "listkey": "list", "setkey": "set", "zsetkey": "zset"}

func newGenerator(seed, round uint64, from []commandGroup, used map[template]int) *generator {
	g := &generator{rnd: rand.New(rand.NewPCG(seed, round)), from: from, used: used}
	g.focus = g.rnd.Perm(len(from))[:min(2, len(from))]
	return g
}

// commands returns about n commands.
func (g *generator) commands(n int) [][]string {
	var all [][]string
	for len(all) < n {
		if g.chance(2) {
			all = append(all, g.transaction()...)
			continue
		}
		all = append(all, g.clear(g.command())...)
	}
	return all
}

// clear adds a command before one that may sort: in Redis, SORT fails if an earlier command of the batch has left an
// errno.
func (g *generator) clear(args []string) [][]string {
	switch args[0] {
	case "SORT", "SORT_RO", "EVAL", "EVAL_RO":
		return [][]string{{"INCRBYFLOAT", "errno", "0"}, args}
	}
	return [][]string{args}
}

// transaction returns MULTI, some commands, and EXEC or sometimes DISCARD.
func (g *generator) transaction() [][]string {
	all := [][]string{{"MULTI"}}
	for range g.rnd.IntN(6) {
		all = append(all, g.clear(g.command())...)
	}
	end := "EXEC"
	if g.chance(10) {
		end = "DISCARD"
	}
	return append(all, []string{end})
}

func (g *generator) command() []string {
	which := g.rnd.IntN(len(g.from))
	g.preferred = -1
	if g.chance(75) {
		g.preferred = g.rnd.IntN(len(g.focus))
		which = g.focus[g.preferred]
	}
	return g.draw(g.from[which].templates)
}

// draw returns a command from one of the templates.
func (g *generator) draw(templates []template) []string {
	f := templates[g.rnd.IntN(len(templates))]
	g.used[f]++
	return g.mistake(f.expand(g.rnd, g))
}

// noMistakes are commands that a mistake makes random or gives a short timeout, and EXEC, which ends a transaction.
var noMistakes = map[string]bool{"SPOP": true, "SCAN": true, "SSCAN": true, "HSCAN": true, "ZSCAN": true,
	"EXEC":  true,
	"BLPOP": true, "BRPOP": true, "BLMOVE": true, "BRPOPLPUSH": true, "BLMPOP": true, "BZPOPMIN": true, "BZPOPMAX": true,
	"BZMPOP":        true,
	closeConnection: true}

// mistake sometimes makes a mistake: one argument less, one more, or a wrong one.
func (g *generator) mistake(args []string) []string {
	if noMistakes[args[0]] || args[0] == "ZADD" && args[1] == typedKeys["lexkey"] {
		return args
	}
	switch g.rnd.IntN(100) {
	case 0:
		return args[:len(args)-min(1, len(args)-1)]
	case 1:
		return append(args, g.pick("x", "1", "a", ""))
	case 2:
		if len(args) > 1 {
			args[1+g.rnd.IntN(len(args)-1)] = g.pick("x", "", "LIMIT", "0", "-1", "NX")
		}
	}
	return args
}

func (g *generator) chance(percent int) bool { return g.rnd.IntN(100) < percent }

func (g *generator) pick(words ...string) string { return words[g.rnd.IntN(len(words))] }

func (g *generator) between(low, high int64) string {
	return strconv.FormatInt(low+g.rnd.Int64N(high-low+1), 10)
}

// argument returns an argument for a name in a template.
func (g *generator) argument(name string) string {
	if name == "key" {
		return g.key()
	}
	if key, found := typedKeys[name]; found {
		return key
	}
	kind := argumentKinds[name]
	if len(kind.odd) > 0 && g.chance(4) {
		return g.pick(kind.odd...)
	}
	if kind.make != nil {
		return kind.make(g)
	}
	return g.pick(kind.usual...)
}

func (g *generator) key() string {
	if g.preferred >= 0 && g.chance(85) {
		return keyNames[3*g.preferred+g.rnd.IntN(3)]
	}
	return g.pick(keyNames...)
}

// argumentKind is a list of usual arguments, or a function that makes them, and a list of odd ones.
type argumentKind struct {
	usual []string
	make  func(*generator) string
	odd   []string
}

var (
	oddInts   = []string{"x", "", "1.5", " 1", "99999999999999999999", "9223372036854775807", "-9223372036854775808"}
	oddFloats = []string{"x", "", "nan", "inf", "-inf", "1e400", "0x1p3", "1 "}
)

// within returns a function that makes numbers of a range.
func within(low, high int64) func(*generator) string {
	return func(g *generator) string { return g.between(low, high) }
}

// argumentKinds are the arguments by name. TTLs are long and rarely equal, so that neither their end nor a millisecond
// between the servers matters. Offsets are small: a large one makes a server use that much memory.
var argumentKinds = map[string]argumentKind{
	"value": {usual: []string{"a", "b", "c", "", "0", "1", "10", "-7", "3.5", "hello world", "\x00\xff",
		"9223372036854775807"},
		odd: []string{strings.Repeat("long ", 14), strings.Repeat("x", 64), strings.Repeat("y", 65)}},
	"field":  {usual: []string{"f1", "f2", "f3", "f4", "", "1"}},
	"member": {usual: []string{"a", "b", "c", "d", "e", "ab", "1", "2", "3", "-4"}, odd: []string{"", "\x00", "01"}},
	"int":    {make: within(-4, 12), odd: oddInts},
	"count":  {make: within(0, 5), odd: []string{"-1", "-3", "x", ""}},
	"index":  {make: within(-6, 6), odd: []string{"x", "", "100", "-100", "1.0"}},
	"offset": {make: within(0, 40), odd: []string{"-1", "x", "4294967296", "999999999999"}},
	"float":  {usual: []string{"1", "0", "-1", "0.5", "-2.25", "3.0", "1e2", "10", "0.1", "100.01"}, odd: oddFloats},
	"score": {usual: []string{"0", "1", "2", "3", "-1", "1.5", "2.25", "1e3", "0.1", "inf", "-inf"},
		odd: oddFloats},
	"bound": {usual: []string{"-inf", "+inf", "0", "1", "(1", "2", "(2", "3", "(0", "-1", "1.5", "(-inf"},
		odd: []string{"x", "(", "", "(x", "nan"}},
	"lex": {usual: []string{"-", "+", "[a", "(a", "[b", "(b", "[ab", "[d", "[", "[1"}, odd: []string{"a", "", "(",
		"++", "-a"}},
	"id": {make: streamID, odd: []string{"0-0", "x", "1-x", "", "18446744073709551615-18446744073709551615",
		"18446744073709551616"}},
	"range": {make: streamRange, odd: []string{"x", "", "((1", "(-"}},
	"ttl": {make: within(10_000, 100_000_000), odd: []string{"0", "-1", "x", "1.5", "9223372036854775807",
		"-9223372036854775808"}},
	"pttl":        {make: within(10_000_000, 100_000_000_000), odd: []string{"0", "-1", "x", "9223372036854775807"}},
	"pttlinrange": {make: within(10_000_000, 100_000_000_000), odd: []string{"0", "-1", "x"}},
	"at":          {make: within(9_000_000_000, 9_000_000_005), odd: []string{"1", "0", "-5", "x", "9223372036854775807"}},
	"pat":         {make: within(9_000_000_000_000, 9_000_000_000_005), odd: []string{"1", "0", "-5", "x"}},
	"numkeys":     {usual: []string{"2", "2", "2", "2", "1"}, odd: []string{"0", "3", "-1", "x", ""}},
	"pattern": {usual: []string{"*", "k*", "?1", "[a-c]*", "f[12]", "k[^1]", "a*", ""}, odd: []string{"[", "\\", "k\\1",
		"[z-a]"}},
	"script": {usual: randomScripts},
	"by": {usual: []string{"k*", "k*", "k*->f1", "k*->f2", "*", "#", "k1"}, odd: []string{"nosort", "", "k*->",
		"*->f1"}},
	"get": {usual: []string{"#", "k*", "k*->f1", "k*->f4"}, odd: []string{"k1", "", "k*->", "*", "##", "*->f1->f2"}},
	"sortable": {usual: []string{"1", "2", "3", "4", "5", "6", "10", "-7", "3.5", "1e2", "7", "8", "9", "inf", " 11"},
		odd: []string{"a", "", "0x1p3", "nan", "1e-320"}},
	"sortkey":    {usual: keyNames, odd: []string{"k10", "k1e2", "k7"}},
	"sortscript": {usual: sortScripts},
	"group":      {usual: []string{"g", "h"}, odd: []string{""}},
	"consumer":   {usual: []string{"alice", "bob", "carol"}, odd: []string{"", "\x00\xff"}},
	"sha":        {make: func(g *generator) string { return scriptSHA(g.pick(randomScripts...)) }, odd: []string{"x", ""}},

	"payload":        {make: payload, odd: []string{"", "x"}},
	"corrupted":      {make: corruptPayload},
	"dumpscript":     {usual: dumpScripts},
	"encodingscript": {usual: encodingScripts},
	"idle":           {make: within(0, 1000), odd: []string{"-1", "x", "1.5"}},
	"freq":           {make: within(0, 255), odd: []string{"-1", "256", "x"}},

	"library":     {usual: libraries},
	"libraryname": {usual: []string{"shelf", "desk", "door"}, odd: []string{"nosuch", ""}},
	"function":    {usual: []string{"put", "look", "count", "fail"}, odd: []string{"nosuch", ""}},

	"timeout": {usual: []string{"0", "0", "0", "1000"}, odd: []string{"-1", "x", "", "1e300", "inf", "nan",
		"0x3e8", " 0", "-0", "1000.5"}},
	"block": {usual: []string{"0", "0", "0", "1000000"}, odd: []string{"-1", "x", "", "1.5",
		"9223372036854775807"}},
	"client": {make: func(g *generator) string { return "client:" + strconv.Itoa(g.rnd.IntN(groupSize)) },
		odd: []string{"999999", "0", "-1", "x"}},
	"unblockingscript": {usual: unblockScripts},
	"blockingscript":   {usual: blockingScripts},

	"inttype": {make: integerType, odd: []string{"u64", "i65", "u0", "8", "", "U8", "u08", "x8"}},
	"bitoffset": {make: func(g *generator) string { return g.pick("", "#") + g.between(0, 40) },
		odd: []string{"-1", "#-1", "#", "x", "#x", "4294967296", "#9223372036854775807", "#2305843009213693953"}},
	"wideint": {make: wideInteger, odd: oddInts},

	"element":   {make: within(1, 10_000), odd: []string{"", "\x00", strings.Repeat("long ", 14)}},
	"hllscript": {usual: hllScripts},
	"hll":       {usual: hllValues},
	"hlloffset": {make: within(0, 17), odd: []string{"12303"}},
	"hllbytes":  {make: hllBytes},

	"lon": {make: degrees(180), odd: []string{"180.1", "-181", "x", "", "nan", "inf", "1e400"}},
	"lat": {make: degrees(85), odd: []string{"85.06", "-90", "x", "", "-inf"}},
	"place": {usual: []string{"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", ""},
		odd: []string{strings.Repeat("long ", 14)}},
	"radius":    {make: radius, odd: []string{"-1", "x", "", "inf", "1e300"}},
	"unit":      {usual: []string{"m", "km", "km", "km", "mi", "ft", "KM"}, odd: []string{"", "x", "kms"}},
	"geoscript": {usual: geoScripts},
}

func integerType(g *generator) string {
	if g.chance(50) {
		return "i" + g.between(1, 64)
	}
	return "u" + g.between(1, 63)
}

// wideInteger returns an integer of a random size.
func wideInteger(g *generator) string {
	return strconv.FormatInt(int64(g.rnd.Uint64())>>g.rnd.IntN(64), 10)
}

// hllScripts add many elements to a HyperLogLog.
var hllScripts = []string{
	"for i = 1, 100 do redis.call('PFADD', KEYS[1], ARGV[1] * 7 + i) end return redis.call('PFCOUNT', KEYS[1])",
	"for i = 1, 2000 do redis.call('PFADD', KEYS[1], ARGV[1] .. i) end return redis.call('PFCOUNT', KEYS[1])",
}

// hllValues are HyperLogLogs, and strings that begin like one.
var hllValues = []string{
	"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80",                             // no registers
	"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff",                     // all 0
	"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff\x00",                 // one byte too many
	"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff\x88",                 // the same, with a value
	"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xfb\xff\x88",             // a run beyond the last register
	"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xfa\x80\x84\x80\x84\x80", // many short runs
	"HYLL\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80",                             // dense, truncated
	"HYLL\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80" + strings.Repeat("\xff", 12288),
	"HYLL\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80" + strings.Repeat("\xf3\x3c\xcf", 4096), // all 51
	"HYLL\x00\x00\x00\x00\x15\xcd\x5b\x07\x00\x00\x00\x00" + strings.Repeat("\x41\x10\x04", 4096),
	"HYLL\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff", // no such encoding
	"HYLX\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff",
	"HYLL\x01",
}

// hllBytes returns an opcode of the sparse encoding. It is complete: Redis reads beyond the end of the value otherwise.
func hllBytes(g *generator) string {
	if g.chance(30) {
		return string([]byte{byte(g.rnd.Uint32()), byte(g.rnd.Uint32()) | 0x80})
	}
	return g.pick("\x00", "\x3f", "\x40\x00", "\x7f\xff", "\x80", "\x83", "\xff", "\x84\x84")
}

// degrees returns coordinates that are often equal, or near the limits.
func degrees(limit float64) func(*generator) string {
	return func(g *generator) string {
		if g.chance(50) {
			return g.pick("0", "10", "10.000001", "-10", "45", "-67.5", "85.05112878", "-85.05112878", "2.352222", "48.856613")
		}
		if g.chance(20) {
			return g.pick("", "-") + strconv.FormatFloat(limit-float64(g.rnd.IntN(5))/8, 'f', -1, 64)
		}
		return strconv.FormatFloat((2*g.rnd.Float64()-1)*limit, 'f', g.rnd.IntN(12), 64)
	}
}

// radius returns a radius of a random size.
func radius(g *generator) string {
	length := 10_000.0
	for g.chance(60) {
		length /= 4
	}
	return strconv.FormatFloat(g.rnd.Float64()*length, 'f', g.rnd.IntN(4), 64)
}

// geoScripts add many places.
var geoScripts = []string{
	"for i = 1, 100 do redis.pcall('GEOADD', KEYS[1], ARGV[1] + i % 5 / 7, ARGV[2] + i % 3 / 7, 'q' .. i) end",
	"for i = 1, 200 do redis.pcall('GEOADD', KEYS[1], ARGV[1] * i % 180, ARGV[2] * i % 85, 'q' .. i) end",
}

func streamID(g *generator) string {
	id := g.between(1, 30)
	if g.chance(80) {
		id += "-" + g.between(0, 4)
	}
	if g.chance(3) {
		id = g.between(1, 30) + "-*"
	}
	return id
}

func streamRange(g *generator) string {
	return g.pick("-", "+", streamID(g), "("+streamID(g))
}

func scriptSHA(script string) string {
	sum := sha1.Sum([]byte(script))
	return hex.EncodeToString(sum[:])
}
