package lockview

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/locks"
)

// Read returns the locks whose names fit a pattern: see Each.
func Read(ctx context.Context, src Source, pattern string, known *Known) (list []locks.Lock, err error) {
	err = Each(ctx, src, pattern, known, func(l *locks.Lock) { list = append(list, *l) })
	return list, err
}

// Each calls f with the locks whose names fit a pattern, as of KEYS, sorted by name. A source that is not of this
// process may change meanwhile: then each key is as of its own moment. f must not keep the lock. known may be nil.
func Each(ctx context.Context, src Source, pattern string, known *Known, f func(*locks.Lock)) error {
	names, err := src.Names(ctx)
	if err != nil {
		return err
	}
	return read(ctx, src, names, func(name string) bool { return glob.Match(pattern, name) }, known, f)
}

// ReadOne returns one lock; ok is false if there is none of that name.
func ReadOne(ctx context.Context, src Source, name string, known *Known) (l locks.Lock, ok bool, err error) {
	names := []string{name}
	if hasCompanions(name) {
		readers, err := allReaderKeys(ctx, src, name)
		if err != nil {
			return l, false, err
		}
		n := braced(name)
		names = append(names, queuePrefix+n, deadlinePrefix+n, fencePrefix+n, n+permitsSuffix, n+valueSuffix)
		names = append(names, readers...)
	}
	err = read(ctx, src, names, func(found string) bool { return found == name }, known, func(found *locks.Lock) {
		l, ok = *found, true
	})
	return l, ok, err
}

// allReaderKeys returns the keys with the leases of those who hold a read lock.
func allReaderKeys(ctx context.Context, src Source, name string) (keys []string, err error) {
	err = src.Read(ctx, []string{name}, func(_ int, v Value) {
		var d hashDecoder
		if v.Type != Hash || !d.decode(v.Elems) || d.kind != locks.ReadWrite {
			return
		}
		for _, h := range d.holders {
			keys = slices.AppendSeq(keys, readerKeys(name, h))
		}
	})
	return keys, err
}

// reader reads the locks of one database.
type reader struct {
	companions map[string]Value // the keys that may belong to a lock of another name
	channels   map[string][]locks.Client
	kinds      map[string]channelKind // by lock: what the subscriptions tell
	now        time.Time              // on the clock of the server
	decoder    hashDecoder

	known *Known
	kind  locks.Kind // that is known of the lock that is read
	lock  locks.Lock // that is read; its memory serves for the next one
}

// read calls f with those of the named locks that are wanted.
func read(ctx context.Context, src Source, keys []string, wanted func(string) bool, known *Known, f func(*locks.Lock)) (
	err error) {
	r := reader{companions: make(map[string]Value), known: known, kinds: make(map[string]channelKind)}
	if r.now, err = src.Now(ctx); err != nil {
		return err
	}
	if r.channels, err = src.Subscribers(ctx); err != nil {
		return err
	}
	for channel := range r.channels {
		if c, kind, ok := channelOf(channel); ok {
			r.kinds[c.name], r.kinds[braced(c.name)] = kind, kind // the braces may be those of the name
		}
	}
	names, companions := split(keys, wanted)
	err = src.Read(ctx, companions, func(i int, v Value) { r.companions[companions[i]] = v })
	if err != nil {
		return err
	}
	return src.Read(ctx, names, func(i int, v Value) {
		l := &r.lock
		*l = locks.Lock{Name: names[i]}
		if r.readLock(l, v) {
			f(l)
		}
	})
}

// split returns the names that may be locks, sorted, and the keys that may belong to a lock of another name.
func split(keys []string, wanted func(string) bool) (names, companions []string) {
	names = make([]string, 0, len(keys))
	for _, key := range keys {
		if strings.HasPrefix(key, latchPrefix) {
			continue
		}
		for name := range locksOf(key) {
			switch {
			case !wanted(name):
			case name == key:
				names = append(names, name)
			default:
				companions = append(companions, key)
			}
		}
		if name := lockOf(key); name != key && strings.HasPrefix(key, queuePrefix) && wanted(name) {
			names, companions = append(names, name), append(companions, braced(name)) // a fair lock may have only a queue
		}
	}
	slices.Sort(names)
	return slices.Compact(names), companions
}

// readLock reads a lock, whose name is set already. It returns false if the key is not a lock.
func (r *reader) readLock(l *locks.Lock, v Value) (ok bool) {
	var known *tracked
	known, r.kind = r.known.find(l.Name)
	switch v.Type {
	case Hash:
		ok = r.readHash(l, v)
	case String:
		ok = r.readString(l, v)
	case None: // a queue may also be that of the lock whose own name has the braces
		ok = r.companion(queuePrefix, l.Name, "").Type == List && r.companion("", l.Name, "").Type == None
		l.Kind = locks.Fair
	}
	if !ok {
		return false
	}
	l.Waiters = r.waiters(l)
	r.known.complete(l, known)
	return true
}

// companion returns the value of the key whose name is that of a lock, in braces, with a prefix and a suffix.
func (r *reader) companion(prefix, name, suffix string) Value {
	if len(r.companions) == 0 || !hasCompanions(name) { // the former as with most locks
		return Value{}
	}
	return r.companions[prefix+braced(name)+suffix]
}

// leaseOf converts a TTL.
func leaseOf(ms int64) time.Duration {
	if ms < 0 {
		return locks.Forever
	}
	return time.Duration(ms) * time.Millisecond
}

// readHash reads the locks that are hashes.
func (r *reader) readHash(l *locks.Lock, v Value) bool {
	state := &r.decoder
	if !state.decode(v.Elems) {
		return false
	}
	l.Kind, l.Mode = state.kind, state.mode
	switch l.Kind {
	case locks.RateLimiter:
		l.Number, _ = strconv.ParseInt(r.companion("", l.Name, valueSuffix).Text, 10, 64)
		return true
	case locks.Plain:
		l.Kind = r.kindOfHash(l.Name)
	}
	if l.Kind == locks.Fenced {
		l.Number, _ = strconv.ParseInt(r.companion(fencePrefix, l.Name, "").Text, 10, 64)
	}
	l.Lease = leaseOf(v.TTL)
	l.Holders = make([]locks.Holder, len(state.holders))
	for i, h := range state.holders {
		l.Holders[i] = locks.Holder{Owner: h.owner, Value: h.value, Holds: h.holds, Write: h.write}
		l.Holders[i].Lease = r.holderLease(l, h, v)
	}
	return true
}

// holderLease returns what is left of one holder's lease: it is the lock's, but where holders have their own.
func (r *reader) holderLease(l *locks.Lock, h hold, v Value) time.Duration {
	switch {
	case l.Kind == locks.ReadWrite && !h.write:
		return r.readerLease(l.Name, h)
	case l.Kind == locks.FasterMulti:
		return r.until(r.decoder.fields.get(h.expiryField()))
	}
	return l.Lease
}

// noLease is the score of a permit without a lease (Redisson: RedissonPermitExpirableSemaphore).
const noLease = 922337203685477

// until returns the time until a moment in ms since 1970; 0 if it has passed.
func (r *reader) until(ms string) time.Duration {
	at := deadlineOf(ms)
	if at == 0 {
		return locks.Forever
	}
	return time.Duration(max(0, at-r.now.UnixMilli())) * time.Millisecond
}

// readPermits adds the permits that are taken.
func (r *reader) readPermits(l *locks.Lock, permits Value) {
	for pair := range slices.Chunk(permits.Elems, 2) {
		lease := r.until(pair[1])
		l.Holders = append(l.Holders, locks.Holder{Owner: permitID(pair[0]), Holds: 1, Lease: lease})
		if lease == locks.Forever || l.Lease != locks.Forever && lease > l.Lease {
			l.Lease = lease
		}
	}
	slices.SortFunc(l.Holders, func(a, b locks.Holder) int { return strings.Compare(a.Owner, b.Owner) })
}

// readerLease returns the longest lease of a reader's holds, each of which has a key of its own.
func (r *reader) readerLease(name string, h hold) (longest time.Duration) {
	for key := range readerKeys(name, h) {
		if v := r.companions[key]; v.Type == String {
			longest = max(longest, leaseOf(v.TTL))
		}
	}
	return longest
}

// kindOfHash tells plain, fair and fenced locks from each other.
func (r *reader) kindOfHash(name string) locks.Kind {
	switch {
	case r.kind == locks.Fair || r.kind == locks.Fenced || r.kind == locks.Plain:
		return r.kind
	case r.companion(queuePrefix, name, "").Type == List, r.kinds[name] == fairChannel:
		return locks.Fair
	case r.companion(fencePrefix, name, "").Type == String:
		return locks.Fenced
	}
	return locks.Plain
}

// readString reads the locks that are strings: semaphores and latches are numbers, others tokens.
func (r *reader) readString(l *locks.Lock, v Value) bool {
	number, err := strconv.ParseInt(v.Text, 10, 64)
	permits := r.companion("", l.Name, permitsSuffix)
	channel, waited := r.kinds[l.Name]
	switch {
	case err != nil || r.kind == locks.Token:
		return r.readToken(l, v)
	case permits.Type == SortedSet:
		l.Kind = locks.Permits
		r.readPermits(l, permits)
	case isCounted(r.kind):
		l.Kind = r.kind
	case waited && channel == semaphoreChannel:
		l.Kind = locks.Semaphore
	case waited && channel == latchChannel:
		l.Kind = locks.Latch
	}
	l.Number = number
	return l.Kind != ""
}

// isCounted reports whether locks of a kind are numbers.
func isCounted(k locks.Kind) bool {
	return k == locks.Semaphore || k == locks.Permits || k == locks.Latch
}

// readToken reads a lock that SET NX PX has taken. A tracker knows which string is one.
func (r *reader) readToken(l *locks.Lock, v Value) bool {
	if v.TTL < 0 || r.kind != locks.Token && (r.known != nil || !isToken(v.Text)) {
		return false
	}
	l.Kind, l.Lease = locks.Token, leaseOf(v.TTL)
	l.Holders = []locks.Holder{{Owner: v.Text, Holds: 1, Lease: l.Lease}}
	return true
}

// waiters returns who waits for a lock.
func (r *reader) waiters(l *locks.Lock) (list []locks.Waiter) {
	if l.Kind == locks.Fair {
		return r.queue(l.Name)
	}
	if _, waited := r.kinds[l.Name]; !waited {
		return nil
	}
	for _, client := range r.channels[channelName(l.Kind, l.Name)] {
		list = append(list, locks.Waiter{Client: client})
	}
	return list
}

// queue returns the queue of a fair lock, whose waiters have a channel each.
func (r *reader) queue(name string) (list []locks.Waiter) {
	deadlines := make(map[string]time.Time)
	for pair := range slices.Chunk(r.companion(deadlinePrefix, name, "").Elems, 2) {
		if ms, err := strconv.ParseFloat(pair[1], 64); err == nil {
			deadlines[pair[0]] = time.UnixMilli(int64(ms))
		}
	}
	for _, owner := range r.companion(queuePrefix, name, "").Elems {
		w := locks.Waiter{Owner: owner, Deadline: deadlines[owner]}
		if clients := r.channels[channelPrefix+braced(name)+":"+owner]; len(clients) > 0 {
			w.Client = clients[0]
		}
		list = append(list, w)
	}
	return list
}
