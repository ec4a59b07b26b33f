package server

import "runtime/debug"

// A panic is a bug of the server and must not end the process, which may run a user's test. Each goroutine of the
// server, and each timer function, defers one of the functions below. They log the panic with its stack, once, and end
// no more than necessary:
//
//   - conn.recoverPanic, where a connection is served: that connection ends;
//   - conn.recoverOther, where another goroutine does something for a connection: likewise, soon;
//   - loop.recoverPanic, in the code of a loop itself: its connections end, and new ones get another loop;
//   - Server.recoverPanic, for everything else: a timer function ends early; timers that it has set stay set.
//
// If a handler panics, the client gets an error (command.Call).

// recoverPanic is to be deferred where nothing has to be ended.
func (s *Server) recoverPanic() {
	if r := recover(); r != nil {
		s.logPanic(r)
	}
}

func (s *Server) logPanic(r any) {
	s.options.Logger.Error("panic in the server's own work", "panic", r, "stack", string(debug.Stack()))
}

// spawn runs f in a goroutine that Close waits for.
func (s *Server) spawn(f func()) {
	s.work.Go(func() {
		defer s.recoverPanic()
		f()
	})
}

// recoverPanic is to be deferred by the goroutine that serves the connection.
func (c *conn) recoverPanic() {
	if r := recover(); r != nil {
		c.logPanic(r)
		c.end()
	}
}

// recoverOther is to be deferred by other goroutines. It may run under any lock but those of the connection.
func (c *conn) recoverOther() {
	if r := recover(); r != nil {
		c.logPanic(r)
		c.out.failWriter()
		c.driver.kill()
	}
}

// recoverReply is to be deferred while commands are served: the client gets an error before its connection ends.
func (c *conn) recoverReply(alive *bool) {
	r := recover()
	if r == nil {
		return
	}
	c.logPanic(r)
	c.session.Out = append(c.session.Out[:0], "-ERR internal error\r\n"...)
	c.session.Closing, *alive = true, false
	c.runDeferredWrites()
}

// logPanic logs what was recovered. It must be called while the stack is still that of the panic.
func (c *conn) logPanic(r any) {
	c.server.options.Logger.Error("panic while serving a client", "client", c.session.ID, "addr", c.session.Addr,
		"panic", r, "stack", string(debug.Stack()))
}
