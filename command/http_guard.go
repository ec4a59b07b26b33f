package command

import (
	"sync/atomic"
	"time"
)

// A web page can make a browser send a POST request to a server on the same machine, and each line of it would be a
// command. So the server closes a connection that sends POST or Host:, as Redis does. (Redis documentation: security,
// cross-protocol scripting.)

// httpGuard has the time of the last warning.
type httpGuard struct{ warned atomic.Int64 } // seconds since the epoch

// httpWarnInterval is the least time between two warnings.
const httpWarnInterval = time.Minute

// isHTTP reports whether the name of a command is the beginning of a line of HTTP.
func isHTTP(name []byte) bool { return EqualFold(name, "post") || EqualFold(name, "host:") }

// warnHTTP logs that a client sends HTTP, at most once per httpWarnInterval.
func (e *Env) warnHTTP(s *Session) {
	now, last := e.Clock.Now().Unix(), e.http.warned.Load()
	if now-last < int64(httpWarnInterval/time.Second) || !e.http.warned.CompareAndSwap(last, now) {
		return
	}
	e.Log.Warn("possible security attack: a client sent POST or Host:, as in cross-protocol scripting; "+
		"its connection is closed", "addr", s.Addr)
}
