package store

import "github.com/minilockd/minilockd/internal/rdb"

// nodeMaxBytes is the limit of a chunk where stream-node-max-bytes is 0 or larger (Redis: STREAM_LISTPACK_MAX_SIZE).
const nodeMaxBytes = 1 << 30

// full reports whether an entry, its names and values in turn, should go to a new chunk. Entries that were deleted
// count. Rough trimming goes by chunks, so their borders are those of Redis' nodes to the byte.
func (c *streamChunk) full(t *Thresholds, fields [][]byte) bool {
	most, entries := t.StreamBytes.Load(), t.StreamEntries.Load()
	if most == 0 || most > nodeMaxBytes {
		most = nodeMaxBytes
	}
	size := int64(c.nodeSize())
	for _, word := range fields {
		size += int64(len(word))
	}
	return size >= most || entries > 0 && int64(c.added) >= entries
}

// A node of Redis is a listpack: how many entries are in it and how many were deleted, the number of fields of the
// first one, their names, and a zero; then the entries, each with flags, what its id has more than the node's in two
// numbers, the number of fields and their names unless they are those of the first one, the values, and the number of
// all these.

// nodeFrame is what a listpack takes without its elements.
const nodeFrame = 7

// nodeSize is how many bytes the chunk would be as a node of Redis.
func (c *streamChunk) nodeSize() int {
	return int(c.packedSize) + rdb.ListpackInt(int64(c.count)) + rdb.ListpackInt(int64(c.added-c.count))
}

// headSize is the size of a chunk without entries, not counting the two counts.
func headSize(fields [][]byte) (size int) {
	size = nodeFrame + rdb.ListpackInt(int64(len(fields)/2)) + rdb.ListpackInt(0)
	for i := 0; i < len(fields); i += 2 {
		size += rdb.ListpackString(fields[i])
	}
	return size
}

// entrySize is what an entry adds to the size. same says that it has the names of the first one.
func (c *streamChunk) entrySize(id StreamID, fields [][]byte, same bool) (size int) {
	elements := int64(len(fields)/2) + 3
	size = rdb.ListpackInt(0) + rdb.ListpackInt(int64(id.Ms-c.base.Ms)) + rdb.ListpackInt(int64(id.Seq-c.base.Seq))
	if !same {
		elements = int64(len(fields)) + 4
		size += rdb.ListpackInt(int64(len(fields) / 2))
	}
	for i, word := range fields {
		if i%2 == 1 || !same {
			size += rdb.ListpackString(word)
		}
	}
	return size + rdb.ListpackInt(elements)
}
