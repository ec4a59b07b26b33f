package admin

// CONFIG. The row and the value of a parameter are in internal/config; CONFIG SET holds all shards, so that limits and
// thresholds do not change within a transaction, and is rolled back with its transaction if that restarts.
//
// Most parameters are read where they are used. configSet takes care of the others: memory limits, the password of the
// default user, the timeout of idle clients and the size of the tracking table.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/resp"
)

// adminFlags are the flags of most commands of administration. Scripts may not call them.
const adminFlags = command.Admin | command.NoScript | command.Loading | command.Stale

var configCommand = command.Command{Name: "config", Arity: -2, Since: "2.0.0",
	Summary: "Commands about the server's parameters.", Sub: []command.Command{
		{Name: "get", Usage: "parameter [parameter ...]", Arity: -3, Flags: adminFlags, Since: "2.0.0",
			Summary: "Shows the parameters that match.", Run: configGet},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "resetstat", Arity: 2, Flags: adminFlags, Keys: command.Whole, Since: "2.0.0",
			Changes: toAllNodes,
			Summary: "Sets the counters of INFO to zero.", Run: configResetStat},
		{Name: "rewrite", Arity: 2, Flags: adminFlags, Since: "2.8.0",
			Changes: toAllNodes,
			Summary: "Would write the parameters to the configuration file.", Run: configRewrite},
		{Name: "set", Usage: "parameter value [parameter value ...]", Arity: -4, Flags: adminFlags, Keys: command.Whole,
			Since: "2.0.0", Tips: "request_policy:all_nodes response_policy:all_succeeded",
			Summary: "Changes parameters, all or none.", Run: configSet, Secret: configSecrets},
	}}

// configSecrets are the parameters whose values MONITOR and the slow log must not show.
var configSecrets = &command.Secrets{From: 2, Options: []command.Option{
	{Word: "requirepass", Values: 1, Secret: true}, {Word: "masterauth", Values: 1, Secret: true},
	{Word: "masteruser", Values: 1, Secret: true}, {Word: "tls-key-file-pass", Values: 1, Secret: true},
	{Word: "tls-client-key-file-pass", Values: 1, Secret: true}, {Word: command.AnyWord, Values: 1},
}}

// configGet returns names and values of the parameters that match: CONFIG GET parameter [parameter ...]. Each argument
// is a name or a pattern, in any letter case. One that matches nothing is no error: the map is then empty.
func configGet(c *command.Call) resp.Value {
	pairs := c.Env().Config.Match(command.Strings(c.Rest(2)))
	return resp.Map(resp.Strings(pairs).Elems()...)
}

// configSet sets parameters, all or none: CONFIG SET parameter value [parameter value ...]. The error names the first
// parameter that can't be set. A parameter that is named twice is an error, but its name and its alias are two.
//
// All shards are locked, so no other command sees one new value and one old one. Keys above a smaller maxmemory are
// evicted before the reply.
func configSet(c *command.Call) resp.Value {
	if c.Len()%2 != 0 {
		return c.Fail(command.ErrSyntax)
	}
	settings := make([]config.Setting, 0, c.Len()/2)
	for i := 2; i < c.Len(); i += 2 {
		settings = append(settings, config.Setting{Name: string(c.Arg(i)), Value: string(c.Arg(i + 1))})
	}
	undo, err := c.Env().Config.Set(settings)
	if err != nil {
		if errors.Is(err, config.ErrPort) { // whose words ask to look here
			c.Env().Log.Warn("CONFIG SET port", "error", config.ErrPlace)
		}
		return c.Fail(err)
	}
	c.Tx.OnUndo(undo)
	c.ApplyLimits()
	applyPassword(c, settings)
	trimLogs(c)
	c.Env().Clients.TimeoutChanged()
	c.Env().Tracking.Shrink(int(c.Env().Config.TrackedKeys()))
	return resp.OK
}

// configResetStat sets the counters of INFO to zero, also those of commands, errors, traffic and of expired and
// evicted keys and scripts: CONFIG RESETSTAT. The slow log, ACL LOG, the latency monitor and the peak of memory stay.
func configResetStat(c *command.Call) resp.Value {
	c.Env().Stats.Reset()
	c.Env().ACL.Log.ResetCounts()
	c.Env().Stats.Meter.Reset(c.Env().TotalTraffic())
	c.Env().Scripts.ResetEvicted()
	c.Tx.ResetCounts()
	return resp.OK
}

// configRewrite always fails: CONFIG REWRITE. Without a configuration file the error is that of Redis.
func configRewrite(c *command.Call) resp.Value {
	if c.Env().Config.File() != "" {
		return resp.Error("ERR Rewriting config file: minilockd writes no files")
	}
	return resp.Error("ERR The server is running without a config file")
}

// applyPassword makes requirepass the password of the default user, if it was changed. As in Redis, setting it to the
// value that it has already does not revert what ACL SETUSER has done to the user since.
func applyPassword(c *command.Call, settings []config.Setting) {
	for i := range settings {
		s := &settings[i]
		if s.Changes("requirepass") {
			users := c.Env().ACL
			was := users.Default.Rules()
			c.Tx.OnUndo(func() { users.Restore(users.Default, was) })
			users.SetPassword(s.Value)
		}
	}
}
