package store

import "encoding/binary"

// RadixNodes is how many nodes Redis' radix tree would have that holds the chunks by the ids of their first entries
// (radix-tree-nodes of XINFO STREAM). It takes time in proportion to the chunks.
func (s *Stream) RadixNodes() int {
	if len(s.chunks) == 0 {
		return 1
	}
	keys := make([][16]byte, len(s.chunks))
	for i := range s.chunks {
		binary.BigEndian.PutUint64(keys[i][:8], s.chunks[i].base.Ms)
		binary.BigEndian.PutUint64(keys[i][8:], s.chunks[i].base.Seq)
	}
	return radixNodes(keys, 0)
}

// radixNodes counts the nodes for sorted keys that are equal up to depth. The bytes that they further have in common
// are one node; where they differ there is another; each key ends in one of its own.
func radixNodes(keys [][16]byte, depth int) (nodes int) {
	first, last := keys[0], keys[len(keys)-1]
	common := depth
	for common < len(first) && first[common] == last[common] {
		common++
	}
	if nodes = 1; common > depth {
		nodes++
	}
	for start := 0; common < len(first) && start < len(keys); {
		end := start + 1
		for end < len(keys) && keys[end][common] == keys[start][common] {
			end++
		}
		nodes += radixNodes(keys[start:end], common+1)
		start = end
	}
	return nodes
}
