package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Union, intersection and difference of sorted sets, and their STORE forms, run one zsetOperation each. The scores of a
// member are multiplied by WEIGHTS and combined by AGGREGATE (ZUNIONSTORE command page). Floating point sums depend on
// the order of the sources, so that is the order of Redis: the smallest source first.

var zsetOperationCommands = []command.Command{
	{Name: "zdiff", Usage: "numkeys key [key ...] [WITHSCORES]", Arity: -3,
		Flags: command.ReadOnly | command.MovableKeys, Keys: command.NumKeys(1), Access: "RO access", Since: "6.2.0",
		Summary: "Returns the members of the first sorted set that are in none of the others.",
		Run:     combineZSets(zdiff, noWeights)},
	{Name: "zdiffstore", Usage: "destination numkeys key [key ...]", Arity: -4,
		Flags: writeDenyOOM | command.MovableKeys, Keys: command.DestAndNumKeys(),
		Access: "OW update, RO access", Since: "6.2.0",
		Summary: "Stores the members of the first sorted set that are in none of the others.",
		Run:     storeZSets(zdiff, noWeights)},
	{Name: "zinter",
		Usage: "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>] [WITHSCORES]",
		Arity: -3, Flags: command.ReadOnly | command.MovableKeys, Keys: command.NumKeys(1),
		Access: "RO access", Since: "6.2.0",
		Summary: "Returns the members that all of several sorted sets have.", Run: combineZSets(zinter, withWeights)},
	{Name: "zintercard", Usage: "numkeys key [key ...] [LIMIT limit]", Arity: -3,
		Flags: command.ReadOnly | command.MovableKeys, Keys: command.NumKeys(1), Access: "RO access", Since: "7.0.0",
		Summary: "Counts the members that all of several sorted sets have.", Run: zintercard},
	{Name: "zinterstore",
		Usage: "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>]",
		Arity: -4, Flags: writeDenyOOM | command.MovableKeys, Keys: command.DestAndNumKeys(),
		Access: "OW update, RO access", Since: "2.0.0",
		Summary: "Stores the members that all of several sorted sets have.", Run: storeZSets(zinter, withWeights)},
	{Name: "zunion",
		Usage: "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>] [WITHSCORES]",
		Arity: -3, Flags: command.ReadOnly | command.MovableKeys, Keys: command.NumKeys(1),
		Access: "RO access", Since: "6.2.0",
		Summary: "Returns the members that any of several sorted sets has.", Run: combineZSets(zunion, withWeights)},
	{Name: "zunionstore",
		Usage: "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>]",
		Arity: -4, Flags: writeDenyOOM | command.MovableKeys, Keys: command.DestAndNumKeys(),
		Access: "OW update, RO access", Since: "2.0.0",
		Summary: "Stores the members that any of several sorted sets has.", Run: storeZSets(zunion, withWeights)},
}

var (
	noWeights   = zsetOptions{}
	withWeights = zsetOptions{weights: true}
)

// zsetOperation returns the result of a query.
type zsetOperation func(q *zsetQuery) *store.ZSet

// zunion adds the sources up one after another, in the order of bySize.
func zunion(q *zsetQuery) *store.ZSet {
	q.bySize()
	result := store.NewZSetTable()
	for _, src := range q.sources {
		src.each(func(member []byte, score float64) bool {
			score = src.weighted(score)
			if sum, ok := result.Score(member); ok {
				score = q.aggregate(sum, score)
			}
			result.Set(member, score)
			return true
		})
	}
	return result
}

// zinter collects the common members with their aggregated scores.
func zinter(q *zsetQuery) *store.ZSet {
	result := store.NewZSetTable()
	q.eachCommon(func(member []byte, score float64) bool { return result.Set(member, score) })
	return result
}

// eachCommon calls yield with the members that all sources have until it returns false. It looks the members of the
// smallest source up in all others.
func (q *zsetQuery) eachCommon(yield func(member []byte, score float64) bool) {
	q.bySize()
	q.sources[0].each(func(member []byte, score float64) bool {
		sum := q.sources[0].weighted(score)
		for _, src := range q.sources[1:] {
			score, ok := src.score(member)
			if !ok {
				return true
			}
			// The product may be NaN: aggregate handles it.
			sum = q.aggregate(sum, src.weight*score)
		}
		return yield(member, sum)
	})
}

// zdiff keeps the scores of the first source, without weights.
func zdiff(q *zsetQuery) *store.ZSet {
	result := store.NewZSetTable()
	q.sources[0].each(func(member []byte, score float64) bool {
		found := slices.ContainsFunc(q.sources[1:], func(src zsetSource) bool { _, ok := src.score(member); return ok })
		return found || result.Set(member, score)
	})
	return result
}

// combineZSets returns the handler of ZINTER, ZUNION or ZDIFF numkeys key [key ...], which replies the result by score.
// With WITHSCORES the reply in RESP3 consists of pairs.
func combineZSets(op zsetOperation, o zsetOptions) func(*command.Call) resp.Value {
	o.scores = true
	return func(c *command.Call) resp.Value {
		q, err := o.parse(c, 1)
		if err != nil {
			return c.Fail(err)
		}
		z := op(&q)
		return rangeReply(c, z, z.All(), false, q.withScores)
	}
}

// storeZSets returns the handler of ZINTERSTORE, ZUNIONSTORE or ZDIFFSTORE destination numkeys key [key ...]. It stores
// the result under the destination, which may be a source, and replies its size. The event is the name of the command.
func storeZSets(op zsetOperation, o zsetOptions) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		q, err := o.parse(c, 2)
		if err != nil {
			return c.Fail(err)
		}
		z := op(&q)
		return storeResult(c, c.Key(1), z, z.Len(), store.EventZSet, c.Cmd.Name)
	}
}

// zintercard implements ZINTERCARD numkeys key [key ...] [LIMIT limit]. It stops at LIMIT members (command page).
func zintercard(c *command.Call) resp.Value {
	q, err := zsetOptions{limit: true}.parse(c, 1)
	if err != nil {
		return c.Fail(err)
	}
	n := 0
	q.eachCommon(func([]byte, float64) bool {
		n++
		return n != q.limit
	})
	return resp.Int(int64(n))
}
