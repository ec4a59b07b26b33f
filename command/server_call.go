package command

import "github.com/minilockd/minilockd/internal/resp"

// CallByServer runs a command that the server calls itself while c runs, as its modules do. The call counts and is
// logged like others, as that of no client and with a request of no length.
func (c *Call) CallByServer(args ...string) {
	words := make([][]byte, len(args))
	for i, arg := range args {
		words[i] = []byte(arg)
	}
	cmd, _ := c.Env().Table.find(words)
	own := Call{Tx: c.Tx, Cmd: cmd, Args: words, Session: c.Session, nested: true, byServer: true}
	v := cmd.Run(&own)
	counts := c.Session.counts(cmd)
	c.Session.Add(&counts.Calls, 1)
	if c.Env().Config.Histograms() {
		c.Session.Add(counts.Histogram.Bucket(0), 1)
	}
	own.logSlow(0)
	if own.logsLarge() {
		own.logSizes(0, len(resp.Append(nil, v, resp.RESP2)))
	}
}
