package store

// StoredKey is a key as a file has it.
type StoredKey struct {
	Name  string
	Value Value // must not be changed
	When  int64 // the expiry, in ms since the epoch; 0 for none
	Idle  int64 // seconds since the last use, under a policy that looks at that; else -1
	Freq  int   // the count of the uses, under a policy that looks at that; else -1
}

// EachStored calls f for every key of a database that has not expired. The transaction must hold All.
func (tx *Tx) EachStored(db int, f func(k *StoredKey)) {
	ages := tx.ages()
	for ks := range tx.spaces(db) {
		ks.dict.each(func(n *node[item]) bool {
			if !tx.isExpired(n) {
				when, _ := Entry{n}.ExpireAt()
				f(ages.stored(n.key, n.val.value(), when, n.val.lru()))
			}
			return true
		})
	}
}

// EachStored calls f for every key of a database that had not expired when the snapshot was made.
func (s *Snapshot) EachStored(db int, f func(k *StoredKey)) {
	ages := ages{s.madeAt, &s.limits}
	for i := range s.shards {
		if db >= len(s.shards[i]) {
			continue
		}
		for _, k := range s.shards[i][db].keys {
			if k.when == 0 || k.when > s.madeAt || s.limits.Importing {
				f(ages.stored(k.key, k.val, k.when, k.lru))
			}
		}
	}
}

// Size is the number of keys of a database and how many of them have an expiry.
func (s *Snapshot) Size(db int) (keys, expiring int) {
	for i := range s.shards {
		if db >= len(s.shards[i]) {
			continue
		}
		for _, k := range s.shards[i][db].keys {
			if keys++; k.when != 0 {
				expiring++
			}
		}
	}
	return keys, expiring
}

// ages tells what LRU clocks mean at a time and under some limits.
type ages struct {
	now    int64 // in ms since the epoch
	limits *Limits
}

func (a ages) stored(name string, v Value, when int64, lru uint32) *StoredKey {
	k := &StoredKey{Name: name, Value: v, When: when, Idle: -1, Freq: -1}
	switch {
	case a.limits.Policy.lfu():
		k.Freq = int(a.lfuCounter(lru))
	case a.limits.Policy.lru():
		k.Idle = a.idle(lru)
	}
	return k
}

// idle is for how many seconds a key has not been used, if its LRU clock is a time.
func (a ages) idle(lru uint32) int64 { return max(0, a.now/1000-int64(lru)) }

func (a ages) lfuMinute() uint32 { return uint32(a.now/60_000) & lfuMinutes }

// lfuCounter is the counter of an LRU clock, less one for each lfu-decay-time minutes since the last use.
func (a ages) lfuCounter(lru uint32) uint32 {
	counter := lru & lfuCounterMax
	if a.limits.LFUDecay == 0 {
		return counter
	}
	idle := (a.lfuMinute() - lru>>lfuCounterBits) & lfuMinutes
	return counter - min(counter, idle/uint32(a.limits.LFUDecay))
}
