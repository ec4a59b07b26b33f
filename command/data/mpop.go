package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
)

var (
	errNumKeys     = errors.New("ERR numkeys should be greater than 0")
	errCountTooLow = errors.New("ERR count should be greater than 0")
	errLimitTooLow = errors.New("ERR LIMIT can't be negative")
)

// mpopOptions are the words of LMPOP and ZMPOP.
type mpopOptions struct {
	keys  [][]byte
	upper bool // pop from the end that the second word names
	count int
}

// parseMpop reads a number of keys, the keys, the end to pop from, which is one of two words, and a count.
func parseMpop(c *command.Call, lower, upper string) (o mpopOptions, err error) {
	o.count = 1
	keys, err := c.AtLeast(1, 1, errNumKeys)
	at := keys + 2 // of the end's name
	switch {
	case err != nil:
		return o, err
	case keys >= c.Len()-2, !c.Is(at, lower) && !c.Is(at, upper):
		return o, command.ErrSyntax
	}
	o.keys, o.upper = c.Args[2:at], c.Is(at, upper)
	switch {
	case c.Len() == at+1:
		return o, nil
	case !c.Is(at+1, "count") || c.Len() < at+3:
		return o, command.ErrSyntax
	}
	if o.count, err = c.AtLeast(at+2, 1, errCountTooLow); err == nil && c.Len() > at+3 {
		err = command.ErrSyntax
	}
	return o, err
}
