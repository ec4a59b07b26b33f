package load

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// fanout is the scenario of one publisher, whose batch ends when every subscriber has all its messages. An operation is
// one published message.
type fanout struct {
	poll        poll
	publisher   *conn
	subscribers []socket
	batch       int // bytes of a batch that all subscribers get
	events      []unix.EpollEvent
	buffer      []byte
	elapsed     latencies
}

// newFanout subscribes over ordinary connections, then moves their sockets to one epoll descriptor. All subscribers get
// the same bytes, so it is enough to count them.
func newFanout(at site, spec *Spec) (scenario, error) {
	t, err := at.open()
	if err != nil {
		return nil, err
	}
	f := &fanout{publisher: newConn(t, spec, 0), buffer: make([]byte, 64<<10), events: make([]unix.EpollEvent, 128)}
	message, _ := encode([]string{"message", spec.Steps[0].Args[1], spec.Steps[0].Args[2]})
	f.batch = len(message) * spec.Batch * spec.Subscribers
	for range spec.Subscribers {
		if err := f.subscribe(at, spec); err != nil {
			return nil, err
		}
	}
	return f, f.watchAll()
}

func (f *fanout) subscribe(at site, spec *Spec) error {
	t, err := at.open()
	if err != nil {
		return err
	}
	if err := newConn(t, &Spec{Steps: spec.Listen[:1], Batch: 1}, 0).round(); err != nil {
		return err
	}
	s, err := rawSocket(t)
	f.subscribers = append(f.subscribers, s)
	return err
}

// watchAll makes one epoll descriptor report replies and messages: it registers the subscribers with their index, and
// the publisher with the next number.
func (f *fanout) watchAll() (err error) {
	if f.poll, err = newPoll(); err != nil {
		return err
	}
	raw, err := rawSocket(f.publisher.transport)
	if err != nil {
		return err
	}
	f.publisher.transport = raw
	for i, s := range append(f.subscribers, raw) {
		err = errors.Join(err, f.poll.watch(unix.EPOLL_CTL_ADD, s, i, false))
	}
	return err
}

func (f *fanout) run(window time.Duration) error {
	for deadline := time.Now().Add(window); time.Now().Before(deadline); {
		start := time.Now()
		if err := f.once(); err != nil {
			return err
		}
		f.elapsed.add(time.Since(start))
	}
	return nil
}

// once runs one batch: PUBLISH by every worker of the publisher, until its replies and all messages are read.
func (f *fanout) once() error {
	if err := f.publisher.send(); err != nil {
		return err
	}
	left, hasReply := f.batch, false
	for left > 0 || !hasReply {
		ready, err := f.poll.wait(f.events)
		if err != nil {
			return err
		}
		for _, event := range ready {
			if int(event.Fd) == len(f.subscribers) {
				hasReply, err = f.publisher.receive()
			} else {
				left, err = f.receiveFrom(int(event.Fd), left)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// receiveFrom reads once from a subscriber, which may get several messages at a time or a part of one, and returns the
// number of bytes that all are still to get.
func (f *fanout) receiveFrom(i, left int) (int, error) {
	n, err := f.subscribers[i].Read(f.buffer)
	if err == nil && (n == 0 || n > left) {
		err = errors.New("a subscriber was cut off or got what was not published")
	}
	return left - n, err
}

func (f *fanout) count() Result { return Result{Ops: f.publisher.ops} }

func (f *fanout) times() []*latencies { return []*latencies{&f.elapsed} }

func (f *fanout) close() {
	f.poll.close()
	_ = f.publisher.Close()
	for _, s := range f.subscribers {
		_ = s.Close()
	}
}
