package data

import (
	"errors"
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/hll"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// These commands serve Redis' own tests. TODENSE and GETREG change the encoding of the key, as in Redis. Applications
// have no use for either: both are in the ACL category admin.

var hllDebugCommands = []command.Command{
	{Name: "pfdebug", Usage: "subcommand key", Arity: 3, Flags: writeDenyOOM | command.Admin, Keys: secondArg,
		Access: "RW access", Since: "2.8.9",
		Summary: "Shows the inside of a HyperLogLog: GETREG, DECODE, ENCODING; or makes it dense: TODENSE.",
		Run:     pfdebug},
	{Name: "pfselftest", Arity: 1, Flags: command.Admin, Keys: command.NoKeys, Since: "2.8.9",
		Summary: "Checks that HyperLogLogs work.", Run: pfselftest},
}

// A missing key is an error here, and for no other command of the family. DECODE is only for sparse HyperLogLogs, whose
// runs it prints.
var (
	errNoHLLKey  = errors.New("ERR The specified key does not exist")
	errNotSparse = errors.New("ERR HLL encoding is not sparse")

	errNotOnOrOff = errors.New("ERR Argument must be ON or OFF")
)

// pfdebug implements PFDEBUG GETREG | DECODE | ENCODING | TODENSE key. It looks the key up before it reads the
// subcommand, so a missing key is the error even if the subcommand is unknown.
func pfdebug(c *command.Call) resp.Value {
	if c.Is(1, "simd") && c.Does(emulate.VectorsSwitched) {
		return pfdebugVectors(c)
	}
	_, h, err := writeHLL(c, c.Key(2))
	switch {
	case err != nil:
		return c.Fail(err)
	case h == nil:
		return c.Fail(errNoHLLKey)
	}
	switch strings.ToLower(string(c.Arg(1))) {
	case "getreg":
		return hllRegisters(c)
	case "decode":
		if h.Dense() {
			return c.Fail(errNotSparse)
		}
		return resp.BulkString(h.Runs())
	case "encoding":
		return resp.Status(either(h.Dense(), "dense", "sparse"))
	case "todense":
		changed, err := makeDense(c)
		if err != nil {
			return c.Fail(err)
		}
		return resp.Flag(changed)
	}
	return c.Fail(words.Errorf("ERR Unknown PFDEBUG subcommand '%s'", c.Arg(1)))
}

// pfdebugVectors implements PFDEBUG SIMD ON | OFF, which changes nothing: there are no vector instructions here.
func pfdebugVectors(c *command.Call) resp.Value {
	switch {
	case c.Is(2, "on"):
		return resp.Status("enabled")
	case c.Is(2, "off"):
		return resp.Status("disabled")
	}
	return c.Fail(errNotOnOrOff)
}

// makeDense converts the HyperLogLog of argument 2 to the dense encoding. It does not modify the key for WATCH:
// its content is the same.
func makeDense(c *command.Call) (changed bool, err error) {
	s, h, _ := writeHLL(c, c.Key(2))
	if h.Dense() {
		return false, nil
	}
	if h, err = h.ToDense(); err != nil {
		return false, errCorruptHLL
	}
	s.Take(h)
	c.Tx.CountChanges(1)
	return true, nil
}

// hllRegisters replies the 16384 registers as integers. It converts the HyperLogLog to dense first, as Redis does.
func hllRegisters(c *command.Call) resp.Value {
	if _, err := makeDense(c); err != nil {
		return c.Fail(err)
	}
	h, _ := readHLL(c, c.Key(2))
	var r hll.Registers
	if err := r.Merge(h); err != nil {
		return c.Fail(errCorruptHLL)
	}
	elems := make([]resp.Value, len(r))
	for i, value := range r {
		elems[i] = resp.Int(int64(value))
	}
	return resp.Array(elems...)
}

// pfselftest implements PFSELFTEST. It checks the algorithm with known numbers of elements; it reads no key.
func pfselftest(c *command.Call) resp.Value {
	if err := hll.SelfTest(); err != nil {
		return c.Fail(fmt.Errorf("TESTFAILED %w", err))
	}
	return resp.OK
}
