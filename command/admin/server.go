package admin

// Commands about the server as a whole: INFO, SHUTDOWN, TIME, ROLE and the like. ACL, CONFIG, DEBUG and other
// containers are in files of their own.

import (
	"errors"
	"slices"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/persistence"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

var serverCommands = slices.Concat(operationCommands, monitorCommands)

// operationCommands are the containers of administration and the commands without a file of their own. INFO and DEBUG
// hold all shards.
var operationCommands = []command.Command{
	aclCommand, commandCommand, commandLogCommand, configCommand, latencyCommand, memoryCommand, moduleCommand,
	slowlogCommand,
	{Name: "debug", Usage: "subcommand [argument ...]", Arity: -2, Flags: adminFlags, Keys: command.Whole,
		Since:   "1.0.0",
		Summary: "Commands for tests of servers and clients.", Run: runDebug},
	{Name: "info", Usage: "[section [section ...]]", Arity: -1,
		Flags: command.Loading | command.Stale | command.Dangerous, Keys: command.Whole, Since: "1.0.0",
		Tips:    "nondeterministic_output request_policy:all_shards response_policy:special",
		Summary: "Tells about the server and what it has done.", Run: info},
	{Name: "lolwut", Usage: "[VERSION version]", Arity: -1, Flags: command.ReadOnly | command.Fast, Since: "5.0.0",
		Summary: "Prints the version.", Run: lolwut},
	{Name: "shutdown", Usage: "[NOSAVE | SAVE] [NOW] [FORCE] [ABORT]", Arity: -1,
		Flags: adminFlags | command.NoMulti | command.AllowBusy, Since: "1.0.0",
		Summary: "Ends the server.", Run: shutdown},
	{Name: "time", Arity: 1, Flags: command.Loading | command.Stale | command.Fast, Since: "2.6.0",
		Tips:    "nondeterministic_output",
		Summary: "Tells the server's time in seconds and microseconds.", Run: serverTime},
}

var (
	errShutdown   = errors.New("ERR Errors trying to SHUTDOWN. Check logs.")
	errNoShutdown = errors.New("ERR No shutdown in progress.")
)

// serverTime returns the seconds since the epoch and the microseconds of the present second, as two strings: TIME. In
// a script or EXEC it reads the clock again, while keys expire by the time at which the transaction started. Since 7.2
// it does so only once the script is so slow that the server serves other clients.
func serverTime(c *command.Call) resp.Value {
	now := c.Tx.Time()
	if standsStill := c.Does(emulate.OneTimeForScript); c.Nested() && (!standsStill || c.Env().Scripts.Busy() != nil) {
		now = c.Tx.ReadClock(!standsStill)
	}
	return resp.Strings([]string{strconv.FormatInt(now.Unix(), 10), strconv.Itoa(now.Nanosecond() / 1000)})
}

// lolwut returns the version: LOLWUT [VERSION version]. There is no art, whatever the version.
func lolwut(c *command.Call) resp.Value {
	if c.Len() >= 3 && c.Is(1, "version") {
		if _, err := c.Int(2); err != nil {
			return c.Fail(err)
		}
	}
	server := c.Env().Identity()
	return resp.Verbatim("txt", server.Title+" ver. "+server.Version+"\n")
}

// shutdown closes the server: SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE] [ABORT]. It has no reply; the client sees the
// connection close. It waits for no replica, so NOW makes no difference, and ABORT, which would cancel a shutdown that
// waits, always fails. A server without a file saves nothing.
func shutdown(c *command.Call) resp.Value {
	o, err := shutdownOptions(c)
	switch {
	case err != nil:
		return c.Fail(err)
	case o.abort:
		return c.Fail(errNoShutdown)
	}
	env, disk := c.Env(), persistence.Of(c.Env())
	if disk.SavesAtEnd(o.save, o.noSave) {
		return c.Background(func() resp.Value {
			if err := disk.Save(); err != nil && !o.force {
				return resp.Error(errShutdown.Error())
			}
			env.Clients.Shutdown()
			return resp.None
		})
	}
	env.Clients.Shutdown()
	c.Session.Closing = true
	return resp.None
}

// shutdownWays are the options of SHUTDOWN.
type shutdownWays struct{ save, noSave, force, abort bool }

// shutdownOptions parses the options of SHUTDOWN. While a script runs too long only NOSAVE is accepted, since saving
// would see half of its writes.
func shutdownOptions(c *command.Call) (o shutdownWays, err error) {
	for i := 1; i < c.Len(); i++ {
		switch {
		case c.Is(i, "save"):
			o.save = true
		case c.Is(i, "nosave"):
			o.noSave = true
		case c.Is(i, "abort"):
			o.abort = true
		case c.Is(i, "force"):
			o.force = true
		case !c.Is(i, "now"):
			return o, command.ErrSyntax
		}
	}
	switch {
	case o.save && o.noSave || o.abort && c.Len() > 2:
		return o, command.ErrSyntax
	case c.Env().Scripts.Busy() != nil && !o.noSave && !o.abort:
		return o, c.Env().ErrBusy(c.Env().Scripts.Busy())
	}
	return o, nil
}
