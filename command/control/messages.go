package control

import (
	"slices"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/faults"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/pubsub"
)

// message asks the rules about a message, and reports whether they drop or delay it.
func (f *Faults) message(m command.Message) (taken bool) {
	t := &faults.Target{Subject: fault.Messages, Client: client(m.Session), Now: f.env.Clock.Now(), Channel: m.Channel}
	hit, _, ok := f.Next(t)
	if !ok {
		return false
	}
	f.log(&hit, &t.Client, "channel", m.Channel)
	if hit.Action.Kind == fault.KindDelay {
		queue := &f.delayed[0]
		if hit.Action.RealTime {
			queue = &f.delayed[1]
		}
		queue.add(m, hit.Delay)
	}
	return true
}

// dropDelayed drops the messages that are not due yet.
func (f *Faults) dropDelayed() {
	for i := range f.delayed {
		f.delayed[i].drop()
	}
}

// delayedMessages are messages to be delivered later, in the order of the times at which they are due, and of those
// with the same time in the order in which they were published. One timer is set, for the first. It is safe for
// concurrent use.
type delayedMessages struct {
	registry *pubsub.Registry
	clock    clock.Clock

	mu    lockrank.Mutex[lockrank.DelayedMessages] // guards what follows; held while messages are delivered
	queue []delayedMessage
	timer clock.Timer // nil until it is first used
}

type delayedMessage struct {
	message command.Message
	due     time.Time
}

func (d *delayedMessages) init(registry *pubsub.Registry, clk clock.Clock) {
	d.registry, d.clock = registry, clk
}

// add adds a message that is due after a delay.
func (d *delayedMessages) add(m command.Message, delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	due := d.clock.Now().Add(delay)
	at, _ := slices.BinarySearchFunc(d.queue, due, func(other delayedMessage, due time.Time) int {
		if other.due.After(due) {
			return 1
		}
		return -1 // also for the same time: the new one comes behind
	})
	d.queue = slices.Insert(d.queue, at, delayedMessage{m, due})
	if at == 0 {
		d.setTimerLocked()
	}
}

// setTimerLocked sets the timer for the first message.
func (d *delayedMessages) setTimerLocked() {
	if len(d.queue) > 0 {
		d.timer = clock.At(d.clock, d.timer, d.queue[0].due, d.deliver)
	}
}

// deliver delivers the messages that are due. The timer calls it.
func (d *delayedMessages) deliver() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for now := d.clock.Now(); len(d.queue) > 0 && !now.Before(d.queue[0].due); d.queue = d.queue[1:] {
		m := &d.queue[0].message
		d.registry.Publish(nil, m.Kind, m.Channel, m.Payload)
	}
	d.setTimerLocked()
}

// drop drops all messages and stops the timer.
func (d *delayedMessages) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = nil
	if d.timer != nil {
		d.timer.Stop()
	}
}
