package lockview

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
)

// attempt is what is known of an owner that has tried to take a lock.
type attempt struct {
	waits bool
	since time.Time // it waits
	first int64     // its place in the order of the first attempts of all owners
	tries int       // how often it has tried before it waits
}

// Attempt learns from a script that has failed to take a lock: keys and args are its KEYS and ARGV.
func (t *Tracker) Attempt(now time.Time, db int, keys, args [][]byte) {
	if len(keys) == 0 || slices.ContainsFunc(keys, isLatch) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.locks[key{db, string(keys[0])}]; e != nil {
		t.try(e, e.nonHolder(args), now)
	}
}

// isLatch reports whether a key is that of an unlock, which also tells that it was done before.
func isLatch(key []byte) bool { return strings.HasPrefix(resp.Bulk(key).Text(), latchPrefix) }

// nonHolder returns the owner among the arguments of a script if the lock is held and it is not a holder; "" otherwise.
// A reader is not the holder that it becomes by taking the write lock, too.
func (e *tracked) nonHolder(args [][]byte) string {
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
	a := e.attempts[owner]
	if a.waits {
		return
	}
	switch a.tries++; {
	case a.tries == 1:
		t.tries++
		a.first = t.tries
		e.makeRoom()
	case a.tries == 2 && len(subscribers) == 1:
		t.learn(owner[:uuidLen], subscribers[0])
	}
	if e.kind == locks.Fair || a.tries > 1 && t.claim(e, owner[:uuidLen], subscribers) {
		a.waits, a.since = true, now
	}
	e.attempts[strings.Clone(owner)] = a
}

// makeRoom makes room for one attempt more. If there are too many, most owners have given up, and the others try again.
func (e *tracked) makeRoom() {
	if e.attempts == nil {
		e.attempts = make(map[string]attempt)
	}
	if len(e.attempts) >= maxAttempts {
		clear(e.attempts)
	}
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

// claim finds the subscription of a client, and reports whether there is one: of those that no other client has, one
// that is known to be its own, or one that may be.
func (t *Tracker) claim(e *tracked, uuid string, subscribers []Conn) bool {
	if _, ok := e.claims[uuid]; ok {
		return true
	}
	if len(e.claims) >= len(subscribers) {
		e.dropClaims(subscribers)
	}
	claimed := make(map[Conn]bool, len(e.claims))
	for _, c := range e.claims {
		claimed[c] = true
	}
	var own, possible []Conn
	for _, c := range subscribers {
		switch g := t.clients[c.Describe().ID]; {
		case claimed[c]:
		case g.uuid == uuid:
			own = append(own, c)
		case g.times == 0:
			possible = append(possible, c)
		}
	}
	if len(own)+len(possible) == 0 {
		return false
	}
	if len(own) == 0 {
		own = append(own, possible[max(0, len(possible)-1-e.laterClients(uuid))])
	}
	if e.claims == nil {
		e.claims = make(map[string]Conn)
	}
	e.claims[strings.Clone(uuid)] = own[0]
	return true
}

// guess is which client a connection belongs to.
type guess struct {
	uuid  string
	times int // how often it seemed so, less how often it seemed another one's; at 0 nothing is known
}

// maxClients is how many connections are known to be those of a client.
const maxClients = 10_000

// learn notes that a connection seems to be a client's, since nobody else subscribes: if it does not poll instead, as a
// client of TryLock may do.
func (t *Tracker) learn(uuid string, c Conn) {
	if t.clients == nil || len(t.clients) >= maxClients {
		t.clients = make(map[int64]guess)
	}
	id := c.Describe().ID
	switch g := t.clients[id]; {
	case g.times == 0:
		t.clients[id] = guess{strings.Clone(uuid), 1}
	case g.uuid == uuid:
		t.clients[id] = guess{g.uuid, g.times + 1}
	default:
		t.clients[id] = guess{g.uuid, g.times - 1}
	}
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

// dropClaims forgets the subscriptions that have ended, and that the owners of their clients wait.
func (e *tracked) dropClaims(subscribers []Conn) {
	maps.DeleteFunc(e.claims, func(_ string, c Conn) bool { return !slices.Contains(subscribers, c) })
	maps.DeleteFunc(e.attempts, func(owner string, a attempt) bool { return a.waits && e.claims[owner[:uuidLen]] == nil })
}

// keepQueued forgets who is not in the queue of a fair lock any more.
func (e *tracked) keepQueued(queue []string) {
	queued := make(map[string]bool, len(queue))
	for _, owner := range queue {
		queued[owner] = true
	}
	maps.DeleteFunc(e.attempts, func(owner string, _ attempt) bool { return !queued[owner] })
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
