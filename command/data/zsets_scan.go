package data

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Random members, and iteration. Counts mean what they mean for hashes (picks.go).

var zsetScanCommands = []command.Command{
	{Name: "zrandmember", Usage: "key [count [WITHSCORES]]", Arity: -2, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "6.2.0", Tips: "nondeterministic_output",
		Summary: "Returns one or more random members of a sorted set.", Run: zrandmember},
	{Name: "zscan", Usage: "key cursor [MATCH pattern] [COUNT count] [NOSCORES]{valkey-8.1}",
		Arity: -3, Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access", Since: "2.8.0",
		Tips:    "nondeterministic_output",
		Summary: "Iterates over the members and scores of a sorted set.", Run: zscan},
}

// zscan implements ZSCAN key cursor [MATCH pattern] [COUNT count] [NOSCORES]. It replies members and scores in turn, or
// the members alone.
func zscan(c *command.Call) resp.Value {
	return scanValue(c, func(z *store.ZSet, o *scanOptions, add func(...resp.Value)) uint64 {
		return z.Scan(o.cursor, o.count, func(member []byte, score float64) {
			switch {
			case !o.matches(member):
			case o.keysOnly:
				add(resp.Bulk(member))
			default:
				add(resp.Bulk(member), resp.Bulk(scoreText(c, z, score)))
			}
		})
	})
}

// scoreText formats a score for the iteration: as a string in RESP3 too. A listpack keeps whole numbers as integers, so
// they print without an exponent there. Only there has a score the digits of other replies.
func scoreText(c *command.Call, z *store.ZSet, score float64) []byte {
	// Beyond half of int64 Redis keeps a double in listpacks, too (double2ll).
	if z.Packed() && score == math.Trunc(score) && math.Abs(score) < math.MaxInt64/2 {
		return strconv.AppendInt(nil, int64(score), 10)
	}
	form := resp.Digits17
	if z.Packed() {
		form = c.DoubleForm()
	}
	return resp.AppendDouble(nil, score, form)
}

// zrandmember implements ZRANDMEMBER key [count [WITHSCORES]]. It parses its options before it looks the key up.
// WITHSCORES replies pairs in RESP3.
func zrandmember(c *command.Call) resp.Value {
	missing, count, withScores := resp.Null, 1, false
	if c.Len() > 2 {
		var err error
		if count, withScores, err = parsePicks(c, "withscores"); err != nil {
			return c.Fail(err)
		}
		missing = resp.Array()
	}
	z, err := readZSet(c, c.Key(1))
	switch {
	case err != nil || z == nil:
		return c.FailOr(err, missing)
	case c.Len() == 2:
		member, _ := z.At(rand.IntN(z.Len()))
		return resp.Bulk(member)
	case tooManyPicks(count, pickWidth(withScores)):
		return c.Fail(errValueRange)
	}
	elems := pickElements(count, withScores, z.Sample, z.Pick, c.Double)
	if withScores {
		return resp.Pairs(elems...)
	}
	return resp.Array(elems...)
}
