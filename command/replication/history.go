package replication

import (
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// history is what has changed, as a stream of commands whose bytes are numbered. It begins when the first replica
// connects, and goes on from then.
type history struct {
	env *command.Env

	mu       lockrank.Mutex[lockrank.History] // guards what follows
	id       string
	offset   int64  // of the last byte
	id2      string // of the history that this one continues, up to offset2
	offset2  int64  // -1 if there is none
	started  bool
	syncs    command.Syncs
	latest   []byte // the last bytes
	db       int    // that the stream has selected; -1 for none
	replicas []*replica
	pinging  chan struct{} // closed to stop the pings; nil while there are none
	acks     chan struct{} // closed when a replica confirms something; nil while nobody waits for that
}

// none is the ID of no history.
var none = strings.Repeat("0", 40)

func (h *history) init(env *command.Env) {
	h.env, h.id, h.id2, h.offset2, h.db = env, command.NewID(), none, -1, -1
}

var (
	multi     = resp.AppendCommand(nil, []byte("MULTI"))
	exec      = resp.AppendCommand(nil, []byte("EXEC"))
	ping      = resp.AppendCommand(nil, []byte("PING"))
	askForAck = resp.AppendCommand(nil, []byte("REPLCONF"), []byte("GETACK"), []byte("*"))
)

// add adds a unit. Several commands are one transaction.
func (h *history) add(w *command.Writes) {
	h.mu.Lock()
	defer h.mu.Unlock()
	data := make([]byte, 0, len(w.Encoded)+len(multi)+len(exec)+32)
	selectFirst := !h.env.Table.Server.Does(emulate.ReplicatesMultiFirst)
	if h.db != w.First && selectFirst {
		data = h.env.Replication.AppendSelect(data, w.First)
	}
	if w.Count > 1 {
		data = append(data, multi...)
	}
	if h.db != w.First && !selectFirst {
		data = h.env.Replication.AppendSelect(data, w.First)
	}
	data = append(data, w.Encoded...)
	if w.Count > 1 {
		data = append(data, exec...)
	}
	h.db = w.Last
	h.appendLocked(data)
}

// mirror adds what a replica has applied of its master's history.
func (h *history) mirror(data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.db = -1
	h.appendLocked(slices.Clone(data))
}

// appendLocked adds bytes and sends them to the replicas. Twice the size of the backlog is kept at most.
func (h *history) appendLocked(data []byte) {
	h.offset += int64(len(data))
	if !h.started {
		return
	}
	h.latest = append(h.latest, data...)
	if size := h.size(); len(h.latest) > 2*size {
		h.latest = append([]byte(nil), h.latest[len(h.latest)-size:]...)
	}
	if len(h.replicas) == 0 {
		return
	}
	message := pubsub.NewMessage(resp.Encoded(data))
	for _, r := range h.replicas {
		r.session.SendRaw(message)
	}
}

// size is the size of the backlog in bytes.
func (h *history) size() int { return command.ToInt(h.env.Config.BacklogSize()) }

// backlogLocked returns the bytes of the backlog.
func (h *history) backlogLocked() []byte { return h.latest[max(0, len(h.latest)-h.size()):] }

// sinceLocked returns what a replica lacks that wants to go on at a byte of a history; ok is false if that is not known
// any more.
func (h *history) sinceLocked(id string, next int64) (data []byte, ok bool) {
	if id != h.id && (id != h.id2 || next > h.offset2) {
		return nil, false
	}
	backlog := h.backlogLocked()
	first := h.offset - int64(len(backlog)) + 1
	if !h.started || next < first || next > h.offset+1 {
		return nil, false
	}
	return backlog[next-first:], true
}

// startLocked begins to keep the history, for the first replica.
func (h *history) startLocked() {
	if h.started {
		return
	}
	h.started = true
	if h.env.IsReplica() {
		return
	}
	h.offset++ // as Redis does, so that offset 0 is no valid one
	h.env.FeedReplicas(true)
}

// adopt makes the history that of a master, from a byte on.
func (h *history) adopt(id string, offset int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.latest = nil
	h.disconnectLocked() // they need a full copy, too
	h.id, h.offset, h.id2, h.offset2 = id, offset, none, -1
	h.started = true
}

// rename is adopt for a master that has a new ID for what it has continued.
func (h *history) rename(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id != h.id {
		h.id2, h.offset2, h.id = h.id, h.offset+1, id
	}
}

// begin gives the history of a replica that becomes master an ID of its own. Other replicas of the old master may go on
// with it.
func (h *history) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.id2, h.offset2, h.id, h.db = h.id, h.offset+1, command.NewID(), -1
}

// renew begins another history, and makes the replicas connect again, for a full copy.
func (h *history) renew() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.id, h.id2, h.offset2, h.db, h.latest = command.NewID(), none, -1, -1, nil
	h.disconnectLocked()
}

func (h *history) active() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.started
}

// resumeAt returns from which byte of which history a replica goes on; ? if it has none.
func (h *history) resumeAt() (id string, next int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.started {
		return "?", -1
	}
	return h.id, h.offset + 1
}

// good is the number of replicas that are no further behind than min-replicas-max-lag.
func (h *history) good() (n int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	most := h.env.Config.MaxReplicaLag()
	for _, r := range h.replicas {
		if r.lagLocked(h) <= most {
			n++
		}
	}
	return n
}

// disconnect closes the connections of all replicas: their history is not that of this server any more.
func (h *history) disconnect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.disconnectLocked()
}

func (h *history) disconnectLocked() {
	for _, r := range h.replicas {
		r.session.Kill()
	}
}

// drop forgets a replica.
func (h *history) drop(s *command.Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.replicas = slices.DeleteFunc(h.replicas, func(r *replica) bool { return r.session == s })
	h.acksChangedLocked()
}

// close stops the pings.
func (h *history) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pinging != nil {
		close(h.pinging)
		h.pinging = nil
	}
}

// now is the time of the server.
func (h *history) now() time.Time { return h.env.Clock.Now() }
