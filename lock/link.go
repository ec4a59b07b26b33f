package lock

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// subscriber is the part of a go-redis client that a link needs.
type subscriber interface {
	Subscribe(ctx context.Context, channels ...string) *redis.PubSub
	SSubscribe(ctx context.Context, channels ...string) *redis.PubSub
}

// link is a connection with subscriptions. One goroutine reads and another one writes; changes of subscriptions are
// collected while it writes, so that many of them take one command.
type link struct {
	h        *hub
	node     string // in a cluster with sharded channels, the address of the master
	rdb      subscriber
	sharded  bool
	mustSync []*channel    // guarded by hub.mu
	work     chan struct{} // capacity 1: there is something to write
	received atomic.Bool   // something was received since the last PING
	pingDue  atomic.Bool   // a PING is due
}

// Pauses after a failure, each twice the one before.
const (
	firstPause = 10 * time.Millisecond
	lastPause  = time.Second
)

// pingInterval is the interval of PINGs, which find out that a connection is dead.
const pingInterval = 30 * time.Second

// connectLocked finds a link for a channel. In a cluster that takes commands, so it runs in the background.
func (h *hub) connectLocked(ch *channel) {
	if h.c.routing.cluster == nil {
		h.attachLocked(ch, "", h.c.rdb, false)
		return
	}
	h.c.background(func() { h.locate(ch) })
}

// attachLocked adds a channel to the link to a node, which it makes if there is none.
func (h *hub) attachLocked(ch *channel, node string, rdb subscriber, sharded bool) {
	l := h.links[node]
	if l == nil {
		l = &link{h: h, node: node, rdb: rdb, sharded: sharded, work: make(chan struct{}, 1)}
		h.links[node] = l
		h.c.background(l.run)
	}
	ch.link = l
	ch.mustSyncLocked()
}

// locate finds the node of a channel, and retries until it succeeds.
func (h *hub) locate(ch *channel) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		node, rdb, sharded, err := h.nodeOf(ch.name)
		h.mu.Lock()
		wanted := ch.waiters.Len() > 0
		if !wanted {
			h.forgetLocked(ch)
		} else if err == nil {
			h.attachLocked(ch, node, rdb, sharded)
		}
		h.mu.Unlock()
		if err == nil || !wanted || h.c.sleep(h.c.ctx, pause) != nil {
			return
		}
	}
}

func (h *hub) nodeOf(channel string) (node string, rdb subscriber, sharded bool, err error) {
	cluster := h.c.routing.cluster
	if sharded, err = h.c.routing.sharded(h.c.ctx); err != nil || !sharded {
		return "", cluster, false, err
	}
	master, err := cluster.MasterForKey(h.c.ctx, channel)
	if err != nil {
		return "", nil, true, err
	}
	return master.Options().Addr, master, true, nil
}

// forgetLocked removes a channel, unless there is a newer one with its name.
func (h *hub) forgetLocked(ch *channel) {
	if h.channels[ch.name] == ch {
		delete(h.channels, ch.name)
	}
}

// signalWriter makes the writer check for changes.
func (l *link) signalWriter() {
	select {
	case l.work <- struct{}{}:
	default:
	}
}

// run reconnects the link until the client is closed or, in a cluster with sharded channels, until it breaks: then its
// channels locate their nodes again.
func (l *link) run() {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if l.serve() {
			pause = firstPause
		}
		if l.sharded {
			l.h.c.routing.cluster.ReloadState(l.h.c.ctx)
			pause = lastPause / 10
		}
		if l.h.c.sleep(l.h.c.ctx, pause) != nil {
			return
		}
		if l.h.disconnected(l); l.sharded {
			return
		}
	}
}

// serve runs one connection to its end and reports whether anything was received on it.
func (l *link) serve() (useful bool) {
	ctx, end := l.h.c.holding(l.h.c.ctx)
	defer end()
	hold := holdOf(ctx)
	ps := l.rdb.Subscribe(l.h.c.ctx) // no connection yet
	stop := context.AfterFunc(l.h.c.ctx, func() { _ = ps.Close() })
	defer stop()
	done := make(chan struct{})
	written := make(chan struct{})
	go func() {
		defer close(written)
		l.write(ps, hold, done)
	}()
	l.received.Store(true)
	l.signalWriter()
	useful = l.read(ps, hold)
	_ = ps.Close()
	close(done)
	<-written
	return useful
}

// read delivers messages until the connection breaks.
func (l *link) read(ps *redis.PubSub, hold *clockHold) (useful bool) {
	for {
		v, err := ps.Receive(l.h.c.ctx)
		switch {
		case err == nil:
			useful = true
			l.received.Store(true)
			if _, ok := v.(*redis.Pong); ok {
				hold.rest()
			}
			l.deliver(v)
		case isReply(err) && !l.sharded:
			l.h.subscribeFailed(l, err)
		default:
			return useful
		}
	}
}

func (l *link) deliver(v any) {
	switch m := v.(type) {
	case *redis.Message:
		l.h.message(m.Channel, m.Payload)
	case *redis.Subscription:
		switch m.Kind {
		case "subscribe", "ssubscribe":
			l.h.subscribed(m.Channel)
		case "sunsubscribe":
			l.h.unsubscribed(l, m.Channel)
		}
	}
}

// write subscribes and unsubscribes until done is closed. It holds the clock from a PING to its reply: otherwise the
// next PING would be due before the reply when a test advances the clock.
func (l *link) write(ps *redis.PubSub, hold *clockHold, done <-chan struct{}) {
	timer := l.h.c.clock.AfterFunc(pingInterval, func() {
		hold.begin()
		l.pingDue.Store(true)
		l.signalWriter()
	})
	defer timer.Stop()
	for {
		select {
		case <-done:
			return
		case <-l.work:
		}
		if l.pingDue.Swap(false) {
			timer.Reset(pingInterval)
			l.ping(ps)
		}
		l.update(ps)
	}
}

// ping sends a PING, and closes the connection if nothing was received since the last one.
func (l *link) ping(ps *redis.PubSub) {
	if !l.received.Swap(false) || ps.Ping(l.h.c.ctx) != nil {
		_ = ps.Close()
	}
}

// update sends the changes of subscriptions.
func (l *link) update(ps *redis.PubSub) {
	subscribe, unsubscribe := l.h.changes(l)
	on, off := ps.Subscribe, ps.Unsubscribe
	if l.sharded {
		on, off = ps.SSubscribe, ps.SUnsubscribe
	}
	if l.send(off, unsubscribe) != nil || l.send(on, subscribe) != nil {
		_ = ps.Close() // the reader notices, and run reconnects
	}
}

// send sends a command with all channels, or one for each if they may be in several slots.
func (l *link) send(command func(context.Context, ...string) error, channels []string) error {
	size := max(len(channels), 1)
	if l.sharded {
		size = 1
	}
	for part := range slices.Chunk(channels, size) {
		if err := command(l.h.c.ctx, part...); err != nil {
			return err
		}
	}
	return nil
}

// changes returns the channels that a link has to subscribe to and unsubscribe from.
func (h *hub) changes(l *link) (subscribe, unsubscribe []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ch := range l.mustSync {
		ch.mustSync = false
		switch wanted := ch.waiters.Len() > 0; {
		case wanted && !ch.sent:
			ch.sent = true
			subscribe = append(subscribe, ch.name)
		case !wanted:
			if ch.sent {
				unsubscribe = append(unsubscribe, ch.name)
			}
			h.forgetLocked(ch)
		}
	}
	clear(l.mustSync)
	l.mustSync = l.mustSync[:0]
	return subscribe, unsubscribe
}

// disconnected marks all channels of a link as not subscribed. It removes a link to one of several masters.
func (h *hub) disconnected(l *link) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l.sharded {
		delete(h.links, l.node)
	}
	for _, ch := range h.channels {
		if ch.link == l {
			h.restartLocked(ch)
		}
	}
}

// restartLocked subscribes to a channel again, on the node that now has its slot.
func (h *hub) restartLocked(ch *channel) {
	ch.sent, ch.ready = false, false
	if !ch.link.sharded {
		ch.mustSyncLocked()
		return
	}
	ch.link, ch.mustSync = nil, false
	if ch.waiters.Len() == 0 {
		h.forgetLocked(ch)
		return
	}
	h.connectLocked(ch)
}

// unsubscribed handles the end of a subscription. Unless the client has sent UNSUBSCRIBE, the slot has moved.
func (h *hub) unsubscribed(l *link, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ch := h.channels[name]; ch != nil && ch.link == l && ch.ready {
		h.restartLocked(ch)
	}
}

// subscribeFailed ends the waits on channels that the client may not subscribe to (ACL).
func (h *hub) subscribeFailed(l *link, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ch := range h.channels {
		if ch.link != l || ch.ready {
			continue
		}
		for e := ch.waiters.Front(); e != nil; e = e.Next() {
			w := e.Value.(*waiter)
			w.err = err
			w.signal()
		}
	}
}
