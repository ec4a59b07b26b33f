package data

import (
	"bufio"
	"errors"
	"math"
	"net"
	"strconv"
	"syscall"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/num"
)

// The connection of MIGRATE to its target. Redis applies the timeout to each step rather than to the whole: to
// connect, to write 64 KB, to read a reply. The clock is the real one, since the target does not share the clock of
// this server.

// The errors of the connection, with Redis' prefix IOERR. They tell in which step the connection broke; a client may
// try again, since no key is deleted unless the target has stored it.
var (
	errTargetConnect = errors.New("IOERR error or timeout connecting to the client")
	errTargetWrite   = errors.New("IOERR error or timeout writing to target instance")
	errTargetRead    = errors.New("IOERR error or timeout reading to target instance")
)

// The steps of Redis: it writes up to 64 KB at a time, and reads a reply as one line.
const (
	targetChunk   = 64 << 10 // bytes per write, each with a timeout of its own
	targetReply   = 4 << 10  // bytes that a reply may be long
	targetTimeout = 1000     // ms, in place of 0 and negative timeouts
)

// migrateTarget is a connection to the server that MIGRATE moves keys to.
type migrateTarget struct {
	conn    net.Conn
	in      *bufio.Reader
	timeout time.Duration
}

// stepTimeout converts the timeout of MIGRATE, which is in ms, limited to what a Duration can hold.
func stepTimeout(ms int64) time.Duration {
	if ms <= 0 {
		ms = targetTimeout
	}
	return time.Duration(min(ms, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
}

// dialTarget connects. Redis connects without blocking and gets ECONNREFUSED when it writes, so that is a
// write error.
func dialTarget(env *command.Env, host, port []byte, timeout time.Duration) (*migrateTarget, error) {
	conn, err := dialWithin(env, string(host), targetPort(port), timeout)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, errTargetWrite
	case err != nil:
		return nil, errTargetConnect
	}
	return &migrateTarget{conn: conn, in: bufio.NewReaderSize(conn, targetReply), timeout: timeout}, nil
}

// dialWithin connects in memory to a server that this one knows, else by TCP.
func dialWithin(env *command.Env, host, port string, timeout time.Duration) (net.Conn, error) {
	if addr := net.JoinHostPort(host, port); env.Network == nil || env.Network.Named(addr) == nil {
		return net.DialTimeout("tcp", addr, timeout)
	}
	return env.Dial(host, port)
}

// targetPort parses the port as atoi does: a service name is 0.
func targetPort(port []byte) string {
	n, _ := num.ParseInt(port)
	return strconv.FormatInt(n, 10)
}

// close closes the connection. Redis keeps it for 10 seconds for the next MIGRATE; here each has its own.
func (t *migrateTarget) close() { _ = t.conn.Close() }

// deadline is the time at which the step that starts now must have ended.
func (t *migrateTarget) deadline() time.Time { return clock.Real{}.Now().Add(t.timeout) }

// send writes the commands in chunks.
func (t *migrateTarget) send(commands []byte) error {
	for len(commands) > 0 {
		chunk := commands[:min(len(commands), targetChunk)]
		if t.conn.SetWriteDeadline(t.deadline()) != nil {
			return errTargetWrite
		}
		if _, err := t.conn.Write(chunk); err != nil {
			return errTargetWrite
		}
		commands = commands[len(chunk):]
	}
	return nil
}

// reply reads the reply of one command, which must be a single line: all commands of MIGRATE reply a status or an
// error. errText is the text of an error reply. A longer line than targetReply is a read error.
func (t *migrateTarget) reply() (errText string, err error) {
	if t.conn.SetReadDeadline(t.deadline()) != nil {
		return "", errTargetRead
	}
	line, err := t.in.ReadSlice('\n')
	if err != nil {
		return "", errTargetRead
	}
	if line[0] != '-' {
		return "", nil
	}
	end := len(line) - 1
	if line[end-1] == '\r' {
		end--
	}
	return string(line[1:end]), nil
}
