package store

// scanSome repeats scan until count nodes were visited, and returns the position to go on from, 0 at the end.
func (d *dict[V]) scanSome(pos uint64, count int, f func(*node[V])) uint64 {
	for seen := 0; ; {
		pos = d.scan(pos, func(n *node[V]) { f(n); seen++ })
		if pos == 0 || seen >= count {
			return pos
		}
	}
}
