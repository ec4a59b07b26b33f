package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
)

// LMPOP and ZMPOP and their blocking forms take the same arguments but for the names of the two ends (command page).
// numkeys and COUNT are checked for their own errors, all else is a syntax error.

// The errors of numkeys, COUNT and LIMIT, also of the commands that count an intersection. Each is also for a value
// that is not an integer.
var (
	errNumKeys     = errors.New("ERR numkeys should be greater than 0")
	errCountTooLow = errors.New("ERR count should be greater than 0")
	errLimitTooLow = errors.New("ERR LIMIT can't be negative")
)

// mpopOptions are the parsed arguments. keys alias the request: a command that blocks copies them.
type mpopOptions struct {
	keys  [][]byte
	upper bool // pop from the end that parseMpop calls upper: RIGHT or MAX
	count int
}

// parseMpop parses numkeys, the keys, the name of an end, which is lower or upper, and COUNT. Without COUNT it is 1.
// COUNT may be given once only. Too large a numkeys is a syntax error, since no argument is left for the end.
func parseMpop(c *command.Call, lower, upper string) (o mpopOptions, err error) {
	o.count = 1
	keys, err := c.AtLeast(1, 1, errNumKeys)
	at := keys + 2 // of the end
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
