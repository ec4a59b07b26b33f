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

// Known tells what a Tracker knows of a database, beyond its data. All methods must be safe for concurrent use.
type Known interface {
	// Kind returns the kind of a lock; "" if it is not known.
	Kind(name string) locks.Kind
	// Complete adds to a lock what is known of its holders and waiters.
	Complete(l *locks.Lock)
}

// Read returns the locks whose names fit a pattern, as of KEYS, sorted by name. Locks change while it reads, so each is
// as of its own moment. known may be nil.
func Read(ctx context.Context, src Source, pattern string, known Known) ([]locks.Lock, error) {
	names, err := src.Names(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, src, names, func(name string) bool { return glob.Match(pattern, name) }, known)
}

// ReadOne returns one lock; ok is false if there is none of that name.
func ReadOne(ctx context.Context, src Source, name string, known Known) (l locks.Lock, ok bool, err error) {
	n := braced(name)
	names := []string{name, queuePrefix + n, deadlinePrefix + n, fencePrefix + n, n + permitsSuffix, n + ":value"}
	readers, err := readerKeys(ctx, src, name)
	if err != nil {
		return l, false, err
	}
	names = append(names, readers...)
	list, err := read(ctx, src, names, func(found string) bool { return found == name }, known)
	if err != nil || len(list) == 0 {
		return l, false, err
	}
	return list[0], true, nil
}

// readerKeys returns the keys with the leases of those who hold a read lock.
func readerKeys(ctx context.Context, src Source, name string) (keys []string, err error) {
	values, err := src.Read(ctx, []string{name})
	if err != nil || values[0].Type != Hash {
		return nil, err
	}
	state, ok := decodeHash(values[0].Elems)
	if !ok || state.kind != locks.ReadWrite {
		return nil, nil
	}
	for _, h := range state.holders {
		for i := int64(1); i <= h.Holds; i++ {
			keys = append(keys, readerKey(name, h.Owner, i))
		}
	}
	return keys, nil
}

// reader reads the locks of one database.
type reader struct {
	values   map[string]Value
	channels map[string][]locks.Client
	kinds    map[string]channelKind // by lock: what the subscriptions tell
	known    Known
	now      time.Time // on the clock of the server
}

// read returns those of the named locks that are wanted.
func read(ctx context.Context, src Source, names []string, wanted func(string) bool, known Known) (
	list []locks.Lock, err error) {
	r := reader{values: make(map[string]Value, len(names)), known: known, kinds: make(map[string]channelKind)}
	if r.now, err = src.Now(ctx); err != nil {
		return nil, err
	}
	if r.channels, err = src.Subscribers(ctx); err != nil {
		return nil, err
	}
	for channel := range r.channels {
		if c, kind, ok := channelOf(channel); ok {
			r.kinds[c.name] = kind
		}
	}
	candidates := r.candidates(names, wanted)
	read, err := src.Read(ctx, candidates)
	if err != nil {
		return nil, err
	}
	for i, name := range candidates {
		if read[i].Type != None {
			r.values[name] = read[i]
		}
	}
	for _, name := range r.lockNames() {
		if wanted(name) {
			if l, ok := r.lock(name); ok {
				list = append(list, l)
			}
		}
	}
	slices.SortFunc(list, locks.Compare)
	return list, nil
}

// candidates returns the keys that are to be read: without those of locks that are not wanted.
func (r *reader) candidates(names []string, wanted func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return strings.HasPrefix(name, latchPrefix) || !wanted(lockOf(name))
	})
}

// lockOf returns the name of the lock to which a key belongs: its own, unless it is a companion's.
func lockOf(key string) string {
	for _, prefix := range [...]string{queuePrefix, deadlinePrefix, fencePrefix} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			return unbraced(rest)
		}
	}
	if at := strings.Index(key, readerPart); at > 0 {
		name, _ := cutOwner(key[:at])
		return unbraced(name)
	}
	for _, suffix := range [...]string{permitsSuffix, ":value", ":permits"} {
		if rest, ok := strings.CutSuffix(key, suffix); ok && strings.HasSuffix(rest, "}") {
			return unbraced(rest)
		}
	}
	return key
}

// lockNames returns the names that may be locks: of keys, and of fair locks that have only a queue.
func (r *reader) lockNames() []string {
	names := make([]string, 0, len(r.values))
	for key := range r.values {
		if name := lockOf(key); name == key || strings.HasPrefix(key, queuePrefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// lock returns the lock of a name; ok is false if it is none.
func (r *reader) lock(name string) (l locks.Lock, ok bool) {
	l = locks.Lock{Name: name}
	v := r.values[name]
	switch v.Type {
	case Hash:
		ok = r.readHash(&l, v)
	case String:
		ok = r.readString(&l, v)
	case None:
		ok = r.values[queuePrefix+braced(name)].Type == List
		l.Kind = locks.Fair
	}
	if !ok {
		return l, false
	}
	l.Waiters = r.waiters(&l)
	if r.known != nil {
		r.known.Complete(&l)
	}
	return l, true
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
	state, ok := decodeHash(v.Elems)
	if !ok {
		return false
	}
	l.Kind, l.Mode, l.Holders = state.kind, state.mode, state.holders
	switch l.Kind {
	case locks.RateLimiter:
		l.Number, _ = strconv.ParseInt(r.values[braced(l.Name)+":value"].Text, 10, 64)
		return true
	case locks.Plain:
		l.Kind = r.kindOfHash(l.Name)
	}
	if l.Kind == locks.Fenced {
		l.Number, _ = strconv.ParseInt(r.values[fencePrefix+braced(l.Name)].Text, 10, 64)
	}
	l.Lease = leaseOf(v.TTL)
	for i := range l.Holders {
		l.Holders[i].Lease = r.holderLease(l, &l.Holders[i], v)
	}
	return true
}

// holderLease returns what is left of one holder's lease: it is the lock's, but where holders have their own.
func (r *reader) holderLease(l *locks.Lock, h *locks.Holder, v Value) time.Duration {
	switch {
	case l.Kind == locks.ReadWrite && !h.Write:
		return r.readerLease(l.Name, h)
	case l.Kind == locks.FasterMulti:
		return r.until(valueOf(v.Elems, h.Value+":"+h.Owner+expireField))
	}
	return l.Lease
}

// noLease is the score of a permit without a lease (Redisson: RedissonPermitExpirableSemaphore).
const noLease = 922337203685477

// until returns the time until a moment in ms since 1970; 0 if it has passed.
func (r *reader) until(ms string) time.Duration {
	at, err := strconv.ParseFloat(ms, 64)
	switch {
	case err != nil || at >= noLease:
		return locks.Forever
	case int64(at) <= r.now.UnixMilli():
		return 0
	}
	return time.Duration(int64(at)-r.now.UnixMilli()) * time.Millisecond
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
func (r *reader) readerLease(name string, h *locks.Holder) (longest time.Duration) {
	for i := int64(1); i <= h.Holds; i++ {
		if v := r.values[readerKey(name, h.Owner, i)]; v.Type == String {
			longest = max(longest, leaseOf(v.TTL))
		}
	}
	return longest
}

// kindOfHash tells plain, fair and fenced locks from each other.
func (r *reader) kindOfHash(name string) locks.Kind {
	if kind := r.knownAs(name); kind != "" {
		return kind
	}
	n := braced(name)
	switch {
	case r.values[queuePrefix+n].Type == List, r.kinds[name] == fairChannel:
		return locks.Fair
	case r.values[fencePrefix+n].Type == String:
		return locks.Fenced
	}
	return locks.Plain
}

// readString reads the locks that are strings: semaphores and latches are numbers, others tokens.
func (r *reader) readString(l *locks.Lock, v Value) bool {
	number, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil {
		return r.readToken(l, v)
	}
	l.Number = number
	permits := r.values[braced(l.Name)+permitsSuffix]
	channel, waited := r.kinds[l.Name]
	known := r.knownAs(l.Name)
	switch {
	case permits.Type == SortedSet:
		l.Kind = locks.Permits
	case known != "":
		l.Kind = known
	case waited && channel == semaphoreChannel:
		l.Kind = locks.Semaphore
	case waited && channel == latchChannel:
		l.Kind = locks.Latch
	}
	if l.Kind == locks.Permits {
		r.readPermits(l, permits)
	}
	return l.Kind != ""
}

func (r *reader) knownAs(name string) locks.Kind {
	if r.known == nil {
		return ""
	}
	return r.known.Kind(name)
}

// readToken reads a lock that SET NX PX has taken.
func (r *reader) readToken(l *locks.Lock, v Value) bool {
	if r.knownAs(l.Name) != locks.Token && (v.TTL < 0 || !isToken(v.Text)) {
		return false
	}
	l.Kind, l.Lease = locks.Token, leaseOf(v.TTL)
	l.Holders = []locks.Holder{{Owner: v.Text, Holds: 1, Lease: l.Lease}}
	return true
}

// waiters returns who waits for a lock.
func (r *reader) waiters(l *locks.Lock) (list []locks.Waiter) {
	n := braced(l.Name)
	if l.Kind == locks.Fair {
		return r.queue(n)
	}
	for _, channel := range channelsOf(l.Kind, n, l.Name) {
		for _, client := range r.channels[channel] {
			list = append(list, locks.Waiter{Client: client})
		}
	}
	return list
}

// channelsOf returns the channels to which those subscribe who wait for a lock.
func channelsOf(kind locks.Kind, braced, name string) []string {
	switch kind {
	case locks.Plain, locks.Fenced, locks.FasterMulti:
		return []string{channelPrefix + braced}
	case locks.ReadWrite:
		return []string{rwPrefix + braced}
	case locks.Semaphore, locks.Permits:
		return []string{semaphorePrefix + braced}
	case locks.Latch:
		return []string{countPrefix + name + "}"}
	}
	return nil
}

// queue returns the queue of a fair lock, whose waiters have a channel each.
func (r *reader) queue(n string) (list []locks.Waiter) {
	deadlines := make(map[string]time.Time)
	for pair := range slices.Chunk(r.values[deadlinePrefix+n].Elems, 2) {
		if ms, err := strconv.ParseFloat(pair[1], 64); err == nil {
			deadlines[pair[0]] = time.UnixMilli(int64(ms))
		}
	}
	for _, owner := range r.values[queuePrefix+n].Elems {
		w := locks.Waiter{Owner: owner, Deadline: deadlines[owner]}
		if clients := r.channels[channelPrefix+n+":"+owner]; len(clients) > 0 {
			w.Client = clients[0]
		}
		list = append(list, w)
	}
	return list
}
