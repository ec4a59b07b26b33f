package data

import (
	"bufio"
	"errors"
	"math"
	"net"
	"strconv"
	"syscall"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
)

var (
	errTargetConnect = errors.New("IOERR error or timeout connecting to the client")
	errTargetWrite   = errors.New("IOERR error or timeout writing to target instance")
	errTargetRead    = errors.New("IOERR error or timeout reading to target instance")
)

const (
	targetChunk   = 64 << 10 // bytes that the target must take within one timeout
	targetReply   = 4 << 10  // bytes that a reply may have
	targetTimeout = 1000     // ms, where the command names none
)

// migrateTarget is the connection to the server that MIGRATE moves keys to. Each step may take as long as the timeout:
// to connect, to send a chunk, to get a reply.
type migrateTarget struct {
	conn    net.Conn
	in      *bufio.Reader
	timeout time.Duration
}

// stepTimeout is the timeout of MIGRATE as a duration, as long as durations can be.
func stepTimeout(ms int64) time.Duration {
	if ms <= 0 {
		ms = targetTimeout
	}
	return time.Duration(min(ms, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
}

// dialTarget connects. Where nobody listens, Redis finds out as it sends.
func dialTarget(host, port []byte, timeout time.Duration) (*migrateTarget, error) {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(string(host), targetPort(port)), timeout)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, errTargetWrite
	case err != nil:
		return nil, errTargetConnect
	}
	return &migrateTarget{conn: conn, in: bufio.NewReaderSize(conn, targetReply), timeout: timeout}, nil
}

// targetPort is a number: the names of services are none that Redis knows, and stand for 0.
func targetPort(port []byte) string {
	n, _ := num.ParseInt(port)
	return strconv.FormatInt(n, 10)
}

func (t *migrateTarget) close() { _ = t.conn.Close() }

func (t *migrateTarget) deadline() time.Time { return clock.Real{}.Now().Add(t.timeout) }

// send writes the commands, a chunk at a time.
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

// reply reads the reply of one command, which is a line. If it is an error, refusal is its text.
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

// appendCommand adds a command as clients send it.
func appendCommand(dst []byte, words ...[]byte) []byte {
	bulks := make([]resp.Value, len(words))
	for i, word := range words {
		bulks[i] = resp.Bulk(word)
	}
	return resp.Append(dst, resp.Array(bulks...), resp.RESP2)
}
