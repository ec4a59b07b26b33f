package command

import (
	"strings"
	"sync"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
)

// aclLog keeps what was refused. The zero value is empty; it is safe for concurrent use.
type aclLog struct {
	mu      sync.Mutex  // guards entries
	entries []*aclEntry // the latest first
}

// aclEntry is one refusal, or several alike. (ACL LOG command page.)
type aclEntry struct {
	reason, context, object, user string

	client string // its line of CLIENT LIST
	count  int64
	at     time.Time
}

// aclSame is how long a refusal is counted with one like it.
const aclSame = time.Minute

func (e *aclEntry) like(other *aclEntry) bool {
	return e.reason == other.reason && e.context == other.context && e.object == other.object && e.user == other.user &&
		e.at.Sub(other.at) <= aclSame
}

// add notes a refusal of a session's.
func (l *aclLog) add(e aclEntry, s *Session) {
	e.at, e.count = s.env.Clock.Now(), 1
	e.client = strings.TrimSuffix(s.describe(e.at, &s.call), "\n")
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.entries[:0]
	for _, old := range l.entries {
		if e.like(old) {
			e.count += old.count
			continue
		}
		kept = append(kept, old)
	}
	l.entries = append([]*aclEntry{&e}, kept...)
	if most := clampInt(s.env.Config.aclLogLen.Load()); len(l.entries) > most {
		l.entries = l.entries[:most]
	}
}

func (l *aclLog) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = nil
}

// latest lists the last n entries, the newest first.
func (l *aclLog) latest(n int64, now time.Time) []resp.Value {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := make([]resp.Value, 0, len(l.entries))
	for _, e := range l.entries[:min(n, int64(len(l.entries)))] {
		found = append(found, resp.Map(
			resp.BulkString("count"), resp.Int(e.count),
			resp.BulkString("reason"), resp.BulkString(e.reason),
			resp.BulkString("context"), resp.BulkString(e.context),
			resp.BulkString("object"), resp.BulkString(e.object),
			resp.BulkString("username"), resp.BulkString(e.user),
			resp.BulkString("age-seconds"), resp.Double(float64(now.Sub(e.at).Milliseconds())/1000),
			resp.BulkString("client-info"), resp.BulkString(e.client),
		))
	}
	return found
}
