package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/hll"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var hyperloglogCommands = slices.Concat(hllCommands, hllDebugCommands)

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

var (
	errNotHLL     = errors.New("WRONGTYPE Key is not a valid HyperLogLog string value.")
	errCorruptHLL = errors.New("INVALIDOBJ Corrupted HLL object detected")
)

// readHLL returns the HyperLogLog under a key, nil if there is none.
func readHLL(c *command.Call, key []byte) (hll.Sketch, error) { return hllOf(readString(c, key)) }

func hllOf(s *store.String, err error) (hll.Sketch, error) {
	if err != nil || s == nil {
		return nil, err
	}
	if !hll.Valid(s.Bytes()) {
		return nil, errNotHLL
	}
	return s.Bytes(), nil
}

// writeHLL returns the HyperLogLog under a key, to be changed in place, and the string that holds it; nil if there
// is none.
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

// makeHLL is writeHLL that creates what is missing.
func makeHLL(c *command.Call, key []byte) (s *store.String, h hll.Sketch, created bool, err error) {
	s, h, err = writeHLL(c, key)
	if err == nil && s == nil {
		s, h, created = store.NewString(nil), hll.New(), true
		c.Tx.Put(key, s, false)
	}
	return s, h, created, err
}

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

// maxSparse is the size above which sparse sketches turn dense (hll-sparse-max-bytes).
func maxSparse(c *command.Call) int { return int(c.Env().Config.MaxSparse()) }

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

// countKey takes the cardinality from the sketch, where it is kept until the next change.
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

// mergeHLLs raises the registers to those of all keys of the call, and reports whether one of them is dense.
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
