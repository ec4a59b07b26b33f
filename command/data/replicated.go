package data

import (
	"slices"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
)

// What the replicas get in place of calls whose effect depends on the time, on chance, or on who waits: the functions
// here, and those beside the handlers that are named propagate. Handlers call them only while c.Propagates().

// decimal is an integer as an argument.
func decimal(n int64) []byte { return strconv.AppendInt(nil, n, 10) }

// deletionBy is the name of the command that deletes a key: UNLINK if a parameter of CONFIG says so.
func deletionBy(c *command.Call, parameter string) string {
	if c.Env().Config.Get(parameter) == "yes" {
		return "UNLINK"
	}
	return "DEL"
}

// deletionByServer is deletionBy for a key that a command deletes in passing.
func deletionByServer(c *command.Call) string {
	if c.Does(emulate.ReplicatesBatches) {
		return deletionBy(c, "lazyfree-lazy-server-del")
	}
	return "DEL"
}

// propagateIf sends a command for one key if the call has done something, else nothing.
func propagateIf(c *command.Call, done bool, name string, key []byte) {
	if done {
		c.PropagateAs(name, key)
		return
	}
	c.Propagate()
}

// propagateExpireAt sends the expiry of a key, a Unix time in ms. options follow it.
func propagateExpireAt(c *command.Call, key []byte, when int64, options ...[]byte) {
	c.PropagateAs("PEXPIREAT", append([][]byte{key, decimal(when)}, options...)...)
}

// propagateExpiryOption sends the call with PXAT in place of the option whose number is argument at.
func propagateExpiryOption(c *command.Call, at int, when int64) {
	args := slices.Clone(c.Args)
	args[at-1], args[at] = []byte("PXAT"), decimal(when)
	c.Propagate(args...)
}
