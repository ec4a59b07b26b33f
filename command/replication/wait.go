package replication

import (
	"errors"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

var (
	errWaitReplica = errors.New("ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 " +
		"if a replica is configured to be writable (which is not the default) writes to replicas are just local and are " +
		"not propagated.")
	errWaitAOFReplica = errors.New("ERR WAITAOF cannot be used with replica instances. Please also note that writes to " +
		"replicas are just local and are not propagated.")
	errNoAOF = errors.New("ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.")
)

// wait waits until so many replicas have applied what the connection has written, or until the timeout in ms has
// passed; 0 is none: WAIT numreplicas timeout. The reply is how many have.
func wait(c *command.Call) resp.Value {
	if NodeOf(c.Env()).current() != nil {
		return c.Fail(errWaitReplica)
	}
	want, err := c.Int(1)
	if err != nil {
		return c.Fail(err)
	}
	timeout, err := c.Milliseconds(2)
	if err != nil {
		return c.Fail(err)
	}
	return awaitAcks(c, want, timeout, func(n int64) resp.Value { return resp.Int(n) })
}

// waitAOF is WAIT for append-only files: WAITAOF numlocal numreplicas timeout. There are none, so only a call with
// numlocal 0 succeeds (WAITAOF command page).
func waitAOF(c *command.Call) resp.Value {
	local, err := c.IntBetween(1, 0, 1, nil)
	if err != nil {
		return c.Fail(err)
	}
	replicas, err := c.Int(2)
	switch {
	case err != nil:
		return c.Fail(err)
	case replicas < 0:
		return c.Fail(command.ErrNotPositive)
	}
	timeout, err := c.Milliseconds(3)
	switch {
	case err != nil:
		return c.Fail(err)
	case NodeOf(c.Env()).current() != nil:
		return c.Fail(errWaitAOFReplica)
	case local > 0:
		return c.Fail(errNoAOF)
	}
	return awaitAcks(c, replicas, timeout, func(int64) resp.Value { return resp.Array(resp.Zero, resp.Zero) })
}

// awaitAcks blocks the client until enough replicas have confirmed all that the history has now.
func awaitAcks(c *command.Call, want int64, timeout time.Duration, reply func(n int64) resp.Value) resp.Value {
	h := &NodeOf(c.Env()).history
	offset, n := h.ackedBy()
	if n >= want || c.Nested() {
		return reply(n)
	}
	env := c.Env()
	return c.Background(func() resp.Value { return reply(h.await(env, offset, want, timeout)) })
}

// ackedBy returns the last byte of the history, and how many replicas have confirmed it.
func (h *history) ackedBy() (offset, n int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.offset, h.countAckedLocked(h.offset)
}

func (h *history) countAckedLocked(offset int64) (n int64) {
	for _, r := range h.replicas {
		if r.acked >= offset {
			n++
		}
	}
	return n
}

// await waits until so many replicas have confirmed a byte, and returns how many have in the end.
func (h *history) await(env *command.Env, offset, want int64, timeout time.Duration) int64 {
	expired, stop := h.expiry(timeout)
	defer stop()
	h.askForAcks()
	for {
		n, changed := h.watchAcks(offset)
		if n >= want {
			return n
		}
		select {
		case <-changed:
		case <-expired:
			return n
		case <-env.Stopped():
			return n
		}
	}
}

// expiry returns a channel that is closed when a timeout has passed, never if that is 0. stop ends its timer.
func (h *history) expiry(timeout time.Duration) (expired <-chan struct{}, stop func()) {
	passed := make(chan struct{})
	if timeout <= 0 {
		return passed, func() {}
	}
	return passed, h.env.Clock.AfterFunc(timeout, func() { close(passed) }).Stop
}

// askForAcks makes the replicas confirm what they have applied.
func (h *history) askForAcks() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.replicas) > 0 {
		h.appendLocked(askForAck)
	}
}

// watchAcks returns how many replicas have confirmed a byte, and a channel that is closed when that may have changed.
func (h *history) watchAcks(offset int64) (n int64, changed <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.acks == nil {
		h.acks = make(chan struct{})
	}
	return h.countAckedLocked(offset), h.acks
}

func (h *history) acksChangedLocked() {
	if h.acks != nil {
		close(h.acks)
		h.acks = nil
	}
}
