package lockview

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/reply"
)

var (
	errReply = errors.New("the server's reply is not one of Redis")
	errURL   = errors.New("a URL like redis://user:password@host:6379/0 is expected")
)

// redisConn is a connection to a Redis server.
type redisConn struct {
	net net.Conn
	in  *bufio.Reader
}

// dialRedis connects to the server of a URL, and returns the number of its database, too.
func dialRedis(ctx context.Context, text string) (c *redisConn, db int, err error) {
	if !strings.Contains(text, "://") {
		text = "redis://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, 0, errURL
	}
	if path := strings.Trim(u.Path, "/"); path != "" {
		if db, err = strconv.Atoi(path); err != nil {
			return nil, 0, errURL
		}
	}
	nc, err := dialerOf(u)(ctx, "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "6379")))
	if err != nil {
		return nil, 0, err
	}
	c = &redisConn{net: nc, in: bufio.NewReader(nc)}
	if err := c.auth(ctx, u.User); err != nil {
		_ = nc.Close()
		return nil, 0, err
	}
	return c, db, nil
}

func dialerOf(u *url.URL) func(ctx context.Context, network, addr string) (net.Conn, error) {
	if u.Scheme == "rediss" {
		return (&tls.Dialer{}).DialContext
	}
	return (&net.Dialer{}).DialContext
}

// auth sends AUTH if there is a password.
func (c *redisConn) auth(ctx context.Context, user *url.Userinfo) error {
	password, ok := user.Password()
	if !ok {
		return nil
	}
	args := []string{"AUTH"}
	if name := user.Username(); name != "" {
		args = append(args, name)
	}
	_, err := c.one(ctx, append(args, password)...)
	return err
}

// one sends one command. An error reply is an error.
func (c *redisConn) one(ctx context.Context, args ...string) (r reply.Reply, err error) {
	err = c.pipeline(ctx, [][]string{args}, func(_ int, got reply.Reply) { r = got })
	if err == nil && r.Kind == reply.Error {
		err = fmt.Errorf("%s: %s", args[0], r.Text)
	}
	return r, err
}

// batch is how many commands are sent before their replies are read: few enough for the buffers of both sides.
const batch = 500

// pipeline sends commands and calls got with each reply, in their order. When ctx ends, the connection is closed.
func (c *redisConn) pipeline(ctx context.Context, calls [][]string, got func(i int, r reply.Reply)) error {
	stop := context.AfterFunc(ctx, func() { _ = c.net.Close() })
	defer stop()
	for start := 0; start < len(calls); start += batch {
		some := calls[start:min(start+batch, len(calls))]
		if err := c.roundTrip(some, func(i int, r reply.Reply) { got(start+i, r) }); err != nil {
			return fmt.Errorf("%s: %w", strings.ToUpper(some[0][0]), errors.Join(context.Cause(ctx), err))
		}
	}
	return nil
}

func (c *redisConn) roundTrip(calls [][]string, got func(i int, r reply.Reply)) error {
	var out []byte
	for _, args := range calls {
		out = reply.Append(out, args)
	}
	if _, err := c.net.Write(out); err != nil {
		return err
	}
	for i := range calls {
		r, err := reply.Read(c.in)
		if err != nil {
			return err
		}
		got(i, r)
	}
	return nil
}
