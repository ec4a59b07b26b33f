package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var zsetAlgebraCommands = []command.Command{
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

// zsetOperation makes the result of the sources.
type zsetOperation func(q *zsetQuery) *store.ZSet

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

func zinter(q *zsetQuery) *store.ZSet {
	result := store.NewZSetTable()
	q.eachCommon(func(member []byte, score float64) bool { return result.Set(member, score) })
	return result
}

// eachCommon yields the members that all sources have until yield returns false. It looks those of the smallest up in
// all the others.
func (q *zsetQuery) eachCommon(yield func(member []byte, score float64) bool) {
	q.bySize()
	q.sources[0].each(func(member []byte, score float64) bool {
		sum := q.sources[0].weighted(score)
		for _, src := range q.sources[1:] {
			score, ok := src.score(member)
			if !ok {
				return true
			}
			sum = q.aggregate(sum, src.weight*score)
		}
		return yield(member, sum)
	})
}

func zdiff(q *zsetQuery) *store.ZSet {
	result := store.NewZSetTable()
	q.sources[0].each(func(member []byte, score float64) bool {
		found := slices.ContainsFunc(q.sources[1:], func(src zsetSource) bool { _, ok := src.score(member); return ok })
		return found || result.Set(member, score)
	})
	return result
}

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

// storeZSets returns the handler that keeps the result under the key at word 1. Its event bears the command's name.
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
