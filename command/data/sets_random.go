package data

import (
	"bytes"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Random members, which SPOP also removes; and iteration. The reply to a missing key depends on whether a count is
// given: null without, an empty set or array with it (SPOP command page).

var setRandomCommands = []command.Command{
	{Name: "spop", Usage: "key [count]", Arity: -2, Flags: writeFast, Keys: command.OneKey,
		Access: "RW access delete", Since: "1.0.0", Tips: "nondeterministic_output",
		Summary: "Removes and returns one or more random members of a set.", Run: spop},
	{Name: "srandmember", Usage: "key [count]", Arity: -2, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "1.0.0", Tips: "nondeterministic_output",
		Summary: "Returns one or more random members of a set.", Run: srandmember},
	{Name: "sscan", Usage: "key cursor [MATCH pattern] [COUNT count]", Arity: -3, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "2.8.0", Tips: "nondeterministic_output",
		Summary: "Iterates over the members of a set.", Run: sscan},
}

// spop implements SPOP key [count]. It checks the count before the key. With a count it replies a set in RESP3, even
// for count 0; without, one member, or null for a missing key.
func spop(c *command.Call) resp.Value {
	count, err := 1, error(nil)
	switch {
	case c.Len() > 3:
		return c.Fail(command.ErrSyntax)
	case c.Len() == 3:
		if count, err = c.AtLeast(2, 0, command.ErrNotPositive); err != nil {
			return c.Fail(err)
		}
	}
	s, err := writeSet(c, c.Key(1))
	switch {
	case err != nil:
		return c.Fail(err)
	case c.Len() == 2 && s == nil:
		return resp.Null
	case s == nil || count == 0:
		return resp.Set()
	}
	popped := popMembers(c, s, count)
	if c.Len() == 2 {
		return popped[0]
	}
	return resp.Set(popped...)
}

// popMembers removes up to count random members from the set of argument 1, with one event, "spop", and "del" if none
// remain. Each member counts as a change.
func popMembers(c *command.Call, s *store.Set, count int) []resp.Value {
	members := make([][]byte, 0, min(count, s.Len()))
	// Members are copied, since removing them may reuse their memory.
	s.Sample(count, func(member []byte) { members = append(members, bytes.Clone(member)) })
	popped := make([]resp.Value, 0, len(members))
	for _, member := range members {
		s.Remove(member)
		popped = append(popped, resp.Bulk(member))
	}
	c.Tx.Report(c.Key(1), store.Change{Class: store.EventSet, Event: "spop", Count: len(popped)})
	c.DropEmpty(c.Key(1), s.Len())
	if c.Propagates() {
		propagatePopped(c, members, s.Len() == 0)
	}
	return popped
}

// propagatePopped sends the members that SPOP has popped, or with a count that the set is gone.
func propagatePopped(c *command.Call, members [][]byte, gone bool) {
	if gone && c.Len() == 3 {
		c.PropagateAs(deletionByServer(c), c.Key(1))
		return
	}
	batch := 1
	if c.Does(emulate.ReplicatesBatches) {
		batch = maxReplicatedBatch
	}
	for part := range slices.Chunk(members, batch) {
		c.PropagateAs("SREM", append([][]byte{c.Key(1)}, part...)...)
	}
}

// maxReplicatedBatch is how many members of SPOP one SREM has.
const maxReplicatedBatch = 1024

// srandmember implements SRANDMEMBER key [count]. It replies an array, not a set: with a negative count members repeat.
func srandmember(c *command.Call) resp.Value {
	if c.Len() > 3 {
		return c.Fail(command.ErrSyntax)
	}
	missing, count, err := resp.Null, 1, error(nil)
	if c.Len() == 3 {
		missing = resp.Array()
		if count, err = c.Count(2); err != nil {
			return c.Fail(err)
		}
	}
	s, err := readSet(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, missing)
	}
	if tooManyPicks(count, 1) {
		return c.Fail(errValueRange)
	}
	members := randomMembers(s, count)
	if c.Len() == 2 {
		return members[0]
	}
	return resp.Array(members...)
}

// randomMembers returns up to count different members, or -count members with repetitions if count is negative.
func randomMembers(s *store.Set, count int) (members []resp.Value) {
	if count >= 0 {
		s.Sample(count, func(member []byte) { members = append(members, resp.Bulk(member)) })
		return members
	}
	members = make([]resp.Value, 0, -count)
	s.Pick(-count, func(member []byte) { members = append(members, resp.Bulk(member)) })
	return members
}

// sscan implements SSCAN key cursor [MATCH pattern] [COUNT count]. Members that are added or removed between the calls
// may be returned or not; a member that stays is returned at least once.
func sscan(c *command.Call) resp.Value {
	return scanValue(c, func(s *store.Set, o *scanOptions, add func(...resp.Value)) uint64 {
		return s.Scan(o.cursor, o.count, func(member []byte) {
			if o.matches(member) {
				add(resp.Bulk(member))
			}
		})
	})
}
