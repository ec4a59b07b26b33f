package compat

import (
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// keptDumps is the number of payloads that RESTORE is sent with.
const keptDumps = 64

// dumpTemplates dump keys, and restore payloads of earlier rounds, some of them corrupt.
var dumpTemplates = []template{
	"DUMP {key}",
	"RESTORE {key} (0|{pttl}) {payload} [REPLACE] [IDLETIME {idle}|FREQ {freq}|IDLETIME {idle} FREQ {freq}]",
	"RESTORE {key} {pttl} {payload} REPLACE",
	"RESTORE {key} {pat} {payload} ABSTTL [REPLACE] [FREQ {freq}]",
	"RESTORE {key} 0 {payload} REPLACE IDLETIME {idle}",
	"RESTORE {key} 0 {corrupted} [REPLACE]",
	"EVAL {dumpscript} 2 {key} {key} {pttl}",
	"EVAL_RO {encodingscript} 1 {key}",
	"OBJECT IDLETIME {key}",
	"OBJECT FREQ {key}",
	"CONFIG SET (zset-max-listpack-entries|set-max-intset-entries) (0|2|128|512)", // a hash table would have no order
	"CONFIG SET zset-max-listpack-value (0|2|64)",
	"DEL <{key}>",
}

// skipDiffering returns from a script if KEYS[1] is dumped in another way. A hash table has an order of its own, in
// which it is restored if that packs it. A stream with deleted entries is dumped without tombstones by minilockd, which
// shows when it is trimmed with ~ afterwards.
const skipDiffering = "if redis.call('OBJECT', 'ENCODING', KEYS[1]) == 'hashtable' then return end " +
	"if redis.call('TYPE', KEYS[1]).ok == 'stream' then local x = {} local i = redis.call('XINFO', 'STREAM', KEYS[1]) " +
	"for n = 1, #i, 2 do x[i[n]] = i[n + 1] end if x['entries-added'] ~= x.length or x['max-deleted-entry-id'] ~= '0-0' " +
	"then return end end "

// dumpScripts copy KEYS[1] to KEYS[2] by DUMP and RESTORE.
var dumpScripts = []string{
	skipDiffering + "return redis.call('RESTORE', KEYS[2], 0, redis.call('DUMP', KEYS[1]) or '')",
	skipDiffering + "return redis.pcall('RESTORE', KEYS[2], ARGV[1], redis.call('DUMP', KEYS[1]) or 'x', 'REPLACE')",
	skipDiffering + "local d = redis.call('DUMP', KEYS[1]) redis.call('DEL', KEYS[1]) return d and " +
		"redis.call('RESTORE', KEYS[1], 0, d, 'IDLETIME', 5)",
	skipDiffering + "redis.call('SET', KEYS[2], 'mine') return redis.call('RESTORE', 'k3', 0, redis.call('DUMP', " +
		"KEYS[1]) or '', 'REPLACE')",
}

// encodingScripts return the encoding of KEYS[1], except for known differences: a number from INCRBYFLOAT is never an
// int in Redis, and PFCOUNT makes a corrupt HyperLogLog a raw string there.
var encodingScripts = []string{
	"if redis.pcall('GETRANGE', KEYS[1], 0, 3) == 'HYLL' then return end " +
		"local e = redis.call('OBJECT', 'ENCODING', KEYS[1]) return e == 'embstr' and 'int' or e",
}

// payload returns a dump of an earlier round.
func payload(g *generator) string {
	if len(g.dumps) == 0 {
		return ""
	}
	return g.pick(g.dumps...)
}

// corruptPayload returns a payload with a byte less, more, or changed. Its checksum is wrong.
func corruptPayload(g *generator) string {
	b := []byte(payload(g))
	at := g.rnd.IntN(len(b) + 1)
	switch g.rnd.IntN(3) {
	case 0:
		return string(b[:at])
	case 1:
		return string(slices.Insert(b, at, byte(g.rnd.Uint32())))
	}
	if at < len(b) {
		b[at] ^= 1 << g.rnd.IntN(8)
	}
	return string(b)
}

// dumps returns the payloads of all keys of both servers, but those of streams of Redis only: see skipDiffering.
func (a serverPair) dumps() (payloads []string) {
	for _, addr := range []string{a.ref, a.target} {
		c := dial(a.t, addr)
		var commands [][]string
		for _, key := range c.do(a.t, "KEYS", "*").elems {
			commands = append(commands, []string{"DUMP", key.text})
		}
		slices.SortFunc(commands, slices.Compare)
		replies, err := c.pipeline(commands)
		require.NoError(a.t, err)
		for _, r := range replies {
			if addr == a.ref || !strings.HasPrefix(r.text, "\x13") {
				payloads = append(payloads, r.text)
			}
		}
		require.NoError(a.t, c.conn.Close())
	}
	return payloads
}

// setDistinctIdleTimes sets a maxmemory policy with which Redis does not share small integers: each key has an idle
// time.
func (a serverPair) setDistinctIdleTimes() {
	for _, addr := range []string{a.ref, a.target} {
		c := dial(a.t, addr)
		require.Equal(a.t, "+OK", c.do(a.t, "CONFIG", "SET", "maxmemory", "1gb", "maxmemory-policy", "allkeys-lru").String())
		require.NoError(a.t, c.conn.Close())
	}
}

// sameDump compares payloads. They must be equal, except those of hash tables, which have no order, of lists, whose
// nodes depend on earlier changes, and of streams, which contain times and deleted entries.
func sameDump(want, got reply) bool {
	if want.kind != '$' || want.null || got.kind != '$' || got.null || want.text == "" || got.text == "" {
		return false
	}
	// Sets, hashes, lists, streams, and hashes with times at which fields expire; sorted sets, see encodingScripts.
	const open, zsets = "\x02\x04\x12\x13\x15\x16\x18\x19", "\x05\x11"
	kind, other := want.text[0], got.text[0]
	if kind == packedSet && other == packedSet { // in the order of the hash table that it was read from
		return slices.Equal(membersOfDump(want.text), membersOfDump(got.text))
	}
	return kind == other && strings.IndexByte(open, kind) >= 0 ||
		kind != other && strings.IndexByte(zsets, kind) >= 0 && strings.IndexByte(zsets, other) >= 0
}

// packedSet is the type of the payload of a set in a listpack.
const packedSet = '\x14'

// membersOfDump returns the members of a set from its payload, sorted.
func membersOfDump(payload string) (members []string) {
	v, err := dump.Decode([]byte(payload), emulate.Named(emulated).RDB, 0, store.NewThresholds())
	if err == nil {
		v.(*store.Set).Each(func(member []byte) bool {
			members = append(members, string(member))
			return true
		})
	}
	slices.Sort(members)
	return members
}
