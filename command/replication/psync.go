package replication

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/persistence"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

var errNoMasterLink = errors.New("NOMASTERLINK Can't SYNC while not connected with my master")

// replica is a client that has asked for the history.
type replica struct {
	session *command.Session
	host    string
	port    int
	acked   int64 // the last byte that it has applied
	ackedAt int64 // in ms since the epoch
}

// facts are what a replica says of itself before it asks for the history: REPLCONF.
type facts struct {
	host          string
	port          int
	rdbOnly       bool
	functionsOnly bool
	psync2        bool
}

// factsOf returns what a client has said of itself.
func factsOf(s *command.Session) *facts {
	f, ok := s.ReplicaData().(*facts)
	if !ok {
		f = new(facts)
		s.SetReplicaData(f)
	}
	return f
}

// psync sends a client the history from a byte on: PSYNC id offset. A client that has none, or whose history is not
// this one or too old, gets all data first.
func psync(c *command.Call) resp.Value {
	next, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	if c.Len() > 3 && c.Is(3, "failover") {
		if err := takeOver(c); err != nil {
			return c.Fail(err)
		}
	}
	return syncWith(c, string(c.Arg(1)), next, true)
}

// syncAll sends a client all data, and then the history: SYNC.
func syncAll(c *command.Call) resp.Value { return syncWith(c, "?", -1, false) }

func syncWith(c *command.Call, id string, next int64, announced bool) resp.Value {
	if c.Session.IsReplica() {
		return resp.None
	}
	n := NodeOf(c.Env())
	if l := n.current(); l != nil && !l.connected() {
		return c.Fail(errNoMasterLink)
	}
	f := factsOf(c.Session)
	h := &n.history
	h.mu.Lock()
	defer h.mu.Unlock()
	c.Session.ServeReplica()
	if data, ok := h.sinceLocked(id, next); ok && !f.rdbOnly {
		h.addReplicaLocked(c.Session, f, next-1)
		h.syncs.Partial++
		reply := "+CONTINUE"
		if f.psync2 {
			reply += " " + h.id
		}
		return resp.Encoded(append([]byte(reply+"\r\n"), data...))
	}
	if f.rdbOnly {
		return resp.Encoded(h.copyLocked(c, f, nil))
	}
	h.startLocked()
	h.syncs.Full++
	if id != "?" {
		h.syncs.Refused++
	}
	h.addReplicaLocked(c.Session, f, h.offset)
	var reply []byte
	if announced {
		reply = fmt.Appendf(nil, "+FULLRESYNC %s %d\r\n", h.id, h.offset)
	}
	h.db = -1 // the replica does not know which database is selected
	return resp.Encoded(h.copyLocked(c, f, reply))
}

// copyLocked appends all data, as an RDB file with its length.
func (h *history) copyLocked(c *command.Call, f *facts, dst []byte) []byte {
	facts := persistence.Facts(c.Env(), c.Tx)
	facts.NoKeys = f.functionsOnly
	file := rdbfile.Append(nil, c.Tx, facts)
	return append(fmt.Appendf(dst, "$%d\r\n", len(file)), file...)
}

func (h *history) addReplicaLocked(s *command.Session, f *facts, acked int64) {
	r := &replica{session: s, host: f.host, port: f.port, acked: acked, ackedAt: h.now().UnixMilli()}
	if r.host == "" {
		r.host, _, _ = net.SplitHostPort(s.Addr)
	}
	h.replicas = append(h.replicas, r)
	h.pingLocked(s)
}

// lagLocked is for how many seconds a replica has been behind.
func (r *replica) lagLocked(h *history) int64 {
	if r.acked >= h.offset {
		return 0
	}
	return (h.now().UnixMilli() - r.ackedAt) / 1000
}

// ack notes what a replica has applied.
func (h *history) ack(s *command.Session, offset int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.replicas {
		if r.session == s {
			r.acked, r.ackedAt = max(r.acked, offset), h.now().UnixMilli()
		}
	}
	h.acksChangedLocked()
}

// maxReplicaHost is the length from which on REPLCONF rejects an address (NET_HOST_STR_LEN).
const maxReplicaHost = 256

// replConf takes what a replica says of itself, in pairs: REPLCONF option value [option value ...]. ACK, with which a
// replica confirms what it has received, and GETACK have no reply.
func replConf(c *command.Call) resp.Value {
	if c.Len()%2 == 0 {
		return c.Fail(command.ErrSyntax)
	}
	for i := 1; i < c.Len(); i += 2 {
		if c.Is(i, "ack") {
			if offset, err := c.Int(i + 1); err == nil && c.Session.IsReplica() {
				NodeOf(c.Env()).history.ack(c.Session, offset)
			}
			return resp.None
		}
		if c.Is(i, "getack") {
			return resp.None
		}
		if err := takeFact(c, i, factsOf(c.Session)); err != nil {
			return c.Fail(err)
		}
	}
	return resp.OK
}

// takeFact takes one option of REPLCONF.
func takeFact(c *command.Call, i int, f *facts) error {
	value := c.Arg(i + 1)
	switch {
	case c.Is(i, "capa"):
		f.psync2 = f.psync2 || c.Is(i+1, "psync2")
	case c.Is(i, "version"):
	case c.Is(i, "listening-port"):
		port, err := command.ParseInt(value)
		f.port = int(port)
		return err
	case c.Is(i, "ip-address"):
		if len(value) >= maxReplicaHost {
			return fmt.Errorf("ERR REPLCONF ip-address provided by replica instance is too long: %d bytes", len(value))
		}
		f.host = string(value)
	case c.Is(i, "rdb-only"):
		n, err := c.IntBetween(i+1, 0, 1, nil)
		f.rdbOnly = n == 1
		return err
	case c.Is(i, "rdb-filter-only"):
		return f.filter(string(value))
	default:
		return words.Errorf("ERR Unrecognized REPLCONF option: %s", string(c.Arg(i)))
	}
	return nil
}

// filter takes what is to be in the file that the client gets: everything if it is empty.
func (f *facts) filter(names string) error {
	f.functionsOnly = false
	for _, name := range strings.Fields(names) {
		if name != "functions" {
			return words.Errorf("ERR Unsupported rdb-filter-only option: %s", name)
		}
		f.functionsOnly = true
	}
	return nil
}
