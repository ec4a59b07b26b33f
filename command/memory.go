package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

var memoryCommand = Command{Name: "memory", Arity: -2, Since: "4.0.0", Summary: "Commands about memory.", Sub: []Command{
	{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "4.0.0",
		Summary: "Lists the subcommands.", Run: help},
	{Name: "usage", Usage: "key [SAMPLES count]", Arity: -3, Flags: ReadOnly, Keys: Keys{First: 2, Last: 2, Step: 1}, Since: "4.0.0",
		Summary: "Estimates the bytes that a key takes.", Run: memoryUsage},
}}

// entryOverhead is what a key takes besides its name and its value, in bytes, roughly.
const entryOverhead = 64

// memoryUsage estimates from what a copy of the value would take; it has no need of samples.
func memoryUsage(c *Call) resp.Value {
	if err := c.checkSamples(); err != nil {
		return c.Fail(err)
	}
	e := c.Tx.Find(c.Key(2))
	if !e.Exists() {
		return resp.Null
	}
	return resp.Int(int64(entryOverhead + len(c.Key(2)) + e.Value().Weight()))
}

func (c *Call) checkSamples() error {
	for i := 3; i < c.Len(); i += 2 {
		if !c.Is(i, "samples") || i+1 == c.Len() {
			return errSyntax
		}
		n, err := c.Int(i + 1)
		switch {
		case err != nil:
			return err
		case n < 0:
			return errSyntax
		}
	}
	return nil
}
