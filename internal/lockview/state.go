package lockview

import (
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/store"
)

// state is what the keys of a lock say now, without what only a Tracker knows. Its memory serves for the next lock.
type state struct {
	kind    locks.Kind // "" if there is no lock
	holders []holder
	numeric bool
	number  int64

	tx      *store.Tx
	name    string
	key     []byte // the same as name
	decoder hashDecoder
}

// read reads the lock of a name in the transaction's database. The companions of a lock have its hash tag and so are in
// the same shard. e is what was known of the lock, nil for nothing.
func (s *state) read(tx *store.Tx, name string, e *tracked) {
	*s = state{holders: s.holders[:0], tx: tx, name: name, key: append(s.key[:0], name...), decoder: s.decoder}
	entry := tx.Lookup(s.key, store.Inspect)
	if !entry.Exists() {
		return
	}
	switch v := entry.Value().(type) {
	case *store.Hash:
		s.readHash(v, e, s.deadline(ttlOf(tx, entry)))
	case *store.String:
		if text := v.Bytes(); len(text) <= MaxText {
			s.readString(string(text), e, ttlOf(tx, entry))
		}
	}
}

// companion returns what another key holds, whose name is that of the lock, in braces, with a prefix and a suffix.
func (s *state) companion(prefix, suffix string) (v Value) {
	if hasCompanions(s.name) {
		v = ReadKey(s.tx, prefix+braced(s.name)+suffix)
	}
	return v
}

// readHash reads the lock from its hash without a copy of what is known already: most changes are of a lock that is
// held, by its holder.
func (s *state) readHash(h *store.Hash, e *tracked, deadline int64) {
	if h.Len() > MaxElems {
		return
	}
	var known []holder
	if e != nil {
		known = e.holders
	}
	d := &s.decoder
	d.reset(hashFields{h}, known)
	isLock := true
	h.Each(func(field, value []byte) bool {
		isLock = d.add(resp.Bulk(field).Text(), resp.Bulk(value).Text())
		return isLock
	})
	if !isLock || !d.end() {
		return
	}
	s.kind = d.kind
	for _, held := range d.holders {
		now := holder{hold: held, deadline: deadline}
		switch {
		case d.kind == locks.FasterMulti:
			now.deadline = deadlineOf(d.fields.get(held.expiryField()))
		case d.kind == locks.ReadWrite && !held.write && deadline != 0: // else no reader has one
			now.deadline = s.readerDeadline(held)
		}
		s.holders = append(s.holders, now)
	}
}

// deadline returns when a TTL ends, in ms since 1970; 0 for none.
func (s *state) deadline(ttl int64) int64 {
	if ttl < 0 {
		return 0
	}
	return s.tx.Now() + ttl
}

// longAgo is the deadline of a lease that has ended, of a holder that is still there.
const longAgo = 1

// readerDeadline returns when the last of a reader's leases ends: each of its holds has one.
func (s *state) readerDeadline(h hold) (last int64) {
	last = longAgo
	for key := range readerKeys(s.name, h) {
		if v := ReadKey(s.tx, key); v.Type == String {
			last = max(last, s.deadline(v.TTL))
		}
	}
	return last
}

// readString reads a semaphore, with its permits if they have leases, or a token.
func (s *state) readString(text string, e *tracked, ttl int64) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		permits := s.companion("", permitsSuffix)
		switch {
		case permits.Type == SortedSet:
			s.kind = locks.Permits
			s.addPermits(permits)
			return
		case e != nil && isCounted(e.kind):
			s.kind, s.numeric, s.number = e.kind, true, number
			return
		}
	}
	if ttl >= 0 && (isToken(text) || e != nil && e.kind == locks.Token && (err != nil || !e.countsFrom(text))) {
		s.kind = locks.Token
		s.holders = append(s.holders, holder{hold: hold{owner: text, holds: 1}, deadline: s.deadline(ttl)})
	}
}

// countsFrom reports whether the token of a lock was another number: then it is a counter with an expiry, not a lock.
func (e *tracked) countsFrom(text string) bool {
	return len(e.holders) > 0 && e.holders[0].owner != text
}

func (s *state) addPermits(permits Value) {
	for pair := range slices.Chunk(permits.Elems, 2) {
		held := hold{owner: permitID(pair[0]), holds: 1}
		s.holders = append(s.holders, holder{hold: held, deadline: deadlineOf(pair[1])})
	}
	slices.SortFunc(s.holders, func(a, b holder) int { return a.compare(&b.hold) })
}

// deadlineOf returns a deadline from its text, in ms since 1970; 0 if there is no lease.
func deadlineOf(text string) int64 {
	ms, err := strconv.ParseFloat(text, 64)
	if err != nil || ms >= noLease {
		return 0
	}
	return max(int64(ms), longAgo)
}

// permitBytes is the length of a permit's id, as Redisson 4 stores it.
const permitBytes = 16

// permitID returns the id of a permit as Redisson's API does: version 4 stores it as 16 bytes, 3.13 as its digits.
func permitID(member string) string {
	if len(member) == permitBytes {
		return hex.EncodeToString([]byte(member))
	}
	return member
}
