package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// SUNION, SINTER, SDIFF and their STORE forms run one setOperation each. A missing key is an empty set (SINTER command
// page). Any key of another type is an error, even if the result is known to be empty without it. The result is
// collected in a set of its own, so that the destination may be one of the sources, and a member that comes twice
// counts once.

var setOperationCommands = []command.Command{
	{Name: "sdiff", Usage: "key [key ...]", Arity: -2, Flags: command.ReadOnly, Keys: command.AllKeys,
		Access: "RO access", Since: "1.0.0", Tips: "nondeterministic_output_order",
		Summary: "Returns the members of the first set that are in none of the others.", Run: combineSets(differenceOf)},
	{Name: "sdiffstore", Usage: "destination key [key ...]", Arity: -3, Flags: writeDenyOOM, Keys: command.AllKeys,
		Since: "1.0.0", Specs: destAndSets("OW update"),
		Summary: "Stores the members of the first set that are in none of the others.", Run: storeSets(differenceOf)},
	{Name: "sinter", Usage: "key [key ...]", Arity: -2, Flags: command.ReadOnly, Keys: command.AllKeys,
		Access: "RO access", Since: "1.0.0", Tips: "nondeterministic_output_order",
		Summary: "Returns the members that all of several sets have.", Run: combineSets(intersectionOf)},
	{Name: "sintercard", Usage: "numkeys key [key ...] [LIMIT limit]", Arity: -3,
		Flags: command.ReadOnly | command.MovableKeys, Keys: command.NumKeys(1), Access: "RO access", Since: "7.0.0",
		Summary: "Counts the members that all of several sets have.", Run: sintercard},
	{Name: "sinterstore", Usage: "destination key [key ...]", Arity: -3, Flags: writeDenyOOM, Keys: command.AllKeys,
		Since: "1.0.0", Specs: destAndSets("RW update"),
		Changes: []command.Change{{Since: "7.2", Specs: destAndSets("OW update")}},
		Summary: "Stores the members that all of several sets have.", Run: storeSets(intersectionOf)},
	{Name: "sunion", Usage: "key [key ...]", Arity: -2, Flags: command.ReadOnly, Keys: command.AllKeys,
		Access: "RO access", Since: "1.0.0", Tips: "nondeterministic_output_order",
		Summary: "Returns the members that any of several sets has.", Run: combineSets(unionOf)},
	{Name: "sunionstore", Usage: "destination key [key ...]", Arity: -3, Flags: writeDenyOOM, Keys: command.AllKeys,
		Since: "1.0.0", Specs: destAndSets("OW update"),
		Summary: "Stores the members that any of several sets has.", Run: storeSets(unionOf)},
}

// errNumKeysArgs is for a numkeys of SINTERCARD that leaves too few arguments. For sorted sets that is a syntax error.
var errNumKeysArgs = errors.New("ERR Number of keys can't be greater than number of args")

// setOperation returns the result of an operation, in the form in which Redis builds it.
type setOperation func(c *command.Call, sets []*store.Set) *store.Set

// readSets returns the sets of the keys, with an empty set for a missing key. Each lookup counts as hit or miss. A key
// that is given twice is the same set twice.
func readSets(c *command.Call, keys [][]byte) ([]*store.Set, error) {
	sets := make([]*store.Set, 0, len(keys))
	for _, key := range keys {
		s, err := readSet(c, key)
		if err != nil {
			return nil, err
		}
		if s == nil {
			s = store.NewSet()
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// union yields the members of each set in turn, so common ones come several times.
func union(sets []*store.Set, yield func(member []byte) bool) {
	more := true
	for _, s := range sets {
		s.Each(func(member []byte) bool {
			more = yield(member)
			return more
		})
		if !more {
			return
		}
	}
}

// intersection looks the members of the smallest set up in all others.
func intersection(sets []*store.Set, yield func(member []byte) bool) {
	sets = slices.SortedStableFunc(slices.Values(sets), func(a, b *store.Set) int { return a.Len() - b.Len() })
	sets[0].Each(func(member []byte) bool {
		missing := slices.ContainsFunc(sets[1:], func(s *store.Set) bool { return !s.Has(member) })
		return missing || yield(member)
	})
}

// difference looks the members of the first set up in all others.
func difference(sets []*store.Set, yield func(member []byte) bool) {
	sets[0].Each(func(member []byte) bool {
		found := slices.ContainsFunc(sets[1:], func(s *store.Set) bool { return s.Has(member) })
		return found || yield(member)
	})
}

// result returns the result of the operation on the sets of the keys. All types are checked before it starts.
func (op setOperation) result(c *command.Call, keys [][]byte) (*store.Set, error) {
	sets, err := readSets(c, keys)
	if err != nil {
		return nil, err
	}
	return op(c, sets), nil
}

// newResult returns an empty set for a result.
func newResult(c *command.Call) *store.Set {
	return store.Bind(store.NewSet(), c.Env().Store.Thresholds())
}

func unionOf(c *command.Call, sets []*store.Set) *store.Set {
	result := newResult(c).StartsAsInts()
	union(sets, func(member []byte) bool { result.Add(member); return true })
	return result
}

// intersectionOf packs the result first if the smallest set is not one of integers.
func intersectionOf(c *command.Call, sets []*store.Set) *store.Set {
	result := newResult(c).StartsAsInts()
	smallest := slices.MinFunc(sets, func(a, b *store.Set) int { return a.Len() - b.Len() })
	if c.Does(emulate.EncodesSmallSets) && !smallest.Packed() {
		result = newResult(c).StartsPacked()
	}
	intersection(sets, func(member []byte) bool { result.Add(member); return true })
	result.Settle()
	return result
}

// differenceOf removes the members of the other sets from a copy of the first if all of them are few, as Redis does:
// that shows in the encoding of the result.
func differenceOf(c *command.Call, sets []*store.Set) *store.Set {
	result, all := newResult(c).StartsAsInts(), 0
	for _, s := range sets {
		all += s.Len()
	}
	if sets[0].Len()*len(sets)/2 <= all {
		difference(sets, func(member []byte) bool { result.Add(member); return true })
		return result
	}
	union(sets[:1], result.Add)
	for _, s := range sets[1:] {
		s.Each(func(member []byte) bool { result.Remove(member); return result.Len() > 0 })
	}
	return result
}

// combineSets returns the handler of SINTER, SUNION or SDIFF key [key ...], which replies the result: a set in RESP3.
func combineSets(op setOperation) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		s, err := op.result(c, c.Rest(1))
		if err != nil {
			return c.Fail(err)
		}
		return resp.Set(membersOf(c, s)...)
	}
}

// storeSets returns the handler of SINTERSTORE, SUNIONSTORE or SDIFFSTORE destination key [key ...]. It stores the
// result under the destination, which may be one of the keys, and replies its size. The event is the name of the
// command.
func storeSets(op setOperation) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		s, err := op.result(c, c.Rest(2))
		if err != nil {
			return c.Fail(err)
		}
		return storeResult(c, c.Key(1), s, s.Len(), store.EventSet, c.Cmd.Name)
	}
}

// sintercard implements SINTERCARD numkeys key [key ...] [LIMIT limit]. It stops at LIMIT members (command page), and
// stores no result on the way.
func sintercard(c *command.Call) resp.Value {
	keys, limit, err := parseIntercard(c)
	if err != nil {
		return c.Fail(err)
	}
	sets, err := readSets(c, keys)
	if err != nil {
		return c.Fail(err)
	}
	n := 0
	intersection(sets, func([]byte) bool {
		n++
		return n != limit
	})
	return resp.Int(int64(n))
}

// parseIntercard parses the keys and LIMIT, where 0 is no limit. LIMIT may be given several times: the last one counts.
func parseIntercard(c *command.Call) (keys [][]byte, limit int, err error) {
	n, err := c.AtLeast(1, 1, errNumKeys)
	if err != nil {
		return nil, 0, err
	}
	if n > c.Len()-2 {
		return nil, 0, errNumKeysArgs
	}
	for i := n + 2; i < c.Len(); i += 2 {
		if !c.Is(i, "limit") || i+1 == c.Len() {
			return nil, 0, command.ErrSyntax
		}
		if limit, err = c.AtLeast(i+1, 0, errLimitTooLow); err != nil {
			return nil, 0, err
		}
	}
	return c.Args[2 : 2+n], limit, nil
}

// destAndSets are the key specifications of a destination followed by sets. The access of the destination differs,
// since Redis declares SINTERSTORE as one that reads it, though it does not.
func destAndSets(access string) []command.KeySpec {
	return []command.KeySpec{{Index: 1, Access: access}, {Index: 2, Last: -1, Access: "RO access"}}
}
