package data

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var streamClaimCommands = []command.Command{
	{Name: "xautoclaim", Usage: "key group consumer min-idle-time start [COUNT count] [JUSTID]", Arity: -6,
		Flags: writeFast, Keys: command.OneKey, Access: "RW delete", Since: "6.2.0", Tips: "nondeterministic_output",
		Summary: "Gives a consumer entries that have been pending of others for long.", Run: xautoclaim},
	{Name: "xclaim",
		Usage: "key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds] " +
			"[RETRYCOUNT count] [FORCE] [JUSTID] [LASTID id]",
		Arity: -6, Flags: writeFast, Keys: command.OneKey, Access: "RW update",
		Since: "5.0.0", Tips: "nondeterministic_output",
		Summary: "Gives a consumer entries that are pending of others.", Run: xclaim},
}

func errBadClaimArgument(c *command.Call, name string) error {
	return words.Errorf("ERR Invalid %s argument for %s", name, strings.ToUpper(c.Cmd.Name))
}

// claim is what XCLAIM and XAUTOCLAIM do with a pending entry: it goes to a consumer if it has been idle for long
// enough.
type claim struct {
	key       []byte
	s         *store.Stream
	g         *store.StreamGroup
	consumer  []byte
	minIdle   int64 // ms
	time      int64 // of the delivery, ms since the epoch
	retries   int64 // deliveries to be told; -1 to count on
	justID    bool
	force     bool
	delivered []resp.Value
	changed   bool // an entry was claimed or dropped
}

// newClaim is for the key and the consumer of either command.
func newClaim(c *command.Call) claim {
	return claim{key: c.Key(1), consumer: c.Arg(3), time: c.Tx.Latest(), retries: -1}
}

// readIdle reads the least time for an entry to be idle.
func (cl *claim) readIdle(c *command.Call) (err error) {
	if cl.minIdle, err = c.Int(4); err != nil {
		return errBadClaimArgument(c, "min-idle-time")
	}
	return nil
}

// find finds the group, to be changed.
func (cl *claim) find(c *command.Call) (err error) {
	if _, _, err = readGroup(c, cl.key, c.Arg(2)); err != nil {
		return err
	}
	if cl.s, err = writeStream(c, cl.key); err != nil {
		return err
	}
	cl.g = cl.s.Group(c.Arg(2))
	return nil
}

// forget drops a pending entry whose stream has it no longer, and reports whether it did.
func (cl *claim) dropDeleted(c *command.Call, id store.StreamID) bool {
	ok := cl.g.Ack(id)
	if ok {
		cl.count(c)
	}
	return ok
}

func (cl *claim) count(c *command.Call) {
	cl.changed = true
	c.Tx.CountChanges(1)
}

// take claims an entry of the stream, pending or not.
func (cl *claim) claimEntry(c *command.Call, id store.StreamID, f store.Fields) {
	p, deliveries := cl.g.PendingAt(id), int64(1)
	switch {
	case p == nil && !cl.force, p != nil && cl.minIdle > 0 && c.Tx.Latest()-p.DeliveredAt < cl.minIdle:
		return
	case p != nil:
		deliveries = p.Deliveries
	}
	switch {
	case cl.retries >= 0:
		deliveries = cl.retries
	case !cl.justID:
		deliveries++
	}
	cl.g.Deliver(id, consumer(c, cl.key, cl.g, cl.consumer), cl.time, deliveries)
	cl.count(c)
	if cl.justID {
		cl.delivered = append(cl.delivered, idReply(id))
	} else {
		cl.delivered = append(cl.delivered, entryReply(id, f))
	}
}

// xclaim drops pending entries that were deleted from the stream.
func xclaim(c *command.Call) resp.Value {
	cl := newClaim(c)
	if err := cl.find(c); err != nil {
		return c.Fail(err)
	}
	ids, last, err := cl.parseXclaim(c)
	if err != nil {
		return c.Fail(err)
	}
	setsLastID := last.Compare(cl.g.LastID()) > 0
	if setsLastID {
		cl.g.Seek(last, cl.g.EntriesRead())
	}
	for _, id := range ids {
		if f, ok := cl.s.Entry(id); ok {
			cl.claimEntry(c, id, f)
		} else {
			cl.dropDeleted(c, id)
		}
	}
	if setsLastID && !cl.changed {
		c.Tx.CountChanges(1)
	}
	return resp.Array(cl.delivered...)
}

// parseXclaim reads what stands behind the consumer: ids, as many as there are, and options. last is the id up to
// which the group is to have read at least.
func (cl *claim) parseXclaim(c *command.Call) (ids []store.StreamID, last store.StreamID, err error) {
	if err := cl.readIdle(c); err != nil {
		return nil, last, err
	}
	i := 5
	for ; i < c.Len(); i++ {
		id, err := parseStreamID(c.Arg(i), 0)
		if err != nil {
			break
		}
		ids = append(ids, id)
	}
	for i < c.Len() {
		used, err := cl.parseOption(c, i, &last)
		if err != nil {
			return nil, last, err
		}
		i += used
	}
	if cl.time < 0 || cl.time > c.Tx.Latest() {
		cl.time = c.Tx.Latest()
	}
	return ids, last, nil
}

// option reads the option at word i and returns how many words it has.
func (cl *claim) parseOption(c *command.Call, i int, last *store.StreamID) (used int, err error) {
	more := i+1 < c.Len()
	switch {
	case c.Is(i, "force"):
		cl.force = true
		return 1, nil
	case c.Is(i, "justid"):
		cl.justID = true
		return 1, nil
	case c.Is(i, "idle") && more:
		idle, err := cl.optionInt(c, i)
		cl.time = c.Tx.Latest() - idle
		return 2, err
	case c.Is(i, "time") && more:
		cl.time, err = cl.optionInt(c, i)
		return 2, err
	case c.Is(i, "retrycount") && more:
		cl.retries, err = cl.optionInt(c, i)
		return 2, err
	case c.Is(i, "lastid") && more:
		*last, err = parseStreamID(c.Arg(i+1), 0)
		return 2, err
	}
	return 0, words.Errorf("ERR Unrecognized XCLAIM option '%s'", c.Arg(i))
}

// number reads the value of the option at word i.
func (cl *claim) optionInt(c *command.Call, i int) (int64, error) {
	n, err := c.Int(i + 1)
	if err != nil {
		return 0, errBadClaimArgument(c, strings.ToUpper(string(c.Arg(i)))+" option")
	}
	return n, nil
}

const (
	autoclaimDefaultCount = 100
	// autoclaimAttempts is how many pending entries are looked at for each one that may be claimed.
	autoclaimAttempts = 10
	autoclaimMaxCount = (1<<63 - 1) / 16 // Redis bounds the memory for ids of 16 bytes
)

var errAutoclaimCount = errors.New("ERR COUNT must be > 0")

// parseXautoclaim reads what stands behind the consumer.
func (cl *claim) parseXautoclaim(c *command.Call) (start store.StreamID, count int, err error) {
	count = autoclaimDefaultCount
	if err = cl.readIdle(c); err != nil {
		return start, 0, err
	}
	if start, _, err = parseStreamRange(c.Arg(5), []byte("+")); err != nil {
		return start, 0, err
	}
	for i := 6; i < c.Len(); i++ {
		switch {
		case c.Is(i, "count") && i+1 < c.Len():
			i++
			n, err := c.IntBetween(i, 1, autoclaimMaxCount, errAutoclaimCount)
			if err != nil {
				return start, 0, errAutoclaimCount
			}
			count = command.ClampInt(n)
		case c.Is(i, "justid"):
			cl.justID = true
		default:
			return start, 0, command.ErrSyntax
		}
	}
	return start, count, nil
}

// xautoclaim replies from where to go on, what was claimed, and which pending entries it has dropped since they were
// deleted from the stream.
func xautoclaim(c *command.Call) resp.Value {
	cl := newClaim(c)
	next, count, err := cl.parseXautoclaim(c)
	if err != nil {
		c.Tx.Lookup(c.Key(1), store.ForRead) // Redis has done that already
		return c.Fail(err)
	}
	if err = cl.find(c); err != nil {
		return c.Fail(err)
	}
	next, deleted := cl.scan(c, next, count)
	return resp.Array(idReply(next), resp.Array(cl.delivered...), resp.Array(deleted...))
}

// scan claims pending entries from an id on, until count were claimed or dropped, or too many were looked at. It
// returns the first id not looked at, the zero id if there is none, and those that were dropped.
func (cl *claim) scan(c *command.Call, next store.StreamID, count int) (store.StreamID, []resp.Value) {
	var deleted []resp.Value
	p := cl.g.NextPending(next)
	for attempts := count * autoclaimAttempts; p != nil && attempts > 0 && len(cl.delivered)+len(deleted) < count; attempts-- {
		id := p.ID()
		if f, ok := cl.s.Entry(id); ok {
			cl.claimEntry(c, id, f)
		} else {
			cl.dropDeleted(c, id)
			deleted = append(deleted, idReply(id))
		}
		if id == store.MaxStreamID {
			return store.StreamID{}, deleted
		}
		p = cl.g.NextPending(id.Next())
	}
	if p == nil {
		return store.StreamID{}, deleted
	}
	return p.ID(), deleted
}
