package load

import (
	"fmt"
	"time"
)

// handOver is the scenario of two clients that hold a lock in turns: one waits while the other holds it. An operation
// is the time from the release on the holder's connection to the end of the waiter's acquire.
type handOver struct {
	holder, waiter *lockClient
	done           int64
	elapsed        latencies
}

// lockClient is a client with one connection for commands and one for messages, as lock clients have.
type lockClient struct {
	hands, listenSteps *conn
}

// newHandOver opens both clients and makes the first one the holder.
func newHandOver(at site, spec *Spec) (scenario, error) {
	h := &handOver{}
	for i, p := range []**lockClient{&h.holder, &h.waiter} {
		one, err := newLockClient(at, spec, i)
		if err != nil {
			return nil, err
		}
		*p = one
	}
	return h, h.holder.hands.round()
}

// newLockClient opens the two connections of a client. The one for messages goes through Spec.Listen: subscribe,
// message, unsubscribe.
func newLockClient(at site, spec *Spec, number int) (*lockClient, error) {
	hands, err := at.open()
	if err != nil {
		return nil, err
	}
	listenSteps, err := at.open()
	if err != nil {
		return nil, err
	}
	listening := *spec
	listening.Opening, listening.Steps = nil, spec.Listen
	return &lockClient{hands: newConn(hands, spec, number), listenSteps: newConn(listenSteps, &listening, number)}, nil
}

// run swaps the two clients after each hand-over.
func (h *handOver) run(window time.Duration) error {
	for deadline := time.Now().Add(window); time.Now().Before(deadline); h.done++ {
		if err := h.once(); err != nil {
			return err
		}
		h.holder, h.waiter = h.waiter, h.holder
	}
	return nil
}

// once makes the waiter the holder. Only what follows the release is timed: the message to the waiter, and its acquire.
// The reply to the release itself is read afterwards, since a real holder does not delay the waiter by reading it.
func (h *handOver) once() error {
	if err := h.waiter.wait(); err != nil {
		return err
	}
	rejected := h.waiter.hands.rejected
	start := time.Now()
	if err := h.holder.hands.send(); err != nil {
		return err
	}
	if err := h.waiter.listenSteps.round(); err != nil {
		return err
	}
	if err := h.waiter.hands.round(); err != nil {
		return err
	}
	h.elapsed.add(time.Since(start))
	if h.waiter.hands.rejected > rejected {
		return fmt.Errorf("told that the lock is free, the waiter was refused")
	}
	if err := h.holder.hands.finish(); err != nil {
		return err
	}
	return h.waiter.listenSteps.round()
}

// wait does what a client does if the lock is taken: it subscribes, and tries once more, since the lock may have been
// released.
func (p *lockClient) wait() error {
	for _, c := range []*conn{p.hands, p.listenSteps, p.hands} {
		if err := c.round(); err != nil {
			return err
		}
	}
	return nil
}

func (h *handOver) count() Result { return Result{Ops: h.done} }

func (h *handOver) times() []*latencies { return []*latencies{&h.elapsed} }

func (h *handOver) close() {
	for _, p := range []*lockClient{h.holder, h.waiter} {
		_ = p.hands.Close()
		_ = p.listenSteps.Close()
	}
}
