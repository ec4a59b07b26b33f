package admin

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

var waitCommands = []command.Command{
	{Name: "wait", Usage: "numreplicas timeout", Arity: 3, Flags: command.NoScript, Categories: "connection",
		Since: "3.0.0", Tips: "request_policy:all_shards response_policy:agg_min",
		Changes: []command.Change{{Since: "7.2", Gains: command.Blocking, Loses: command.NoScript}},
		Summary: "Counts the replicas that have what the connection wrote: none.", Run: wait},
	{Name: "waitaof", Usage: "numlocal numreplicas timeout", Arity: 4, Flags: command.Blocking,
		Categories: "connection",
		Since:      "7.2.0",
		Tips:       "request_policy:all_shards response_policy:agg_min",
		Summary:    "Counts the servers that have on disk what the connection wrote: none.", Run: waitAOF},
}

var errNoAOF = errors.New("ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.")

// wait returns the number of replicas that have received the writes of the connection: WAIT numreplicas timeout. It is
// 0. Redis would wait until the timeout for replicas that may still come; here none ever can, so the reply comes at
// once.
func wait(c *command.Call) resp.Value {
	if _, err := c.Int(1); err != nil {
		return c.Fail(err)
	}
	if err := checkTimeout(c, 2); err != nil {
		return c.Fail(err)
	}
	return resp.Zero
}

// waitAOF is WAIT for append-only files. There are none, so only a call with numlocal 0 succeeds (WAITAOF command
// page, Redis 7.2).
func waitAOF(c *command.Call) resp.Value {
	local, err := c.IntBetween(1, 0, 1, nil)
	if err != nil {
		return c.Fail(err)
	}
	replicas, err := c.Int(2)
	switch {
	case err != nil:
		return c.Fail(err)
	case replicas < 0:
		return c.Fail(command.ErrNotPositive)
	}
	if err := checkTimeout(c, 3); err != nil {
		return c.Fail(err)
	}
	if local > 0 {
		return c.Fail(errNoAOF)
	}
	return resp.Array(resp.Zero, resp.Zero)
}

// checkTimeout checks argument i as a timeout in ms, whose value makes no difference.
func checkTimeout(c *command.Call, i int) error {
	_, err := c.Milliseconds(i)
	return err
}
