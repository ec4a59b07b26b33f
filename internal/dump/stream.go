package dump

import (
	"encoding/binary"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// A stream is a sequence of nodes, each under the id of its first entry. A node is a listpack: how many entries it has,
// how many it had more, the number and the names of the fields of the first entry, and a zero; then the entries: flags,
// how much the id is beyond that of the node, the number of the fields unless they are those of the first entry, names
// and values, and at last how many elements all that is.
const (
	entryDeleted    = 1
	entrySameFields = 2

	nodeKeySize = 16
)

// encodeStream writes the nodes and, behind them, the length, the last id, the id of the first entry, the highest
// deleted id and the number of entries ever added; the last three are new in Redis 7. The consumer groups are at the
// end.
func encodeStream(s *store.Stream, v rdb.Version) []byte {
	form := byte(typeStream)
	if v >= rdb.Redis72 {
		form = typeStream3
	}
	b := rdb.AppendLength([]byte{form}, uint64(s.Chunks()))
	for c := range s.EachChunk {
		b = rdb.AppendString(rdb.AppendString(b, rawID(c.Base())), encodeNode(c))
	}
	b = rdb.AppendLength(b, uint64(s.Len()))
	first, _ := s.First()
	for _, id := range []store.StreamID{s.LastID(), first, s.MaxDeletedID()} {
		b = appendID(b, id)
	}
	b = rdb.AppendLength(b, s.EntriesAdded())
	return appendGroups(b, s, form)
}

// appendID writes an id as two lengths, which take fewer bytes than rawID if the numbers are small.
func appendID(b []byte, id store.StreamID) []byte {
	return rdb.AppendLength(rdb.AppendLength(b, id.Ms), id.Seq)
}

// rawID is an id as a key of nodes and of pending entries.
func rawID(id store.StreamID) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, nodeKeySize), id.Ms)
	return binary.BigEndian.AppendUint64(b, id.Seq)
}

// encodeNode writes a chunk as a node. Where entries were deleted, redis-server still has them, with a flag; a chunk
// only has the others, so its node is shorter and says that none was deleted.
func encodeNode(c store.StreamChunk) []byte {
	p, names := rdb.NewListpack(), c.Names()
	p.AddInt(int64(c.Len()))
	p.AddInt(0) // deleted entries
	p.AddInt(int64(len(names)))
	for _, name := range names {
		p.Add(name)
	}
	p.AddInt(0)
	c.Each(func(id store.StreamID, f store.Fields, same bool) {
		flags, elements := 0, 2*f.Len()+4
		if same {
			flags, elements = entrySameFields, f.Len()+3
		}
		p.AddInt(int64(flags))
		p.AddInt(int64(id.Ms - c.Base().Ms))
		p.AddInt(int64(id.Seq - c.Base().Seq))
		addFields(p, f, same)
		p.AddInt(int64(elements))
	})
	return p.Bytes()
}

// addFields adds the fields of an entry, the values only if their names are those of the node.
func addFields(p *rdb.Listpack, f store.Fields, same bool) {
	if !same {
		p.AddInt(int64(f.Len()))
	}
	f.Each(func(name, value []byte) {
		if !same {
			p.Add(name)
		}
		p.Add(value)
	})
}
