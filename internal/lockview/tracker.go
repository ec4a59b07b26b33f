package lockview

import (
	"cmp"
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
	tries   int64            // how many first attempts there were
	clients map[int64]string // by the ID of a connection that subscribes: the UUID of its client, once it is certain
	now     state            // of the lock that is compared: its memory serves again
}

// Call is the call of a client that makes a change. The zero value stands for a change that no client makes.
type Call struct {
	Conn Conn
	Args [][]byte
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

// attempt is what is known of an owner that has tried to take a lock.
type attempt struct {
	waits bool
	since time.Time // it waits
	first int64     // its place in the order of the first attempts of all owners
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

// Attempt learns from a script that has failed to take a lock: keys and args are its KEYS and ARGV.
func (t *Tracker) Attempt(now time.Time, db int, keys, args [][]byte) {
	if len(keys) == 0 || slices.ContainsFunc(keys, isLatch) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.locks[key{db, string(keys[0])}]; e != nil {
		t.try(e, e.stranger(args), now)
	}
}

// isLatch reports whether a key is that of an unlock, which also tells that it was done before.
func isLatch(key []byte) bool { return strings.HasPrefix(resp.Bulk(key).Text(), latchPrefix) }

// stranger returns the owner among the arguments of a script, if the lock is held and it is not a holder; "" otherwise.
// A reader is not the holder that it becomes by taking the write lock, too.
func (e *tracked) stranger(args [][]byte) string {
	if len(e.holders) == 0 {
		return ""
	}
	owner, write := ownerIn(args)
	for i := range e.holders {
		if h := &e.holders[i]; h.owner == owner && (h.write || !write) {
			return ""
		}
	}
	return owner
}

// isNamed reports whether an argument names the holder, maybe with the suffix of a writer.
func (h *holder) isNamed(arg []byte) bool {
	return strings.TrimSuffix(resp.Bulk(arg).Text(), writeSuffix) == h.owner
}

// maxAttempts is how many owners that have tried to take a lock are known.
const maxAttempts = 1000

// try notes that an owner has failed to take a lock; it does nothing for "". The owner waits if it is in the queue of a
// fair lock. For other locks, a client tries once, subscribes, and tries again: so an owner waits that has tried before
// and whose client subscribes now.
func (t *Tracker) try(e *tracked, owner string, now time.Time) {
	if owner == "" {
		return
	}
	subscribers := t.subscribersOf(e)
	e.dropClaim(owner[:uuidLen], subscribers)
	a, again := e.attempts[owner]
	if a.waits {
		return
	}
	if !again {
		t.tries++
		a.first = t.tries
	}
	if e.kind == locks.Fair || again && t.claim(e, owner[:uuidLen], subscribers) {
		a.waits, a.since = true, now
	}
	if e.attempts == nil {
		e.attempts = make(map[string]attempt)
	}
	if !again && len(e.attempts) >= maxAttempts {
		clear(e.attempts) // most have given up; the others try again
	}
	e.attempts[strings.Clone(owner)] = a
}

// dropClaim forgets a client's subscription if it has ended, and that its owners wait.
func (e *tracked) dropClaim(uuid string, subscribers []Conn) {
	c, ok := e.claims[uuid]
	if !ok || slices.Contains(subscribers, c) {
		return
	}
	delete(e.claims, uuid)
	maps.DeleteFunc(e.attempts, func(owner string, a attempt) bool { return a.waits && owner[:uuidLen] == uuid })
}

// claim finds the subscription of a client, and reports whether there is one. It may be each that is not known to be
// another client's; if it is the only one, that is certain, also for other locks.
func (t *Tracker) claim(e *tracked, uuid string, subscribers []Conn) bool {
	if _, ok := e.claims[uuid]; ok {
		return true
	}
	if len(e.claims) >= len(subscribers) {
		e.dropClaims(subscribers)
	}
	its, possible := t.divide(uuid, subscribers)
	if len(possible) == 1 && len(its) == 0 {
		t.learn(uuid, possible[0])
	}
	free := slices.DeleteFunc(append(possible, its...), e.claimed)
	if len(free) == 0 {
		return false
	}
	if e.claims == nil {
		e.claims = make(map[string]Conn)
	}
	at := len(free) - 1
	if len(its) == 0 {
		at = max(0, at-e.laterClients(uuid))
	}
	e.claims[strings.Clone(uuid)] = free[at]
	return true
}

// divide returns the subscriptions that are known to be those of a client, and those that may be.
func (t *Tracker) divide(uuid string, subscribers []Conn) (its, possible []Conn) {
	for _, c := range subscribers {
		switch t.clients[c.Describe().ID] {
		case uuid:
			its = append(its, c)
		case "":
			possible = append(possible, c)
		}
	}
	return its, possible
}

// maxClients is how many connections are known to be those of a client.
const maxClients = 10_000

func (t *Tracker) learn(uuid string, c Conn) {
	if t.clients == nil || len(t.clients) >= maxClients {
		t.clients = make(map[int64]string)
	}
	t.clients[c.Describe().ID] = strings.Clone(uuid)
}

// laterClients returns how many clients without a claim have first tried to take the lock after a client has. It tells
// subscriptions from each other: clients subscribe in the order of their first attempts.
func (e *tracked) laterClients(uuid string) (n int) {
	last := make(map[string]int64)
	for owner, a := range e.attempts {
		if id := owner[:uuidLen]; e.claims[id] == nil {
			last[id] = max(last[id], a.first)
		}
	}
	for _, first := range last {
		if first > last[uuid] {
			n++
		}
	}
	return n
}

func (e *tracked) claimed(c Conn) bool {
	for _, other := range e.claims {
		if other == c {
			return true
		}
	}
	return false
}

// dropClaims forgets the subscriptions that have ended, and that the owners of their clients wait.
func (e *tracked) dropClaims(subscribers []Conn) {
	maps.DeleteFunc(e.claims, func(_ string, c Conn) bool { return !slices.Contains(subscribers, c) })
	maps.DeleteFunc(e.attempts, func(owner string, a attempt) bool { return a.waits && e.claims[owner[:uuidLen]] == nil })
}

// subscribersOf returns who subscribes to the channel of a lock, in order.
func (t *Tracker) subscribersOf(e *tracked) (list []Conn) {
	if channel := channelName(cmp.Or(e.kind, locks.Plain), e.key.name); channel != "" {
		return t.Subscribers(channel)
	}
	return nil
}

// ownerIn returns the first argument that names an owner, without the suffix of a writer; write says whether it has
// that. It returns "" if no argument does. The owner aliases the argument.
func ownerIn(args [][]byte) (owner string, write bool) {
	for _, arg := range args {
		if len(arg) < uuidLen+2 || arg[uuidLen] != ':' {
			continue
		}
		owner, write = strings.CutSuffix(resp.Bulk(arg).Text(), writeSuffix)
		if isOwner(owner) {
			return owner, write
		}
	}
	return "", false
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
	switch {
	case e == nil && t.now.kind == "":
		return // no lock
	case e == nil:
		e = t.entry(c.key)
	}
	isAttempt := e.kind == locks.Fair && e.stranger(c.by.Args) != "" // which may change the queue
	c.compare(e)
	if isAttempt {
		t.try(e, e.stranger(c.by.Args), c.tx.Time())
	}
	if e.kind == locks.Fair && len(e.attempts) > 0 {
		c.tx.In(c.db, func() { e.keepQueued(t.now.companion(queuePrefix, "").Elems) })
	}
}

// keepQueued forgets who is not in the queue of a fair lock any more.
func (e *tracked) keepQueued(queue []string) {
	maps.DeleteFunc(e.attempts, func(owner string, _ attempt) bool { return !slices.Contains(queue, owner) })
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
