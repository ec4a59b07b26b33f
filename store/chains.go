package store

// Chains counts the buckets of hash tables by the number of elements in them (DEBUG HTSTATS).
type Chains []int

// ChainsOf returns those of the table of a set, hash or sorted set; ok is false if it has none.
func ChainsOf(v Value) (c Chains, ok bool) {
	switch v := v.(type) {
	case *Hash:
		if t := v.table(); t != nil {
			return t.chains(nil), true
		}
	case *Set:
		if v.table != nil {
			return v.table.members.chains(nil), true
		}
	case *ZSet:
		if v.big != nil {
			return v.big.scores.chains(nil), true
		}
	}
	return nil, false
}

// KeyChains returns those of all tables of keys of a database. The transaction must hold All.
func (tx *Tx) KeyChains(db int) (c Chains) {
	for ks := range tx.spaces(db) {
		c = ks.dict.chains(c)
	}
	return c
}

// chains adds the buckets of a table to c.
func (d *dict[V]) chains(c Chains) Chains {
	for _, n := range d.buckets {
		length := 0
		for ; n != nil; n = n.next {
			length++
		}
		for len(c) <= length {
			c = append(c, 0)
		}
		c[length]++
	}
	return c
}

// Buckets is the number of all.
func (c Chains) Buckets() (n int) {
	for _, buckets := range c {
		n += buckets
	}
	return n
}

// Elements is the number of all.
func (c Chains) Elements() (n int) {
	for length, buckets := range c {
		n += length * buckets
	}
	return n
}
