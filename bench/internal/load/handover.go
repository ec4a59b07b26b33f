package load

import (
	"fmt"
	"time"
)

// handOver is the scene of two clients that hold a lock in turns: one waits while the other has it. An operation is
// what the waiter feels: the time from the release in the holder's connection to the end of its own acquire.
type handOver struct {
	holder, waiter *player
	done           int64
	took           stopwatch
}

// player is a client: one connection for commands and one to listen, as lock clients have them.
type player struct {
	hands, ears *conn
}

func newHandOver(at site, spec *Spec) (scene, error) {
	h := &handOver{}
	for i, p := range []**player{&h.holder, &h.waiter} {
		one, err := newPlayer(at, spec, i)
		if err != nil {
			return nil, err
		}
		*p = one
	}
	return h, h.holder.hands.round()
}

func newPlayer(at site, spec *Spec, number int) (*player, error) {
	hands, err := at.open()
	if err != nil {
		return nil, err
	}
	ears, err := at.open()
	if err != nil {
		return nil, err
	}
	listening := *spec
	listening.Opening, listening.Steps = nil, spec.Ears
	return &player{hands: newConn(hands, spec, number), ears: newConn(ears, &listening, number)}, nil
}

func (h *handOver) play(window time.Duration) error {
	for deadline := time.Now().Add(window); time.Now().Before(deadline); h.done++ {
		if err := h.once(); err != nil {
			return err
		}
		h.holder, h.waiter = h.waiter, h.holder
	}
	return nil
}

// once makes the waiter the holder.
func (h *handOver) once() error {
	if err := h.waiter.wait(); err != nil {
		return err
	}
	refused := h.waiter.hands.refused
	start := time.Now()
	if err := h.holder.hands.send(); err != nil {
		return err
	}
	if err := h.waiter.ears.round(); err != nil {
		return err
	}
	if err := h.waiter.hands.round(); err != nil {
		return err
	}
	h.took.add(time.Since(start))
	if h.waiter.hands.refused > refused {
		return fmt.Errorf("told that the lock is free, the waiter was refused")
	}
	if err := h.holder.hands.finish(); err != nil {
		return err
	}
	return h.waiter.ears.round()
}

// wait is what a client does that finds the lock taken: it listens, and tries once more as it may have been released
// since.
func (p *player) wait() error {
	for _, c := range []*conn{p.hands, p.ears, p.hands} {
		if err := c.round(); err != nil {
			return err
		}
	}
	return nil
}

func (h *handOver) count() Result { return Result{Ops: h.done} }

func (h *handOver) times() []*stopwatch { return []*stopwatch{&h.took} }

func (h *handOver) close() {
	for _, p := range []*player{h.holder, h.waiter} {
		_ = p.hands.Close()
		_ = p.ears.Close()
	}
}
