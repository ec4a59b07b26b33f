package lockview

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/redcon"
)

var (
	errReply = errors.New("the server's reply is not one of Redis")
	errURL   = errors.New("a URL like redis://user:password@host:6379/0 is expected")
)

// redisConn is a connection to a Redis server.
type redisConn struct {
	net net.Conn
	in  []byte // what is read and not yet used
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
	c = &redisConn{net: nc}
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
func (c *redisConn) one(ctx context.Context, args ...string) (v redcon.RESP, err error) {
	err = c.pipeline(ctx, [][]string{args}, func(_ int, reply redcon.RESP) { v = reply })
	if err == nil && v.Type == redcon.Error {
		err = fmt.Errorf("%s: %s", args[0], v.String())
	}
	return v, err
}

// batch is how many commands are sent before their replies are read: few enough for the buffers of both sides.
const batch = 500

// pipeline sends commands and calls reply with each reply, in their order. When ctx ends, the connection is closed.
func (c *redisConn) pipeline(ctx context.Context, calls [][]string, reply func(i int, v redcon.RESP)) error {
	stop := context.AfterFunc(ctx, func() { _ = c.net.Close() })
	defer stop()
	for start := 0; start < len(calls); start += batch {
		some := calls[start:min(start+batch, len(calls))]
		if err := c.roundTrip(some, func(i int, v redcon.RESP) { reply(start+i, v) }); err != nil {
			return fmt.Errorf("%s: %w", strings.ToUpper(some[0][0]), errors.Join(context.Cause(ctx), err))
		}
	}
	return nil
}

func (c *redisConn) roundTrip(calls [][]string, reply func(i int, v redcon.RESP)) error {
	var out []byte
	for _, args := range calls {
		out = append(out, '*')
		out = append(strconv.AppendInt(out, int64(len(args)), 10), "\r\n"...)
		for _, arg := range args {
			out = redcon.AppendBulkString(out, arg)
		}
	}
	if _, err := c.net.Write(out); err != nil {
		return err
	}
	for i := range calls {
		v, err := c.read()
		if err != nil {
			return err
		}
		reply(i, v)
	}
	return nil
}

// read returns the next reply. Each read from the network has a buffer of its own, so replies stay valid.
func (c *redisConn) read() (redcon.RESP, error) {
	for {
		if n, v := redcon.ReadNextRESP(c.in); n > 0 {
			c.in = c.in[n:]
			return v, nil
		}
		if len(c.in) > 0 && bytes.IndexByte([]byte("+-:$*"), c.in[0]) < 0 {
			return redcon.RESP{}, errReply
		}
		const least = 64 << 10
		in := make([]byte, len(c.in), max(2*len(c.in), least))
		copy(in, c.in)
		n, err := c.net.Read(in[len(in):cap(in)])
		if err != nil {
			return redcon.RESP{}, err
		}
		c.in = in[:len(in)+n]
	}
}
