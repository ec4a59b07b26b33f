package command

import "github.com/minilockd/minilockd/internal/resp"

// Background blocks the session until run has returned in a goroutine of its own; the reply is what run returns. It is
// for commands that wait for something else than keys, such as for the clock to be moved: the connection's loop goes on
// serving other clients. run must not use the call, whose arguments are gone by then. A handler returns the result of
// Background as its own. Its row has NoScript and NoMulti, since neither scripts nor EXEC can wait.
func (c *Call) Background(run func() resp.Value) resp.Value {
	s := c.Session
	p := &blockedCall{session: s, cmd: c.Cmd, background: true, noReply: s.replyMode != ReplyOn, proto: s.proto}
	s.postReplies()
	s.blockCall(p)
	s.env.background.Go(func() { p.end(p.runInBackground(run)) })
	return resp.None
}

// runInBackground calls run. A panic is a bug, and becomes an error reply, as in Call.invoke.
func (p *blockedCall) runInBackground(run func() resp.Value) (v resp.Value) {
	defer func() {
		if r := recover(); r != nil {
			c := Call{Tx: p.session.tx, Cmd: p.cmd, Session: p.session}
			v = c.panicked(r)
		}
	}()
	return run()
}
