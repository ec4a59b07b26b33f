package cluster

import (
	"cmp"
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var (
	errMetric = errors.New("ERR Unrecognized sort metric for ORDERBY.")
	errLimit  = errors.New("ERR Limit has to lie in between 1 and 16384 (maximum number of slots).")
)

// slotStats tells how many keys the slots of the shard have: CLUSTER SLOT-STATS SLOTSRANGE start-slot end-slot |
// ORDERBY metric [LIMIT limit] [ASC | DESC]. The other metrics are there only with cluster-slot-stats-enabled.
func slotStats(c *command.Call, n *Node) resp.Value {
	switch {
	case c.Is(2, "slotsrange") && c.Len() == 5:
		return slotStatsOfRange(c, n)
	case c.Is(2, "orderby"):
		return slotStatsInOrder(c, n)
	}
	return c.Fail(errWords(c))
}

func slotStatsOfRange(c *command.Call, n *Node) resp.Value {
	first, err := slotArg(c, 3)
	if err != nil {
		return c.Fail(err)
	}
	last, err := slotArg(c, 4)
	switch {
	case err != nil:
		return c.Fail(err)
	case first > last:
		return c.Fail(words.Errorf("ERR Start slot number %d is greater than end slot number %d", first, last))
	}
	counts := countKeys(c.Tx)
	var replies []resp.Value
	for _, slot := range n.view.Load().ownSlots() {
		if first <= slot && slot <= last {
			replies = append(replies, slotStat(slot, counts[slot]))
		}
	}
	return resp.Array(replies...)
}

func slotStatsInOrder(c *command.Call, n *Node) resp.Value {
	if !c.Is(3, "key-count") {
		return c.Fail(errMetric)
	}
	limit, ascending := int64(hashtag.Slots), false
	for i := 4; i < c.Len(); i++ {
		var err error
		switch {
		case c.Is(i, "limit") && i+1 < c.Len():
			if limit, err = c.IntBetween(i+1, 1, hashtag.Slots, errLimit); err != nil {
				return c.Fail(err)
			}
			i++
		case c.Is(i, "asc"), c.Is(i, "desc"):
			ascending = c.Is(i, "asc")
		default:
			return c.Fail(command.ErrSyntax)
		}
	}
	counts, slots := countKeys(c.Tx), n.view.Load().ownSlots()
	slices.SortStableFunc(slots, func(a, b int) int {
		if ascending {
			return cmp.Compare(counts[a], counts[b])
		}
		return cmp.Compare(counts[b], counts[a])
	})
	var replies []resp.Value
	for _, slot := range slots[:min(len(slots), int(limit))] {
		replies = append(replies, slotStat(slot, counts[slot]))
	}
	return resp.Array(replies...)
}

func slotStat(slot, keys int) resp.Value {
	return resp.Array(resp.Int(int64(slot)), resp.Map(resp.BulkString("key-count"), resp.Int(int64(keys))))
}

// ownSlots returns the slots of the shard of the node, in order.
func (v *view) ownSlots() (slots []int) {
	leader := v.self()
	if m := v.masterOf(leader); m != nil {
		leader = m
	}
	for slot, number := range v.owners {
		if number == leader.number {
			slots = append(slots, slot)
		}
	}
	return slots
}

// countKeys returns how many keys of database 0 each slot has; slots without keys are missing.
func countKeys(tx *store.Tx) map[int]int {
	counts := make(map[int]int)
	tx.In(0, func() {
		tx.Each(func(key []byte, _ store.Entry) bool {
			counts[hashtag.Slot(key)]++
			return true
		})
	})
	return counts
}
