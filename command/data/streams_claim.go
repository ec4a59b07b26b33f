package data

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// XCLAIM and XAUTOCLAIM change the consumer of pending entries that have been idle for long enough (XCLAIM command
// page). An entry that was deleted from the stream leaves the pending list instead, since Redis 7.0. A claim has no
// event and does not modify the key for WATCH, as in Redis.

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

// errBadClaimArgument is the error of an argument that is not an integer; name is as Redis prints it.
func errBadClaimArgument(c *command.Call, name string) error {
	return words.Errorf("ERR Invalid %s argument for %s", name, strings.ToUpper(c.Cmd.Name))
}

// claim is a call of XCLAIM or XAUTOCLAIM.
type claim struct {
	key       []byte
	s         *store.Stream
	g         *store.StreamGroup
	consumer  []byte
	minIdle   int64        // ms
	time      int64        // TIME or IDLE: when the entry was delivered last, a Unix time in ms
	retries   int64        // RETRYCOUNT; -1 to increment the counter
	justID    bool         // JUSTID: reply ids only, and do not increment the counter
	force     bool         // FORCE: claim entries that are not pending
	delivered []resp.Value // the reply: entries, or ids with JUSTID
	changed   bool         // an entry was claimed or dropped from the pending list
}

// newClaim returns the claim with the arguments that both commands share.
func newClaim(c *command.Call) claim {
	return claim{key: c.Key(1), consumer: c.Arg(3), time: c.Tx.Latest(), retries: -1}
}

// parseMinIdle reads min-idle-time.
func (cl *claim) parseMinIdle(c *command.Call) (err error) {
	if cl.minIdle, err = c.Int(4); err != nil {
		return errBadClaimArgument(c, "min-idle-time")
	}
	return nil
}

// find looks up the stream and the group for writing. The lookup for reading comes first and counts as hit or miss.
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

// try creates the consumer, or notes that it was seen, where an attempt is enough for that.
func (cl *claim) try(c *command.Call) {
	if c.Does(emulate.ConsumersTryAndGet) {
		consumer(c, cl.key, cl.g, cl.consumer)
	}
}

// dropDeleted removes an entry that was deleted from the stream from the pending list, if it is pending.
func (cl *claim) dropDeleted(c *command.Call, id store.StreamID) {
	p := cl.g.PendingAt(id)
	if p == nil {
		return
	}
	if c.Propagates() {
		propagateClaim(c, cl.key, c.Arg(2), cl.g, p)
	}
	cl.g.Ack(id)
	cl.countChange(c)
}

// countChange counts a change and remembers that there was one.
func (cl *claim) countChange(c *command.Call) {
	cl.changed = true
	c.Tx.CountChanges(1)
}

// claimEntry gives the consumer an entry that is in the stream, unless it is not pending or not idle for long enough.
// The consumer is created with the first entry, unless that was done before (try).
func (cl *claim) claimEntry(c *command.Call, id store.StreamID, f store.Fields) {
	p, deliveryCount := cl.g.PendingAt(id), int64(1)
	switch {
	case p == nil && !cl.force, p != nil && cl.minIdle > 0 && c.Tx.Latest()-p.DeliveredAt < cl.minIdle:
		return
	case p != nil:
		deliveryCount = p.DeliveryCount
	}
	switch {
	case cl.retries >= 0:
		deliveryCount = cl.retries
	// A reader with JUSTID has not seen the entry, so that is no delivery (XCLAIM command page).
	case !cl.justID:
		deliveryCount++
	}
	m := consumer(c, cl.key, cl.g, cl.consumer)
	m.SetActive(c.Tx.Latest())
	cl.g.Deliver(id, m, cl.time, deliveryCount)
	cl.countChange(c)
	if c.Propagates() {
		propagateClaim(c, cl.key, c.Arg(2), cl.g, cl.g.PendingAt(id))
	}
	if cl.justID {
		cl.delivered = append(cl.delivered, idReply(id))
	} else {
		cl.delivered = append(cl.delivered, entryReply(id, f))
	}
}

// xclaim implements XCLAIM key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-ms] [RETRYCOUNT n] [FORCE]
// [JUSTID] [LASTID id]. It replies the entries that the consumer has now. It checks the group before it parses the ids
// and options. LASTID counts as a change only if no entry did.
func xclaim(c *command.Call) resp.Value {
	cl := newClaim(c)
	if err := cl.find(c); err != nil {
		return c.Fail(err)
	}
	ids, last, err := cl.parseXclaim(c)
	if err != nil {
		return c.Fail(err)
	}
	// LASTID only moves a group forward.
	setsLastID := last.Compare(cl.g.LastID()) > 0
	if setsLastID {
		cl.g.Seek(last, cl.g.EntriesRead())
	}
	c.Propagate() // each entry is propagated by itself
	cl.try(c)
	for _, id := range ids {
		if f, ok := cl.s.Entry(id); ok {
			cl.claimEntry(c, id, f)
		} else {
			cl.dropDeleted(c, id)
		}
	}
	// LASTID alone is a change; with claimed entries it is part of theirs.
	if setsLastID && !cl.changed {
		c.Tx.CountChanges(1)
		if c.Propagates() {
			propagateGroup(c, cl.key, c.Arg(2), cl.g)
		}
	}
	return resp.Array(cl.delivered...)
}

// parseXclaim parses the ids, up to the first argument that is not an id, and the options. So a bad id is reported as
// an unknown option, as in Redis. last is LASTID: the group moves on to it if it is higher. A TIME in the future is
// now.
func (cl *claim) parseXclaim(c *command.Call) (ids []store.StreamID, last store.StreamID, err error) {
	if err := cl.parseMinIdle(c); err != nil {
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

// parseOption reads the option at argument i and returns how many arguments it used.
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

// optionInt reads the value of the option at argument i.
func (cl *claim) optionInt(c *command.Call, i int) (int64, error) {
	n, err := c.Int(i + 1)
	if err != nil {
		return 0, errBadClaimArgument(c, strings.ToUpper(string(c.Arg(i)))+" option")
	}
	return n, nil
}

// The limits of XAUTOCLAIM. COUNT is both how many entries it claims at most and, times autoclaimAttempts, how long it
// takes.
const (
	autoclaimDefaultCount = 100
	// autoclaimAttempts is how many pending entries XAUTOCLAIM looks at for each of COUNT.
	autoclaimAttempts = 10
	autoclaimMaxCount = (1<<63 - 1) / 16 // Redis bounds the memory for ids of 16 bytes
)

// errAutoclaimCount is for any COUNT that is not an integer from 1 to autoclaimMaxCount.
var errAutoclaimCount = errors.New("ERR COUNT must be > 0")

// parseXautoclaim parses min-idle-time, start and the options.
func (cl *claim) parseXautoclaim(c *command.Call) (start store.StreamID, count int, err error) {
	count = autoclaimDefaultCount
	if err = cl.parseMinIdle(c); err != nil {
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
			count = command.ToInt(n)
		case c.Is(i, "justid"):
			cl.justID = true
		default:
			return start, 0, command.ErrSyntax
		}
	}
	return start, count, nil
}

// xautoclaim implements XAUTOCLAIM key group consumer min-idle-time start [COUNT count] [JUSTID]. It replies where to
// continue, the claimed entries and, since Redis 7.0, the ids of deleted ones. It parses all arguments before it checks
// the group.
func xautoclaim(c *command.Call) resp.Value {
	cl := newClaim(c)
	next, count, err := cl.parseXautoclaim(c)
	if err != nil {
		c.Tx.Lookup(c.Key(1), store.ForRead) // Redis looks the key up first, which counts as hit or miss
		return c.Fail(err)
	}
	if err = cl.find(c); err != nil {
		return c.Fail(err)
	}
	c.Propagate() // each entry is propagated by itself
	cl.try(c)
	next, deleted := cl.scan(c, next, count)
	return resp.Array(idReply(next), resp.Array(cl.delivered...), resp.Array(deleted...))
}

// scan claims entries from next on until count entries were claimed or dropped, or it has read 10 times as many.
// It returns the first id it did not read, 0-0 at the end of the list, and the ids of dropped entries.
func (cl *claim) scan(c *command.Call, next store.StreamID, count int) (store.StreamID, []resp.Value) {
	var deleted []resp.Value
	p := cl.g.NextPending(next)
	attempts := count * autoclaimAttempts
	for ; p != nil && attempts > 0 && len(cl.delivered)+len(deleted) < count; attempts-- {
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
