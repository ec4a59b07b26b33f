package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// inputSize is the initial size of the buffer for replies; it grows with the longest reply.
const inputSize = 16 << 10

// transport is a stream of bytes. The epoll driver uses a non-blocking one, all others a blocking one.
type transport interface {
	io.ReadWriteCloser
}

// conn is a connection and its workers. One goroutine at a time may use it.
type conn struct {
	transport
	steps    []Step
	workers  []*worker
	out      []byte // the current batch
	in       []byte // an incomplete reply
	next     int    // the worker whose reply comes next; len(workers) once the batch is complete
	sent     int    // bytes of out that were sent
	ops      int64
	rejected int64
	timed    bool
	since    time.Time // when the batch was sent, if any step is timed
	times    latencies
	copyTo   *[]byte // if not nil, gets a copy of each reply
}

// newConn takes its workers from number first on: numbers are unique over all connections, since they choose the keys
// and the names of holders.
func newConn(t transport, spec *Spec, first int) *conn {
	c := &conn{transport: t, steps: spec.script(), in: make([]byte, 0, inputSize)}
	c.timed = slices.ContainsFunc(c.steps, func(s Step) bool { return s.Timed })
	for i := range spec.Batch {
		c.workers = append(c.workers, newWorker(spec, first+i))
	}
	return c
}

// round is one request of every worker and all the replies, over a blocking transport.
func (c *conn) round() error {
	if d, ok := c.transport.(direct); ok {
		return c.call(d)
	}
	if err := c.send(); err != nil {
		return err
	}
	return c.finish()
}

// finish reads all replies.
func (c *conn) finish() error {
	for {
		done, err := c.receive()
		if err != nil || done {
			return err
		}
	}
}

// call is a round without a transport: each worker in turn calls its command, and the time is that of one call.
func (c *conn) call(d direct) error {
	for i, w := range c.workers {
		c.next = i
		c.start()
		if err := c.reply(d.Call(w.request().args)); err != nil {
			return err
		}
	}
	return nil
}

// send writes one request of every worker, until the transport takes no more.
func (c *conn) send() error {
	c.out, c.next, c.sent = c.out[:0], 0, 0
	for _, w := range c.workers {
		c.out = append(c.out, w.request().bytes...)
	}
	c.start()
	return c.flush()
}

// start is called right before the first byte of a batch is sent. It reads the clock only if a step is timed, so that
// other runs do not pay for it.
func (c *conn) start() {
	if c.timed {
		c.since = time.Now()
	}
}

// flush writes more of the batch: all of it over a blocking transport, else what the socket has space for.
func (c *conn) flush() error {
	if !c.writing() {
		return nil
	}
	n, err := c.Write(c.out[c.sent:])
	c.sent += n
	return err
}

// writing reports whether the batch is not completely sent.
func (c *conn) writing() bool { return c.sent < len(c.out) }

// receive reads once and handles complete replies; done reports whether the batch is complete. The buffer doubles when
// an incomplete reply fills it.
func (c *conn) receive() (done bool, err error) {
	if len(c.in) == cap(c.in) {
		c.in = append(c.in, make([]byte, cap(c.in))...)[:len(c.in)]
	}
	n, err := c.Read(c.in[len(c.in):cap(c.in)])
	if err != nil {
		return false, err
	}
	if n == 0 {
		return false, errors.New("the server closed the connection")
	}
	return c.take(c.in[:len(c.in)+n])
}

// take consumes the complete replies in buf, which begins where c.in does, and moves the rest to the front of c.in.
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

// reply passes a reply to the next worker: replies come in the order of the requests, one for each worker and batch.
// The time of a timed step is that since the batch was sent.
func (c *conn) reply(answer []byte) error {
	if c.next == len(c.workers) {
		return fmt.Errorf("a reply without a request: %q", answer)
	}
	if c.copyTo != nil {
		*c.copyTo = bytes.Clone(answer)
	}
	w := c.workers[c.next]
	if c.steps[w.step].Timed {
		c.times.add(time.Since(c.since))
	}
	rejected, err := w.reply(c.steps, answer)
	c.next++
	c.ops++
	if rejected {
		c.rejected++
	}
	return err
}
