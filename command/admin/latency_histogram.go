package admin

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
)

// latencyHistogram tells for each command that was called how often, and how the times of its calls are distributed:
// in pairs of microseconds and how many took no longer. Nothing is known of the times without latency-tracking.
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
