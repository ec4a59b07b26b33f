package server

import "runtime/debug"

// A panic is a bug of the server and must not end the process, which may run a user's test. Each goroutine of the
// server, and each function that a timer calls, defers one of the functions below. They log the panic with its stack, once, and
// give up no more than what it was about:
//
//   - conn.rescue, where a connection is served: that connection ends;
//   - conn.rescueForeign, where another goroutine does something for a connection: likewise, soon;
//   - loop.rescue, where a loop looks for what there is to serve: its connections end, and others get another loop;
//   - Server.rescue, for all else: a timer's function ends early, what it has armed again stays armed.
//
// A handler that panics is answered with an error (command.Call).

// rescue is to be deferred where nothing has to be given up.
func (s *Server) rescue() {
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
		defer s.rescue()
		f()
	})
}

// rescue is to be deferred by the goroutine that serves the connection.
func (c *conn) rescue() {
	if r := recover(); r != nil {
		c.logPanic(r)
		c.end()
	}
}

// rescueForeign is to be deferred by other goroutines. It may run under any lock but those of the connection.
func (c *conn) rescueForeign() {
	if r := recover(); r != nil {
		c.logPanic(r)
		c.out.abandon()
		c.driver.kill()
	}
}

// rescueReply is to be deferred while commands are served: the client is told before its connection ends.
func (c *conn) rescueReply(alive *bool) {
	r := recover()
	if r == nil {
		return
	}
	c.logPanic(r)
	c.session.Out = append(c.session.Out[:0], "-ERR internal error\r\n"...)
	c.session.Closing, *alive = true, false
	c.runDeferredWrites()
}

// logPanic logs what was recovered. The functions above call it while the stack is still that of the panic.
func (c *conn) logPanic(r any) {
	c.server.options.Logger.Error("panic while serving a client", "client", c.session.ID, "addr", c.session.Addr,
		"panic", r, "stack", string(debug.Stack()))
}
