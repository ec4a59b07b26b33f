package store

import "strings"

// StreamGroup is a consumer group: up to where its consumers have read the stream, and which entries were delivered to
// them without an XACK yet. It belongs to one stream. (XGROUP CREATE command page.)
type StreamGroup struct {
	stream    *Stream
	name      string
	last      StreamID // of the entries delivered
	read      int64    // entries delivered since the first of the stream; EntriesReadUnknown
	consumers ordered[string, *StreamConsumer]
	pending   pendingList
}

// EntriesReadUnknown is the number of entries read by a group of which it is not known.
const EntriesReadUnknown = -1

// StreamConsumer is a member of a group.
type StreamConsumer struct {
	name    string
	seen    int64 // ms since the epoch
	active  int64 // the same, -1 for never
	pending pendingList
}

// What a group and a consumer take in memory, roughly and without their names, for Weight.
const (
	groupWeight    = 160
	consumerWeight = 128
)

// Group returns the group of a name, or nil.
func (s *Stream) Group(name []byte) *StreamGroup {
	g, _ := s.groups.get(string(name))
	return g
}

// AddGroup makes a group that has read up to an id, and so many entries (EntriesReadUnknown). It returns nil if there
// is one of that name.
func (s *Stream) AddGroup(name []byte, last StreamID, read int64) *StreamGroup {
	if s.Group(name) != nil {
		return nil
	}
	g := &StreamGroup{stream: s, name: string(name), last: last, read: read, pending: newPendingList(),
		consumers: newOrdered[string, *StreamConsumer](strings.Compare)}
	s.groups.put(g.name, g)
	s.groupBytes += groupWeight + len(name)
	return g
}

// RemoveGroup removes a group with all it knows, and reports whether it was there.
func (s *Stream) RemoveGroup(name []byte) bool {
	g, ok := s.groups.remove(string(name))
	if ok {
		s.groupBytes -= g.weight()
	}
	return ok
}

// GroupCount is the number of groups.
func (s *Stream) GroupCount() int { return s.groups.len() }

// Groups calls yield for each group in the order of the names, until it returns false.
func (s *Stream) Groups(yield func(*StreamGroup) bool) {
	s.groups.each(func(_ string, g *StreamGroup) bool { return yield(g) })
}

// weight is what the group adds to that of its stream.
func (g *StreamGroup) weight() int {
	sum := groupWeight + len(g.name) + g.pending.len()*pendingWeight
	for c := range g.Consumers {
		sum += consumerWeight + len(c.name)
	}
	return sum
}

// Name is the name of the group.
func (g *StreamGroup) Name() string { return g.name }

// LastID is the id of the last entry that was delivered, or that XGROUP SETID has set.
func (g *StreamGroup) LastID() StreamID { return g.last }

// Seek lets the group have read up to an id, and so many entries (EntriesReadUnknown).
func (g *StreamGroup) Seek(last StreamID, read int64) { g.last, g.read = last, read }

// Consumer returns the consumer of a name, or nil.
func (g *StreamGroup) Consumer(name []byte) *StreamConsumer {
	c, _ := g.consumers.get(string(name))
	return c
}

// AddConsumer makes a consumer that was seen at a time in ms since the epoch. It returns nil if there is one of that
// name.
func (g *StreamGroup) AddConsumer(name []byte, seen int64) *StreamConsumer {
	if g.Consumer(name) != nil {
		return nil
	}
	c := &StreamConsumer{name: string(name), seen: seen, active: -1, pending: newPendingList()}
	g.consumers.put(c.name, c)
	g.stream.groupBytes += consumerWeight + len(name)
	return c
}

// RemoveConsumer removes a consumer with its pending entries, and returns how many these were; ok is false if it was
// not there.
func (g *StreamGroup) RemoveConsumer(name []byte) (pending int, ok bool) {
	c, ok := g.consumers.remove(string(name))
	if !ok {
		return 0, false
	}
	for p := range c.Pending {
		g.pending.remove(p.id)
	}
	g.stream.groupBytes -= consumerWeight + len(c.name) + c.pending.len()*pendingWeight
	return c.pending.len(), true
}

// ConsumerCount is the number of consumers.
func (g *StreamGroup) ConsumerCount() int { return g.consumers.len() }

// Consumers calls yield for each consumer in the order of the names, until it returns false.
func (g *StreamGroup) Consumers(yield func(*StreamConsumer) bool) {
	g.consumers.each(func(_ string, c *StreamConsumer) bool { return yield(c) })
}

// Name is the name of the consumer.
func (c *StreamConsumer) Name() string { return c.name }

// Seen is when the consumer last tried to get entries, in ms since the epoch.
func (c *StreamConsumer) Seen() int64 { return c.seen }

// Active is when the consumer last got entries, in ms since the epoch; -1 if it never did.
func (c *StreamConsumer) Active() int64 { return c.active }

// SetActive notes that the consumer got entries.
func (c *StreamConsumer) SetActive(now int64) { c.active = now }

// See notes that the consumer tries to get entries.
func (c *StreamConsumer) See(now int64) { c.seen = now }

// clone copies the group for another stream.
func (g *StreamGroup) clone(to *Stream) {
	d := to.AddGroup([]byte(g.name), g.last, g.read)
	for c := range g.Consumers {
		d.AddConsumer([]byte(c.name), c.seen).active = c.active
	}
	for p := range g.Pending {
		d.Deliver(p.id, d.Consumer([]byte(p.consumer.name)), p.DeliveredAt, p.DeliveryCount)
	}
}
