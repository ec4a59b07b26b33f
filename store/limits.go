package store

// The limits are read at the beginning of each transaction and stay for its length: CONFIG SET replaces them, under
// all shards.

// Limits says how much memory keys may take, and which of them go when they take more (redis.conf: maxmemory and what
// begins with that, lfu-*), and whether keys go by themselves at all.
type Limits struct {
	Memory       int64 // in bytes; 0 for no limit
	Policy       Policy
	Samples      int // keys that are compared to find one to evict
	LFULogFactor int // the higher, the more uses it takes for the counter to grow
	LFUDecay     int // in minutes; 0 for never

	// Importing keeps what has expired, and evicts nothing: what imports the keys deletes them (import-mode).
	Importing bool
}

var defaultLimits = Limits{Samples: 5, LFULogFactor: 10, LFUDecay: 1}

// Policy chooses the keys that are evicted (redis.conf: maxmemory-policy).
type Policy uint8

// The policies. The volatile ones evict only keys that have an expiry.
const (
	NoEviction Policy = iota
	AllKeysLRU
	AllKeysLFU
	AllKeysRandom
	VolatileLRU
	VolatileLFU
	VolatileRandom
	VolatileTTL
)

var policyNames = [...]string{"noeviction", "allkeys-lru", "allkeys-lfu", "allkeys-random",
	"volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"}

// PolicyNamed returns the policy of a name, NoEviction if there is none.
func PolicyNamed(name string) Policy {
	for p, known := range policyNames {
		if known == name {
			return Policy(p)
		}
	}
	return NoEviction
}

// String is the name.
func (p Policy) String() string { return policyNames[p] }

func (p Policy) volatile() bool { return p >= VolatileLRU }
func (p Policy) random() bool   { return p == AllKeysRandom || p == VolatileRandom }
func (p Policy) lfu() bool      { return p == AllKeysLFU || p == VolatileLFU }
func (p Policy) lru() bool      { return p == AllKeysLRU || p == VolatileLRU }

// Ages reports whether the policy looks at when, or how often, keys were used.
func (p Policy) Ages() bool { return p.lfu() || p.lru() }

// CountsUses reports whether the policy looks at how often keys were used.
func (p Policy) CountsUses() bool { return p.lfu() }

// evicts reports whether there may be keys to evict.
func (l *Limits) evicts() bool { return l.Policy != NoEviction && !l.Importing }

// Limits are the limits in force.
func (st *Store) Limits() Limits { return *st.limits.Load() }

// SetLimits changes the limits. The transaction must hold All. It evicts nothing: see Evict.
func (tx *Tx) SetLimits(l Limits) {
	used := tx.Memory()
	tx.store.used.Store(used)
	tx.store.limits.Store(&l)
	if tx.limits.Importing && !l.Importing {
		tx.store.timer.fireBy(tx.Now())
	}
	tx.limits = &l
}

// OverLimit reports whether the keys take more memory than they may.
func (st *Store) OverLimit() bool {
	limit := st.limits.Load().Memory
	return limit != 0 && st.used.Load() > limit
}
