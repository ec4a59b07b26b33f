package dump

import (
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// A consumer group is its name, the last id it has read up to, how many entries these were (since Redis 7), the pending
// entries of all consumers with when and how often each was delivered, and the consumers. A consumer is its name, when
// it was seen, and the ids of its pending entries.

// appendGroups writes the number of the groups and the groups, in the order of their names. An unknown number of
// entries read, -1, is written as a length of 64 bits that are all set.
func appendGroups(b []byte, s *store.Stream, form byte) []byte {
	b = rdb.AppendLength(b, uint64(s.GroupCount()))
	for g := range s.Groups {
		b = appendID(rdb.AppendString(b, []byte(g.Name())), g.LastID())
		b = rdb.AppendLength(b, uint64(g.EntriesRead()))
		b = rdb.AppendLength(b, uint64(g.PendingCount()))
		for p := range g.Pending {
			b = rdb.AppendMs(append(b, rawID(p.ID())...), p.DeliveredAt)
			b = rdb.AppendLength(b, uint64(p.DeliveryCount))
		}
		b = appendConsumers(b, g, form)
	}
	return b
}

// appendConsumers writes the consumers of a group. Of a pending entry only the id is repeated here: when and how often
// it was delivered is in the list of the group.
func appendConsumers(b []byte, g *store.StreamGroup, form byte) []byte {
	b = rdb.AppendLength(b, uint64(g.ConsumerCount()))
	for c := range g.Consumers {
		b = rdb.AppendMs(rdb.AppendString(b, []byte(c.Name())), c.Seen())
		if form == typeStream3 {
			b = rdb.AppendMs(b, c.Active())
		}
		b = rdb.AppendLength(b, uint64(c.PendingCount()))
		for p := range c.Pending {
			b = append(b, rawID(p.ID())...)
		}
	}
	return b
}

// delivery is when and how often an entry was delivered.
type delivery struct{ at, times int64 }

// groupReader reads the groups of a stream.
type groupReader struct {
	*reader
	form    streamForm
	s       *store.Stream
	pending map[store.StreamID]delivery // of the current group, until a consumer with their id was read
}

// readGroups reads the groups of a stream whose entries have been read. Payloads of before Redis 7 do not have the
// number of entries that a group has read: it follows from the last id, if no deleted entry hides it.
func readGroups(r *reader, s *store.Stream, form streamForm) {
	groups := groupReader{reader: r, form: form, s: s}
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		groups.group()
	}
}

// group reads a group. A second one of the same name is an error, and so is a pending entry without a consumer.
func (r *groupReader) group() {
	name, last := r.String(), readID(r.reader)
	read := r.s.CountUpTo(last)
	if r.form.hasPast {
		read = int64(r.Length())
	}
	g := r.s.AddGroup(name, last, read)
	r.pending = map[store.StreamID]delivery{}
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		r.delivery()
	}
	if g == nil || r.Failed() {
		r.Fail()
		return
	}
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		r.consumer(g)
	}
	if len(r.pending) > 0 {
		r.Fail()
	}
}

// delivery reads a pending entry, whose consumer follows later.
func (r *groupReader) delivery() {
	id := parseID(r.reader, r.Take(nodeKeySize))
	if _, known := r.pending[id]; known {
		r.Fail()
		return
	}
	r.pending[id] = delivery{at: r.Int(8), times: int64(r.Length())}
}

// consumer reads a consumer. Each of its ids must be that of a pending entry of the group which no other consumer has.
func (r *groupReader) consumer(g *store.StreamGroup) {
	name := r.String()
	seen := r.Int(8)
	c, active := g.AddConsumer(name, seen), seen
	if r.form.hasActive {
		active = r.Int(8)
	}
	if c == nil {
		r.Fail()
		return
	}
	c.SetActive(active)
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		id := parseID(r.reader, r.Take(nodeKeySize))
		d, known := r.pending[id]
		if !known {
			r.Fail()
			return
		}
		delete(r.pending, id)
		g.Deliver(id, c, d.at, d.times)
	}
}
