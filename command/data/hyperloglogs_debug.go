package data

import (
	"errors"
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/hll"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

var sketchDebugCommands = []command.Command{
	{Name: "pfdebug", Usage: "subcommand key", Arity: 3, Flags: writeDenyOOM | command.Admin, Keys: secondArg,
		Access: "RW access", Since: "2.8.9",
		Summary: "Shows the inside of a HyperLogLog: GETREG, DECODE, ENCODING; or makes it dense: TODENSE.",
		Run:     pfdebug},
	{Name: "pfselftest", Arity: 1, Flags: command.Admin, Keys: command.NoKeys, Since: "2.8.9",
		Summary: "Checks that HyperLogLogs work.", Run: pfselftest},
}

var (
	errNoSketchKey = errors.New("ERR The specified key does not exist")
	errNotSparse   = errors.New("ERR HLL encoding is not sparse")
)

func pfdebug(c *command.Call) resp.Value {
	_, sketch, err := writeSketch(c, c.Key(2))
	switch {
	case err != nil:
		return c.Fail(err)
	case sketch == nil:
		return c.Fail(errNoSketchKey)
	}
	switch strings.ToLower(string(c.Arg(1))) {
	case "getreg":
		return sketchRegisters(c)
	case "decode":
		if sketch.Dense() {
			return c.Fail(errNotSparse)
		}
		return resp.BulkString(sketch.Runs())
	case "encoding":
		return resp.Status(either(sketch.Dense(), "dense", "sparse"))
	case "todense":
		changed, err := makeDense(c)
		if err != nil {
			return c.Fail(err)
		}
		return resp.Flag(changed)
	}
	return c.Fail(words.Errorf("ERR Unknown PFDEBUG subcommand '%s'", c.Arg(1)))
}

// makeDense changes the encoding of the sketch that PFDEBUG is about. For those who watch the key that is no change.
func makeDense(c *command.Call) (changed bool, err error) {
	s, sketch, _ := writeSketch(c, c.Key(2))
	if sketch.Dense() {
		return false, nil
	}
	if sketch, err = sketch.ToDense(); err != nil {
		return false, errBadSketch
	}
	s.Take(sketch)
	c.Tx.CountChanges(1)
	return true, nil
}

// sketchRegisters lists the registers; the sketch is dense afterwards.
func sketchRegisters(c *command.Call) resp.Value {
	if _, err := makeDense(c); err != nil {
		return c.Fail(err)
	}
	sketch, _ := readSketch(c, c.Key(2))
	var r hll.Registers
	if err := r.Merge(sketch); err != nil {
		return c.Fail(errBadSketch)
	}
	elems := make([]resp.Value, len(r))
	for i, value := range r {
		elems[i] = resp.Int(int64(value))
	}
	return resp.Array(elems...)
}

func pfselftest(c *command.Call) resp.Value {
	if err := hll.SelfTest(); err != nil {
		return c.Fail(fmt.Errorf("TESTFAILED %w", err))
	}
	return resp.OK
}
