package admin

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
)

// latencyHistogram returns for each command that was called the number of calls and a histogram of their durations:
// LATENCY HISTOGRAM [command [command ...]]. The name of a container selects its subcommands, too; unknown names are
// left out. Without latency-tracking the histograms are empty, but the numbers of calls are there.
func latencyHistogram(c *command.Call) resp.Value {
	var replies []resp.Value
	add := func(cmd *command.Command) {
		if sum := c.Env().Stats.Calls.Of(cmd.Number); sum.Calls > 0 {
			replies = append(replies, resp.BulkString(cmd.FullName()), histogramOf(c, cmd, sum.Calls))
		}
	}
	if c.Len() == 2 {
		c.Env().Table.Each(add)
	}
	for _, name := range c.Rest(2) {
		cmd := c.Env().Table.Get(string(name))
		if cmd == nil {
			continue
		}
		add(cmd)
		for i := range cmd.Sub {
			add(&cmd.Sub[i])
		}
	}
	return resp.Map(replies...)
}

// histogramOf returns the entry of a command. As in Redis the histogram is cumulative: pairs of a duration in µs and
// the number of calls that were not longer. Empty buckets are left out.
func histogramOf(c *command.Call, cmd *command.Command, calls int64) resp.Value {
	var pairs []resp.Value
	sum := int64(0)
	for i, n := range c.Env().Stats.Calls.Durations(cmd.Number) {
		if sum += n; n > 0 {
			pairs = append(pairs, resp.Int(stats.BucketEnd(i)/1000), resp.Int(sum))
		}
	}
	return resp.Map(resp.BulkString("calls"), resp.Int(calls), resp.BulkString("histogram_usec"), resp.Map(pairs...))
}
