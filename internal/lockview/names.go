package lockview

import (
	"iter"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/locks"
)

// Names of keys and channels that belong to a lock (Redisson: RedissonObject.prefixName and suffixName). Those with a
// prefix have the lock's name in braces, unless it has braces itself: "redisson_lock_queue:{name}".
const (
	redisson        = "redisson_"
	queuePrefix     = "redisson_lock_queue:"   // list: who waits for a fair lock
	deadlinePrefix  = "redisson_lock_timeout:" // sorted set: when each of them leaves the queue
	fencePrefix     = "redisson_lock_token:"   // string: the last token of a fenced lock
	latchPrefix     = "redisson_unlock_latch:" // string: the result of an unlock, for one that is repeated
	channelPrefix   = "redisson_lock__channel:"
	rwPrefix        = "redisson_rwlock:"                    // channel
	semaphorePrefix = "redisson_sc:"                        // channel, of both kinds of semaphore
	countPrefix     = "redisson_countdownlatch__channel__{" // channel; the braces are always there
	permitsSuffix   = ":timeout"                            // sorted set: when each permit lapses
	valueSuffix     = ":value"                              // string: the free permits of a rate limiter
	readerPart      = ":rwlock_timeout:"                    // string for each hold of a reader, with its lease
)

// braced returns the name with braces, unless it has some.
func braced(name string) string {
	if strings.Contains(name, "{") {
		return name
	}
	return "{" + name + "}"
}

// hasCompanions reports whether other keys can belong to a lock of this name. Redisson gives them the hash tag of the
// name, so that they are in one slot of a cluster, and in one shard here; this fails for a name like "a{b".
func hasCompanions(name string) bool {
	if strings.Contains(name, "{") {
		return len(hashtag.Of([]byte(name))) < len(name)
	}
	return name != "" && !strings.Contains(name, "}")
}

// readerKeys returns the keys with the leases of a reader, one for each of its holds.
func readerKeys(name string, h hold) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !hasCompanions(name) {
			return
		}
		for i := int64(1); i <= h.holds; i++ {
			if !yield(braced(name) + ":" + h.owner + readerPart + strconv.FormatInt(i, 10)) {
				return
			}
		}
	}
}

// unbraced returns the name that braced has made.
func unbraced(s string) string {
	if inner, ok := strings.CutPrefix(s, "{"); ok {
		if name, ok := strings.CutSuffix(inner, "}"); ok && !strings.ContainsAny(name, "{}") {
			return name
		}
	}
	return s
}

// lockOf returns the name of the lock to which a key belongs: its own, unless it is a companion's.
func lockOf(key string) string {
	name, ok := companionOf(key)
	if !ok {
		return key
	}
	if _, nested := companionOf(name); nested {
		return key
	}
	return name
}

// companionOf returns the lock to which a key belongs by its name; ok is false if it belongs to no other one.
func companionOf(key string) (name string, ok bool) {
	for _, prefix := range companionPrefixes {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			return lockIn(rest)
		}
	}
	if at := strings.Index(key, readerPart); at > 0 {
		rest, _ := cutOwner(key[:at])
		return lockIn(rest)
	}
	for _, suffix := range companionSuffixes {
		if rest, ok := strings.CutSuffix(key, suffix); ok && strings.HasSuffix(rest, "}") {
			return lockIn(rest)
		}
	}
	return "", false
}

// lockIn returns the name of the lock that a companion has in its own name: with braces.
func lockIn(braced string) (name string, ok bool) {
	name = unbraced(braced)
	return name, strings.Contains(braced, "{") && hasCompanions(name)
}

var (
	companionPrefixes = [...]string{queuePrefix, deadlinePrefix, fencePrefix}
	companionSuffixes = [...]string{permitsSuffix, valueSuffix, ":permits"}
)

// locksOf returns the names of the locks to which a key may belong: lockOf, the one whose own name has the braces, and
// if the key ends like a companion's after other braces, the name before the end.
func locksOf(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		name := lockOf(key)
		if !yield(name) {
			return
		}
		if name != key {
			if own := braced(name); own != name {
				yield(own)
			}
			return
		}
		for _, suffix := range companionSuffixes {
			rest, ok := strings.CutSuffix(key, suffix)
			if ok && strings.Contains(rest, "{") && hasCompanions(rest) && lockOf(rest) == rest {
				yield(rest)
				return
			}
		}
	}
}

// channelName returns the channel to which those subscribe who wait for a lock; "" if they do not subscribe.
func channelName(kind locks.Kind, name string) string {
	switch kind {
	case locks.Plain, locks.Fenced, locks.FasterMulti:
		return channelPrefix + braced(name)
	case locks.ReadWrite:
		return rwPrefix + braced(name)
	case locks.Semaphore, locks.Permits:
		return semaphorePrefix + braced(name)
	case locks.Latch:
		return countPrefix + name + "}"
	}
	return ""
}

// companion is a key or channel that belongs to a lock.
type companion struct {
	name  string // of the lock
	owner string // whose it is, if it is one holder's or waiter's
}

// channelOf returns the lock whose waiters subscribe to a channel, and the kind that this tells; "" if it may be one of
// several. ok is false if it is not the channel of a lock.
func channelOf(channel string) (c companion, k channelKind, ok bool) {
	if rest, found := strings.CutPrefix(channel, countPrefix); found {
		return companion{name: strings.TrimSuffix(rest, "}")}, latchChannel, true
	}
	for _, p := range [...]struct {
		prefix string
		kind   channelKind
	}{{channelPrefix, lockChannel}, {rwPrefix, rwChannel}, {semaphorePrefix, semaphoreChannel}} {
		rest, found := strings.CutPrefix(channel, p.prefix)
		if !found {
			continue
		}
		if name, owner := cutOwner(rest); owner != "" {
			return companion{unbraced(name), owner}, fairChannel, true
		}
		return companion{name: unbraced(rest)}, p.kind, true
	}
	return c, k, false
}

// channelKind is which locks have a channel.
type channelKind int

const (
	lockChannel channelKind = iota
	fairChannel             // of one waiter
	rwChannel
	semaphoreChannel
	latchChannel
)

// cutOwner splits "name:owner"; owner is "" if s does not end with one.
func cutOwner(s string) (name, owner string) {
	for i := 0; ; {
		at := strings.IndexByte(s[i:], ':')
		if at < 0 {
			return s, ""
		}
		i += at + 1
		if isOwner(s[i:]) {
			return s[:i-1], s[i:]
		}
	}
}

// uuidLen is the length of a UUID in its usual form.
const uuidLen = 36

// isOwner reports whether s names an owner as Redisson does: "uuid:thread"; of a transaction, "uuid:thread:id".
func isOwner(s string) bool {
	if len(s) < uuidLen+2 || !isUUID(s[:uuidLen]) || s[uuidLen] != ':' {
		return false
	}
	thread, transaction, found := strings.Cut(s[uuidLen+1:], ":")
	return isDigits(strings.TrimPrefix(thread, "-")) && (!found || len(transaction) == 32)
}

func isUUID(s string) bool {
	if len(s) != uuidLen || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return false
	}
	return isHex(s[:8]) && isHex(s[9:13]) && isHex(s[14:18]) && isHex(s[19:23]) && isHex(s[24:])
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// isToken reports whether a string looks like the random token of a lock: a UUID, 16 or more letters and digits of
// base64 or hex, or what ShedLock stores. A long word has no digits, and hardly the length and the capitals of 16
// random bytes in base64, which may have none either.
func isToken(s string) bool {
	if isUUID(s) || strings.HasPrefix(s, "ADDED:") {
		return true
	}
	var digits, lowers, uppers int
	bare := strings.TrimRight(s, "=")
	for i := range len(bare) {
		switch c := bare[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z':
			lowers++
		case 'A' <= c && c <= 'Z':
			uppers++
		case c != '+' && c != '/' && c != '-' && c != '_':
			return false
		}
	}
	const base64Len = 22 // of 16 bytes
	return len(bare) >= 16 && lowers+uppers > 0 && digits > 0 || len(bare) == base64Len && lowers > 0 && uppers > 0
}
