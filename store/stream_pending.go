package store

// PendingEntry is an entry that was delivered to a consumer and has no XACK yet. The entry itself may have
// been deleted from the stream.
type PendingEntry struct {
	DeliveredAt   int64 // ms since the epoch
	DeliveryCount int64 // how often

	id       StreamID
	consumer *StreamConsumer
}

// pendingList holds pending entries in the order of their ids. Each one is in the list of its group and in that of its
// consumer.
type pendingList = ordered[StreamID, *PendingEntry]

// pendingWeight is what a pending entry takes in memory, roughly.
const pendingWeight = 96

func newPendingList() pendingList { return newOrdered[StreamID, *PendingEntry](StreamID.Compare) }

// ID is the id of the entry.
func (p *PendingEntry) ID() StreamID { return p.id }

// Consumer is to whom the entry was delivered.
func (p *PendingEntry) Consumer() *StreamConsumer { return p.consumer }

// Deliver notes that an entry was delivered to a consumer of the group, at a time in ms since the epoch, and how
// often it was in all. An entry that was pending already moves to this consumer.
func (g *StreamGroup) Deliver(id StreamID, to *StreamConsumer, at, count int64) *PendingEntry {
	p := g.PendingAt(id)
	switch {
	case p == nil:
		p = &PendingEntry{id: id}
		g.pending.put(id, p)
		g.stream.groupBytes += pendingWeight
	case p.consumer != to:
		p.consumer.pending.remove(id)
	}
	if p.consumer != to {
		p.consumer = to
		to.pending.put(id, p)
	}
	p.DeliveredAt, p.DeliveryCount = at, count
	return p
}

// Ack forgets a pending entry and reports whether there was one of that id.
func (g *StreamGroup) Ack(id StreamID) bool {
	p, ok := g.pending.remove(id)
	if ok {
		p.consumer.pending.remove(id)
		g.stream.groupBytes -= pendingWeight
	}
	return ok
}

// PendingAt returns the pending entry of an id, or nil.
func (g *StreamGroup) PendingAt(id StreamID) *PendingEntry {
	p, _ := g.pending.get(id)
	return p
}

// PendingCount is the number of pending entries.
func (g *StreamGroup) PendingCount() int { return g.pending.len() }

// Pending calls yield for each pending entry in the order of the ids, until it returns false. yield must not change the
// list.
func (g *StreamGroup) Pending(yield func(*PendingEntry) bool) {
	g.pending.each(func(_ StreamID, p *PendingEntry) bool { return yield(p) })
}

// PendingFrom is Pending without what comes before an id.
func (g *StreamGroup) PendingFrom(first StreamID, yield func(*PendingEntry) bool) {
	g.pending.from(first, func(_ StreamID, p *PendingEntry) bool { return yield(p) })
}

// NextPending returns the first pending entry that is not before an id, or nil. Unlike in PendingFrom, the list may
// change between two calls.
func (g *StreamGroup) NextPending(id StreamID) *PendingEntry {
	_, p, _ := g.pending.ceil(id)
	return p
}

// LastPending returns the pending entry with the highest id, or nil.
func (g *StreamGroup) LastPending() *PendingEntry {
	_, p, _ := g.pending.last()
	return p
}

// PendingCount is the number of pending entries of the consumer.
func (c *StreamConsumer) PendingCount() int { return c.pending.len() }

// Pending calls yield for each pending entry of the consumer in the order of the ids, until it returns false. yield
// must not change the list.
func (c *StreamConsumer) Pending(yield func(*PendingEntry) bool) {
	c.pending.each(func(_ StreamID, p *PendingEntry) bool { return yield(p) })
}

// PendingFrom is Pending without what comes before an id.
func (c *StreamConsumer) PendingFrom(first StreamID, yield func(*PendingEntry) bool) {
	c.pending.from(first, func(_ StreamID, p *PendingEntry) bool { return yield(p) })
}
