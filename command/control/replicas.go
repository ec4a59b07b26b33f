package control

import (
	"errors"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/internal/resp"
)

// What goes wrong between the servers of a group: a replica lags behind, becomes master without all data, or does not
// reach its master.

var groupCommands = []command.Command{
	{Name: "fault.lag", Usage: "<milliseconds | WRITES number | STOPPED | OFF>", Arity: -2, Flags: faultFlags,
		Since:   since,
		Summary: "Makes this replica apply later what its master sends.", Run: faultLag},
	{Name: "fault.failover", Usage: "[TO name-or-address]", Arity: -1, Flags: faultFlags | command.NoMulti,
		Since:   since,
		Summary: "Makes a replica the master. What it has not applied is lost, and all clients are disconnected.",
		Run:     faultFailover},
}

var (
	errLag     = errors.New("ERR a number of milliseconds, WRITES with a number, STOPPED or OFF is expected")
	errNoGroup = errors.New("ERR this server belongs to no group")
	errAlone   = errors.New("ERR names of servers, in groups separated by |, are expected")
)

// faultLag implements FAULT.LAG.
func faultLag(c *command.Call) resp.Value {
	lag, err := parseLag(c)
	if err != nil {
		return c.Fail(err)
	}
	replication.NodeOf(c.Env()).SetLag(lag)
	c.Env().Log.Info("fault", "fault", "LAG", "lag", lag)
	return resp.OK
}

func parseLag(c *command.Call) (lag replication.Lag, err error) {
	switch {
	case c.Len() == 3 && c.Is(1, "writes"):
		n, err := c.Int(2)
		if err != nil || n < 0 {
			return lag, errLag
		}
		lag.Writes = command.ToInt(n)
	case c.Len() != 2:
		return lag, errLag
	case c.Is(1, "stopped"):
		lag.Stopped = true
	case c.Is(1, "off"):
	default:
		ms, err := c.Int(1)
		if err != nil || ms < 0 || ms > command.MaxTimeout {
			return lag, errLag
		}
		lag.Delay = time.Duration(ms) * time.Millisecond
	}
	return lag, nil
}

// faultFailover implements FAULT.FAILOVER.
func faultFailover(c *command.Call) resp.Value {
	to := ""
	switch {
	case c.Len() == 3 && c.Is(1, "to"):
		to = string(c.Arg(2))
	case c.Len() != 1:
		return c.Fail(command.ErrSyntax)
	}
	env, session := c.Env(), c.Session
	env.Log.Info("fault", "fault", "FAILOVER", "to", to)
	return c.Background(func() resp.Value {
		if err := replication.NodeOf(env).FailOver(to, session); err != nil {
			return resp.Error(withCode(err))
		}
		return resp.OK
	})
}

// withCode returns the text of an error as a reply, with the code ERR if it has none.
func withCode(err error) string {
	if text := err.Error(); strings.HasPrefix(text, "ERR ") {
		return text
	}
	return "ERR " + err.Error()
}

// separate implements FAULT.PARTITION with names: FAULT.PARTITION a b | c.
func separate(c *command.Call) error {
	if c.Env().Network == nil {
		return errNoGroup
	}
	groups := make([][]*network.Member, 1)
	for _, arg := range c.Rest(1) {
		if string(arg) == "|" {
			groups = append(groups, nil)
			continue
		}
		m := c.Env().Network.Named(string(arg))
		if m == nil {
			return errors.New("ERR no server is named '" + string(arg) + "'")
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], m)
	}
	for _, group := range groups {
		if len(group) == 0 {
			return errAlone
		}
	}
	c.Env().Network.Partition(groups...)
	return nil
}
