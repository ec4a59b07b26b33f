package store

// The invariants of streams, and of the ordered maps that consumer groups are kept in.

func (c *checker) stream(s *Stream) {
	length, bytes, last := 0, 0, StreamID{}
	for i := range s.chunks {
		chunk := &s.chunks[i]
		c.require(i == 0 || chunk.base.Compare(last) > 0, "chunk %d of a stream begins before the last one ends", i)
		last = c.streamChunk(chunk, last)
		length += int(chunk.count)
		bytes += len(chunk.b) + len(chunk.names)
	}
	c.require(length == s.length, "%d entries in a stream, %d found", s.length, length)
	c.require(bytes == s.bytes, "%d bytes in a stream, %d found", s.bytes, bytes)
	c.require(last.Compare(s.last) <= 0, "an entry of a stream is behind its last id")
	checkOrdered(c, &s.groups)
	groupBytes := 0
	for g := range s.Groups {
		if c.group(s, g); c.err != nil {
			return
		}
		groupBytes += g.weight()
	}
	c.require(groupBytes == s.groupBytes, "%d bytes in the groups of a stream, %d found", s.groupBytes, groupBytes)
}

// streamChunk checks a chunk whose entries come behind the last one, and returns the id of its own last.
func (c *checker) streamChunk(k *streamChunk, last StreamID) StreamID {
	entries := c.packed(k.b)
	c.require(len(entries) == int(k.count), "%d entries in a chunk, %d found", k.count, len(entries))
	c.require(k.added >= k.count, "%d entries in a chunk, %d ever added", k.count, k.added)
	c.packed(k.names)
	for off := 0; off < len(k.b) && c.err == nil; {
		id, _, next := k.at(off)
		c.require(id.Compare(last) > 0 && id.Compare(k.base) >= 0, "entry %s is out of order", id.Append(nil))
		last, off = id, next
	}
	c.require(last.Compare(k.top) <= 0 || k.count == 0, "an entry of a chunk is behind its last id")
	return last
}

// group checks a consumer group: its pending entries are those of its consumers.
func (c *checker) group(s *Stream, g *StreamGroup) {
	c.require(s.Group([]byte(g.name)) == g && g.stream == s, "group %q is that of another stream", g.name)
	checkOrdered(c, &g.consumers)
	checkOrdered(c, &g.pending)
	pending := 0
	for consumer := range g.Consumers {
		if checkOrdered(c, &consumer.pending); c.err != nil {
			return
		}
		pending += consumer.pending.len()
		for p := range consumer.Pending {
			id := p.id.Append(nil)
			c.require(g.PendingAt(p.id) == p, "entry %s is pending for a consumer and not in its group", id)
			c.require(p.consumer == consumer, "entry %s is pending for two consumers", id)
		}
	}
	all := g.pending.len()
	c.require(pending == all, "%d entries are pending in a group, %d at its consumers", all, pending)
}

// checkOrdered checks an ordered map.
func checkOrdered[K, V any](c *checker, o *ordered[K, V]) {
	c.require((o.root == nil) == (o.count == 0), "an ordered map of %d keys has a root, or has none", o.count)
	if o.root == nil || c.err != nil {
		return
	}
	if checkOrderedNode(c, o, o.root); c.err != nil {
		return
	}
	found := 0
	var last K
	o.each(func(k K, _ V) bool {
		c.require(found == 0 || o.compare(last, k) < 0, "the keys of an ordered map are out of order at %v", k)
		last = k
		found++
		return c.err == nil
	})
	c.require(found == o.count || c.err != nil, "%d keys in an ordered map, %d found", o.count, found)
}

// checkOrderedNode checks a node and returns how high it is, 1 for a leaf.
func checkOrderedNode[K, V any](c *checker, o *ordered[K, V], n *orderedNode[K, V]) (height int) {
	c.require(len(n.keys) > 0 && len(n.keys) <= orderedSlots, "a node of an ordered map with %d keys", len(n.keys))
	if n.children == nil {
		c.require(len(n.vals) == len(n.keys), "a leaf with %d keys and %d values", len(n.keys), len(n.vals))
		return 1
	}
	children, keys := len(n.children), len(n.keys)
	c.require(children == keys && n.vals == nil, "a branch with %d keys and %d children", keys, children)
	for i, child := range n.children {
		if c.err != nil {
			return 0
		}
		c.require(o.compare(n.keys[i], child.keys[0]) <= 0, "the key of child %d is behind its first", i)
		h := checkOrderedNode(c, o, child)
		c.require(i == 0 || h == height, "the leaves of an ordered map are not equally deep")
		height = h
	}
	return height + 1
}
