package replication

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

var (
	errNoFailover      = errors.New("ERR No failover in progress.")
	errNoTarget        = errors.New("ERR FAILOVER requires connected replicas.")
	errFailoverTimeout = errors.New("ERR FAILOVER timeout must be greater than 0")
)

// failover checks its options and then fails, since there are no replicas: FAILOVER [TO host port [FORCE]] [ABORT]
// [TIMEOUT milliseconds].
func failover(c *command.Call) resp.Value {
	if c.Len() == 2 && c.Is(1, "abort") {
		return c.Fail(errNoFailover)
	}
	if err := checkFailover(c); err != nil {
		return c.Fail(err)
	}
	return c.Fail(errNoTarget)
}

// checkFailover parses the options of FAILOVER, each of which may be given once.
func checkFailover(c *command.Call) error {
	var timeout, to, force bool
	for i := 1; i < c.Len(); i++ {
		switch more := c.Len() - 1 - i; {
		case c.Is(i, "timeout") && more >= 1 && !timeout:
			n, err := c.Int(i + 1)
			if err != nil {
				return err
			}
			if n <= 0 {
				return errFailoverTimeout
			}
			timeout = true
			i++
		case c.Is(i, "to") && more >= 2 && !to:
			if _, err := c.Int(i + 2); err != nil {
				return err
			}
			to = true
			i += 2
		case c.Is(i, "force") && !force:
			force = true
		default:
			return command.ErrSyntax
		}
	}
	return nil
}
