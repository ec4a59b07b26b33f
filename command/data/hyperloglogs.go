package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/hll"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// HyperLogLogs are strings in Redis' own format (package internal/hll), so GET, SET and DUMP work on them. They are
// sparse up to hll-sparse-max-bytes, then dense. The last count is cached inside the string: a new element marks it as
// outdated, and PFCOUNT, though read-only, may write it.

var hyperloglogCommands = slices.Concat(hllCommands, hllDebugCommands)

// hllCommands are those of applications. Counting is no write command, yet a read-only script may not do it, since it
// may cache the count.
var hllCommands = []command.Command{
	{Name: "pfadd", Usage: "key [element [element ...]]", Arity: -2, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "2.8.9",
		Summary: "Adds elements to a HyperLogLog. Creates the key if it does not exist.", Run: pfadd},
	{Name: "pfcount", Usage: "key [key ...]", Arity: -2, Flags: command.ReadOnly | command.MayReplicate,
		Keys: command.AllKeys, Since: "2.8.9",
		Specs: []command.KeySpec{{Index: 1, Last: -1, Access: "RW access",
			Note: "RW because it may change the internal representation of the key, and propagate to replicas"}},
		Summary: "Estimates how many different elements one or more HyperLogLogs have seen.", Run: pfcount},
	{Name: "pfmerge", Usage: "destkey [sourcekey [sourcekey ...]]", Arity: -2, Flags: writeDenyOOM,
		Keys: command.AllKeys, Since: "2.8.9",
		Specs:   []command.KeySpec{{Index: 1, Access: "RW access insert"}, {Index: 2, Last: -1, Access: "RO access"}},
		Summary: "Merges HyperLogLogs into one.", Run: pfmerge},
}

// errNotHLL is for a string that does not start like a HyperLogLog, errCorruptHLL for one whose registers can't be
// decoded.
var (
	errNotHLL     = errors.New("WRONGTYPE Key is not a valid HyperLogLog string value.")
	errCorruptHLL = errors.New("INVALIDOBJ Corrupted HLL object detected")
)

// readHLL returns the HyperLogLog of a key, nil if the key is missing. Another string is WRONGTYPE, as another type
// is.
func readHLL(c *command.Call, key []byte) (hll.Sketch, error) { return hllOf(readString(c, key)) }

// hllOf checks the header only, so that this takes no longer for a large sketch. Registers that make no sense are found
// when they are used, with errCorruptHLL.
func hllOf(s *store.String, err error) (hll.Sketch, error) {
	if err != nil || s == nil {
		return nil, err
	}
	if !hll.Valid(s.Bytes()) {
		return nil, errNotHLL
	}
	return s.Bytes(), nil
}

// writeHLL returns the HyperLogLog of a key for changes in place, and the string that holds it; nil if the key is
// missing.
func writeHLL(c *command.Call, key []byte) (*store.String, hll.Sketch, error) {
	if _, err := hllOf(store.Get[*store.String](c.Tx, key, store.NoStats)); err != nil {
		return nil, nil, err
	}
	s, err := writeString(c, key)
	if err != nil || s == nil {
		return nil, nil, err
	}
	return s, s.Writable(0), nil
}

// makeHLL is writeHLL, but creates an empty HyperLogLog for a missing key.
func makeHLL(c *command.Call, key []byte) (s *store.String, h hll.Sketch, created bool, err error) {
	s, h, err = writeHLL(c, key)
	if err == nil && s == nil {
		s, h, created = store.NewString(nil), hll.New(), true
		c.Tx.Put(key, s, false)
	}
	return s, h, created, err
}

// pfadd implements PFADD key [element ...]. It replies 1 if a register changed, or the key was created, and else 0
// without an event. Without elements it only creates the key. Registers that changed before an element met damaged data
// stay changed.
func pfadd(c *command.Call) resp.Value {
	key := c.Key(1)
	s, h, created, err := makeHLL(c, key)
	if err != nil {
		return c.Fail(err)
	}
	changes := 0
	if created {
		changes++
	}
	for _, element := range c.Rest(2) {
		var updated bool
		if h, updated, err = h.Add(element, maxSparse(c)); err != nil {
			break
		}
		if updated {
			changes++
		}
	}
	if changes > 0 {
		h.Outdate()
	}
	s.Take(h)
	if err != nil {
		return c.Fail(errCorruptHLL)
	}
	if changes > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventString, Event: "pfadd", Count: changes})
	}
	return resp.Flag(changes > 0)
}

// maxSparse is hll-sparse-max-bytes (3000 by default): the size from which on a HyperLogLog is dense.
func maxSparse(c *command.Call) int { return int(c.Env().Config.MaxSparse()) }

// pfcount implements PFCOUNT key [key ...]; a missing key counts as empty. With several keys it estimates their union,
// which is not cached.
func pfcount(c *command.Call) resp.Value {
	if c.Len() == 2 {
		return countKey(c, c.Key(1))
	}
	var union hll.Registers
	if _, err := mergeHLLs(c, &union); err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(union.Estimate()))
}

// countKey replies the cached count, or computes and caches it. Caching changes the bytes of the string, so it counts
// as a change and modifies the key for WATCH, but has no event.
func countKey(c *command.Call, key []byte) resp.Value {
	h, err := readHLL(c, key)
	if err != nil || h == nil {
		return c.FailOr(err, resp.Zero)
	}
	if n, ok := h.Cached(); ok {
		return resp.Int(int64(n))
	}
	n, err := h.Estimate()
	if err != nil {
		return c.Fail(errCorruptHLL)
	}
	if _, h, err = writeHLL(c, key); err != nil {
		return c.Fail(err)
	}
	h.Cache(n)
	c.Tx.Report(key, store.Change{Count: 1})
	return resp.Int(int64(n))
}

// mergeHLLs sets each register of union to its maximum over all keys of the call, and reports whether any of them is
// dense. Missing keys are skipped. A key that is not a HyperLogLog is an error before anything is written.
func mergeHLLs(c *command.Call, union *hll.Registers) (dense bool, err error) {
	for _, key := range c.Rest(1) {
		h, err := readHLL(c, key)
		if err != nil {
			return false, err
		}
		if h == nil {
			continue
		}
		dense = dense || h.Dense()
		if union.Merge(h) != nil {
			return false, errCorruptHLL
		}
	}
	return dense, nil
}

// pfmerge implements PFMERGE destkey [sourcekey ...]. The destination is one of the merged sketches, and is created if
// it is missing. The result is dense if a source is. The event is "pfadd", as in Redis.
func pfmerge(c *command.Call) resp.Value {
	var union hll.Registers
	dense, err := mergeHLLs(c, &union)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(1)
	s, h, _, err := makeHLL(c, key)
	if err == nil && dense {
		h, err = h.ToDense()
	}
	if err == nil {
		h, err = union.Raise(h, maxSparse(c))
	}
	if err != nil {
		return c.Fail(errCorruptHLL)
	}
	h.Outdate()
	s.Take(h)
	c.Changed(key, store.EventString, "pfadd")
	return resp.OK
}
