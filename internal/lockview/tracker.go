package lockview

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/store"
)

// Conn is a connection of a client. Values for one connection are equal. Its methods are safe for concurrent use.
type Conn interface {
	Describe() locks.Client
	Closed() bool
}

// Tracker follows the locks of a server by the changes of their keys: whoever changes one, by whichever script, what
// has happened to the lock is the difference between its state before and after the transaction. So the history has
// what was committed, in that order, and no state in between.
//
// What no key shows it learns from the calls of scripts: an owner among the arguments that does not hold the lock tries
// to take it, and the names of other keys and channels tell the kind of the lock.
//
// All methods are safe for concurrent use. Those with a *store.Tx are called within that transaction.
type Tracker struct {
	// Emit is called with each event, under the locks of the transaction's shards, in the order of the history, and must
	// not keep it; nil for nothing. Subscribers returns the subscriptions to a channel, the oldest first: values for one
	// subscription are equal. Both are set before the tracker is used.
	Emit        func(*locks.Event)
	Subscribers func(channel string) []Conn

	mu      lockrank.Mutex[lockrank.LockTracker] // guards what follows
	locks   map[key]*tracked
	most    int // how many locks there may be before those that are free are forgotten
	history history
	tries   int64           // how many first attempts there were
	clients map[int64]guess // by the ID of a connection that subscribes: whose it is
	now     state           // of the lock that is compared: its memory serves again
}

// Call is the call of a client that makes a change. The zero value stands for a change that no client makes.
type Call struct {
	Conn   Conn
	Args   [][]byte
	Stores bool // a value in the key of the first argument, whatever was there: that takes no lock
}

// storesIn reports whether the call stores a value in a key.
func (c *Call) storesIn(name string) bool {
	return c.Stores && len(c.Args) > 1 && string(c.Args[1]) == name
}

// key is a lock of a database.
type key struct {
	db   int
	name string
}

// tracked is what is known of a lock.
type tracked struct {
	key      key
	kind     locks.Kind // "" if not known
	holders  []holder
	number   int64 // the free permits of a semaphore, once counted is set
	counted  bool
	attempts map[string]attempt // by owners that have tried to take the lock while others held it
	claims   map[string]Conn    // by the UUID of a client: its subscription
}

// holder is a holder of a lock, with what the data does not tell.
type holder struct {
	hold
	deadline int64 // of its lease, in ms since 1970; 0 for none
	since    time.Time
	conn     Conn // that has taken the lock; nil for none
}

// NewTracker returns a tracker whose history keeps as many events as capacity.
func NewTracker(capacity int) *Tracker {
	return &Tracker{locks: make(map[key]*tracked), most: maxFree, history: history{capacity: capacity}}
}

// maxFree is how many locks that nobody holds or waits for are known, at least: their kinds, above all.
const maxFree = 10_000

// entry returns what is known of a lock, and makes it if need be. It copies the name, which may change later.
func (t *Tracker) entry(k key) *tracked {
	e := t.locks[k]
	if e == nil {
		if len(t.locks) >= t.most {
			t.forgetFree()
			t.most = 2*len(t.locks) + maxFree
		}
		e = &tracked{key: key{k.db, strings.Clone(k.name)}}
		t.locks[e.key] = e
	}
	return e
}

func (t *Tracker) forgetFree() {
	for k, e := range t.locks {
		if len(e.holders) == 0 && !e.counted {
			delete(t.locks, k)
		}
	}
}

// Keys learns the kind of a lock from the keys of a script.
func (t *Tracker) Keys(db int, keys [][]byte) {
	if kind := kindOfKeys(keys); kind != "" {
		t.setKind(db, keys[0], kind)
	}
}

// Set learns from SET key token NX with an expiry, which has taken a lock.
func (t *Tracker) Set(db int, name []byte) { t.setKind(db, name, locks.Token) }

func (t *Tracker) setKind(db int, key0 []byte, kind locks.Kind) {
	name := resp.Bulk(key0).Text()
	if lockOf(name) != name {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entry(key{db, name}).setKind(kind)
}

// kindOfKeys returns the kind of lock that the keys of a script tell, after the first; "" for none.
func kindOfKeys(keys [][]byte) locks.Kind {
	for _, k := range keys[min(1, len(keys)):] {
		name := resp.Bulk(k).Text()
		if !strings.HasPrefix(name, redisson) {
			continue
		}
		switch { // the channel of a semaphore may be that of one whose permits have leases: its data tells
		case strings.HasPrefix(name, queuePrefix):
			return locks.Fair
		case strings.HasPrefix(name, fencePrefix):
			return locks.Fenced
		case strings.HasPrefix(name, countPrefix):
			return locks.Latch
		case strings.HasPrefix(name, semaphorePrefix):
			return locks.Semaphore
		}
	}
	return ""
}

// Events returns the events of a lock, oldest first; no more than count of the last ones if count is positive.
func (t *Tracker) Events(db int, name string, count int) []locks.Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.history.list(count, func(e *locks.Event) bool { return e.DB == db && e.Lock == name })
}

// AllEvents returns the events of all locks of all databases, oldest first.
func (t *Tracker) AllEvents() []locks.Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.history.list(0, func(*locks.Event) bool { return true })
}

// Changed is told, when a transaction commits, of a key that it has changed.
func (t *Tracker) Changed(tx *store.Tx, db int, changed []byte, by Call) {
	for name := range locksOf(resp.Bulk(changed).Text()) {
		t.compare(&change{t, tx, key{db, name}, by})
	}
}

// AllChanged is told, when a transaction commits that holds all shards, that databases were flushed, swapped or
// restored: it compares each lock. Locks that are new then have no events.
func (t *Tracker) AllChanged(tx *store.Tx, by Call) {
	for _, k := range t.keys() {
		t.compare(&change{t, tx, k, by})
	}
	t.Prime(tx)
}

func (t *Tracker) keys() []key {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.locks))
}

// compare finds what a transaction has done to a lock.
func (t *Tracker) compare(c *change) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.locks[c.key]
	c.tx.In(c.db, func() { t.now.read(c.tx, c.name, e) })
	if t.now.kind == locks.Token && c.by.storesIn(c.name) {
		t.now.kind, t.now.holders = "", t.now.holders[:0]
	}
	switch {
	case e == nil && t.now.kind == "":
		return // no lock
	case e == nil:
		e = t.entry(c.key)
	}
	isAttempt := e.kind == locks.Fair && e.nonHolder(c.by.Args) != "" // which may change the queue
	c.compare(e)
	if isAttempt {
		t.try(e, e.nonHolder(c.by.Args), c.tx.Time())
	}
	if e.kind == locks.Fair && len(e.attempts) > 0 {
		c.tx.In(c.db, func() { e.keepQueued(t.now.companion(queuePrefix, "").Elems) })
	}
}

// Prime learns the locks that are held already. The transaction holds all shards.
func (t *Tracker) Prime(tx *store.Tx) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for db := range tx.Store().Databases() {
		tx.In(db, func() {
			tx.Each(func(name []byte, _ store.Entry) bool {
				if text := resp.Bulk(name).Text(); lockOf(text) == text {
					t.prime(tx, key{db, text})
				}
				return true
			})
		})
	}
}

// prime notes the state of one lock that is not known to be held, without an event.
func (t *Tracker) prime(tx *store.Tx, k key) {
	if e := t.locks[k]; e != nil && len(e.holders) > 0 {
		return
	}
	if t.now.read(tx, k.name, nil); len(t.now.holders) > 0 {
		e := t.entry(k)
		e.setKind(t.now.kind)
		e.holders = slices.Clone(t.now.holders)
	}
}
