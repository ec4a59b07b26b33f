package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/hll"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var hyperloglogCommands = slices.Concat(sketchCommands, sketchDebugCommands)

var sketchCommands = []command.Command{
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
	errNoSketch  = errors.New("WRONGTYPE Key is not a valid HyperLogLog string value.")
	errBadSketch = errors.New("INVALIDOBJ Corrupted HLL object detected")
)

// readSketch returns the HyperLogLog under a key, nil if there is none.
func readSketch(c *command.Call, key []byte) (hll.Sketch, error) { return sketchOf(readString(c, key)) }

func sketchOf(s *store.String, err error) (hll.Sketch, error) {
	if err != nil || s == nil {
		return nil, err
	}
	if !hll.Valid(s.Bytes()) {
		return nil, errNoSketch
	}
	return s.Bytes(), nil
}

// writeSketch returns the HyperLogLog under a key, to be changed in place, and the string that holds it; nil if there
// is none.
func writeSketch(c *command.Call, key []byte) (*store.String, hll.Sketch, error) {
	if _, err := sketchOf(store.Get[*store.String](c.Tx, key, store.NoStats)); err != nil {
		return nil, nil, err
	}
	s, err := writeString(c, key)
	if err != nil || s == nil {
		return nil, nil, err
	}
	return s, s.Writable(0), nil
}

// makeSketch is writeSketch that creates what is missing.
func makeSketch(c *command.Call, key []byte) (s *store.String, sketch hll.Sketch, created bool, err error) {
	s, sketch, err = writeSketch(c, key)
	if err == nil && s == nil {
		s, sketch, created = store.NewString(nil), hll.New(), true
		c.Tx.Put(key, s, false)
	}
	return s, sketch, created, err
}

func pfadd(c *command.Call) resp.Value {
	key := c.Key(1)
	s, sketch, created, err := makeSketch(c, key)
	if err != nil {
		return c.Fail(err)
	}
	changes := 0
	if created {
		changes++
	}
	for _, element := range c.Rest(2) {
		var raised bool
		if sketch, raised, err = sketch.Add(element, maxSparse(c)); err != nil {
			break
		}
		if raised {
			changes++
		}
	}
	if changes > 0 {
		sketch.Outdate()
	}
	s.Take(sketch)
	if err != nil {
		return c.Fail(errBadSketch)
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
		return countOne(c, c.Key(1))
	}
	var union hll.Registers
	if _, err := mergeSketches(c, &union); err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(union.Estimate()))
}

// countOne takes the cardinality from the sketch, where it is kept until the next change.
func countOne(c *command.Call, key []byte) resp.Value {
	sketch, err := readSketch(c, key)
	if err != nil || sketch == nil {
		return c.FailOr(err, resp.Zero)
	}
	if n, ok := sketch.Cached(); ok {
		return resp.Int(int64(n))
	}
	n, err := sketch.Estimate()
	if err != nil {
		return c.Fail(errBadSketch)
	}
	if _, sketch, err = writeSketch(c, key); err != nil {
		return c.Fail(err)
	}
	sketch.Cache(n)
	c.Tx.Report(key, store.Change{Count: 1})
	return resp.Int(int64(n))
}

// mergeSketches raises the registers to those of all keys of the call, and reports whether one of them is dense.
func mergeSketches(c *command.Call, union *hll.Registers) (dense bool, err error) {
	for _, key := range c.Rest(1) {
		sketch, err := readSketch(c, key)
		if err != nil {
			return false, err
		}
		if sketch == nil {
			continue
		}
		dense = dense || sketch.Dense()
		if union.Merge(sketch) != nil {
			return false, errBadSketch
		}
	}
	return dense, nil
}

func pfmerge(c *command.Call) resp.Value {
	var union hll.Registers
	dense, err := mergeSketches(c, &union)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(1)
	s, sketch, _, err := makeSketch(c, key)
	if err == nil && dense {
		sketch, err = sketch.ToDense()
	}
	if err == nil {
		sketch, err = union.Raise(sketch, maxSparse(c))
	}
	if err != nil {
		return c.Fail(errBadSketch)
	}
	sketch.Outdate()
	s.Take(sketch)
	c.Changed(key, store.EventString, "pfadd")
	return resp.OK
}
