package admin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// replicationCommands are those between masters and replicas. This is a master that can have no replicas: it accepts
// what a replica reports about itself (REPLCONF), but returns an error when it is to send its data (SYNC, PSYNC).
var replicationCommands = []command.Command{
	{Name: "failover", Usage: "[TO host port [FORCE]] [ABORT] [TIMEOUT milliseconds]", Arity: -1,
		Flags: command.Admin | command.NoScript | command.Stale, Since: "6.2.0",
		Summary: "Would make one of the replicas the master; there are none.", Run: failover},
	{Name: "psync", Usage: "replicationid offset", Arity: -3,
		Flags: command.Admin | command.NoScript | command.NoAsyncLoading | command.NoMulti, Since: "2.8.0",
		Summary: "Would send a replica what it lacks.", Run: noReplication},
	{Name: "replconf", Arity: -1,
		Flags: command.Admin | command.NoScript | command.Loading | command.Stale | command.AllowBusy, Since: "3.0.0",
		Summary: "Takes what a replica tells of itself.", Run: replConf},
	{Name: "sync", Arity: 1, Flags: command.Admin | command.NoScript | command.NoAsyncLoading | command.NoMulti,
		Since:   "1.0.0",
		Summary: "Would send a replica all data.", Run: noReplication},
}

var (
	errNoFailover      = errors.New("ERR No failover in progress.")
	errNoTarget        = errors.New("ERR FAILOVER requires connected replicas.")
	errFailoverTimeout = errors.New("ERR FAILOVER timeout must be greater than 0")
	errNoReplication   = errors.New("ERR this server has no replication")
)

// noReplication is SYNC and PSYNC, which always fail: a replica that is set up to follow this server keeps trying.
func noReplication(c *command.Call) resp.Value { return c.Fail(errNoReplication) }

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

// maxReplicaHost is the length from which on REPLCONF rejects an address (NET_HOST_STR_LEN).
const maxReplicaHost = 256

// replConf checks the options that a replica reports, in pairs: REPLCONF option value [option value ...]. ACK, with
// which a replica confirms what it has received, and GETACK have no reply.
func replConf(c *command.Call) resp.Value {
	if c.Len()%2 == 0 {
		return c.Fail(command.ErrSyntax)
	}
	for i := 1; i < c.Len(); i += 2 {
		if c.Is(i, "ack") || c.Is(i, "getack") {
			return resp.None
		}
		if err := checkReplicaOption(c, i); err != nil {
			return c.Fail(err)
		}
	}
	return resp.OK
}

// checkReplicaOption checks one option of REPLCONF and its value, which is then ignored.
func checkReplicaOption(c *command.Call, i int) error {
	value := c.Arg(i + 1)
	switch {
	case c.Is(i, "capa"):
	case c.Is(i, "listening-port"):
		_, err := command.ParseInt(value)
		return err
	case c.Is(i, "ip-address"):
		if len(value) >= maxReplicaHost {
			return fmt.Errorf("ERR REPLCONF ip-address provided by replica instance is too long: %d bytes", len(value))
		}
	case c.Is(i, "rdb-only"):
		_, err := c.IntBetween(i+1, 0, 1, nil)
		return err
	case c.Is(i, "rdb-filter-only"):
		for _, filter := range strings.Fields(string(value)) {
			if filter != "functions" {
				return words.Errorf("ERR Unsupported rdb-filter-only option: %s", filter)
			}
		}
	default:
		return words.Errorf("ERR Unrecognized REPLCONF option: %s", string(c.Arg(i)))
	}
	return nil
}
