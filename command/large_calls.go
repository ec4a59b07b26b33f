package command

import "github.com/minilockd/minilockd/internal/stats"

// logLarge adds a call that a client has sent to the logs of large requests and large replies (COMMANDLOG), once it has
// its reply. A call that blocks, and what it gets later, does not count.
func (c *Call) logLarge() {
	if c.Cmd.Flags.Has(SkipCommandLog) || c.Session.Blocked() {
		return
	}
	request, _ := requestSize(c.Args)
	c.logIfLarge(stats.LargeRequest, request)
	c.logIfLarge(stats.LargeReply, c.Session.replied)
}

// logIfLarge adds the call to one of the logs if it has at least as many bytes as the parameter for it says.
func (c *Call) logIfLarge(kind stats.Large, bytes int) {
	limit := c.Env().Config.LargeCalls(kind)
	if limit.Bytes < 0 || int64(bytes) < limit.Bytes {
		return
	}
	entry := c.slowCall(0)
	entry.Bytes = int64(bytes)
	c.Env().Stats.Large[kind].Add(entry, ToInt(limit.Length))
}
