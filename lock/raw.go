package lock

import (
	"context"
	"errors"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// errNotPlain says that a reply was neither an integer nor nil. The command was then not carried out: it is an error.
var errNotPlain = errors.New("lock: not a plain reply")

// rawReply collects the bytes of one short reply.
type rawReply struct {
	n   int
	buf [32]byte
}

// Write implements io.Writer.
func (r *rawReply) Write(b []byte) (int, error) {
	r.n += copy(r.buf[r.n:], b)
	return len(b), nil
}

// sendRaw sends a command whose reply is an integer or nil, and reads the reply itself. Nil means that a lock was
// taken, which should be fast, but for go-redis it is an error, which it tests in 17 ways for whether to retry. Errors
// of the server are left to a second, ordinary call: they may need what go-redis does about them.
func (c *Client) sendRaw(ctx context.Context, args []any) (int64, error) {
	var r rawReply
	err := c.rdb.Process(ctx, redis.NewRawWriteToCmd(ctx, &r, args...))
	if err != nil {
		return 0, err
	}
	line := r.buf[:max(r.n-len("\r\n"), 0)]
	switch {
	case len(line) > 1 && line[0] == ':':
		return strconv.ParseInt(string(line[1:]), 10, 64)
	case string(line) == "_", string(line) == "$-1":
		return 0, redis.Nil
	}
	return 0, errNotPlain
}
