package load

import (
	"errors"
	"fmt"
	"io"
)

// inputSize holds the replies to a batch; a longer reply couldn't be framed.
const inputSize = 16 << 10

// transport is a connected socket. The epoll driver gives it without blocking, the other one with.
type transport interface {
	io.ReadWriteCloser
}

// conn is a connection and its workers. One goroutine at a time may use it.
type conn struct {
	transport
	steps   []Step
	workers []*worker
	out     []byte
	in      []byte // what has been read and is not a whole reply yet
	next    int    // the worker whose reply comes next
	ops     int64
	refused int64
}

// newConn takes its workers from number first on.
func newConn(t transport, spec *Spec, first int) *conn {
	c := &conn{transport: t, steps: spec.Steps, in: make([]byte, 0, inputSize)}
	for i := range spec.Batch {
		c.workers = append(c.workers, newWorker(spec, first+i))
	}
	return c
}

// send writes one request of every worker. The socket's buffer is empty then, as every reply of the batch before is in,
// so a short write means that something is wrong.
func (c *conn) send() error {
	c.out, c.next = c.out[:0], 0
	for _, w := range c.workers {
		c.out = append(c.out, w.request()...)
	}
	n, err := c.Write(c.out)
	if err == nil && n < len(c.out) {
		err = io.ErrShortWrite
	}
	return err
}

// receive reads once and takes the replies that are complete; done tells that the batch is.
func (c *conn) receive() (done bool, err error) {
	n, err := c.Read(c.in[len(c.in):cap(c.in)])
	if err != nil {
		return false, err
	}
	if n == 0 {
		return false, errors.New("the server closed the connection")
	}
	return c.take(c.in[:len(c.in)+n])
}

// take consumes the replies in buf, which begins where c.in does, and keeps the rest.
func (c *conn) take(buf []byte) (done bool, err error) {
	at := 0
	for at < len(buf) {
		size, err := frame(buf[at:])
		if err != nil {
			return false, err
		}
		if size == 0 {
			break
		}
		if err := c.reply(buf[at : at+size]); err != nil {
			return false, err
		}
		at += size
	}
	c.in = c.in[:copy(c.in[:cap(c.in)], buf[at:])]
	return c.next == len(c.workers), nil
}

// reply hands an answer to the worker whose turn it is.
func (c *conn) reply(answer []byte) error {
	if c.next == len(c.workers) {
		return fmt.Errorf("a reply that nobody asked for: %q", answer)
	}
	refused, err := c.workers[c.next].reply(c.steps, answer)
	c.next++
	c.ops++
	if refused {
		c.refused++
	}
	return err
}
