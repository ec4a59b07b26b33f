package control

import (
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockview"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Locks is how a server sees its locks: by their keys, and with history on, by what has happened to them.
type Locks struct {
	env     *command.Env
	enable  func(on bool)
	tracker atomic.Pointer[lockview.Tracker] // nil while history is off

	watchers sync.Map // *watcher -> nothing
}

// DefaultHistory is how many events the history keeps if nothing else is said.
const DefaultHistory = 10_000

// Start turns the history on, with room for count events, or turns it on anew. The transaction must hold all shards.
func (l *Locks) Start(tx *store.Tx, count int) {
	t := lockview.NewTracker(count)
	t.Prime(tx)
	l.use(t)
}

// use turns the history on with a tracker that nothing else uses yet.
func (l *Locks) use(t *lockview.Tracker) {
	t.Emit, t.Subscribers = l.emit, l.subscribers
	l.tracker.Store(t)
	l.enable(true)
}

// Stop turns the history off, and forgets it.
func (l *Locks) Stop() {
	l.enable(false)
	l.tracker.Store(nil)
}

// conn is a session as a lockview.Conn.
type conn struct{ *command.Session }

// Describe implements lockview.Conn.
func (c conn) Describe() locks.Client {
	return locks.Client{ID: c.ID, Name: c.Name(), Addr: c.Addr, Library: c.Library()}
}

// subscription is a connection that subscribes to a channel, as a lockview.Conn.
type subscription struct {
	conn
	id int64
}

// subscribers returns the subscriptions to a channel, the oldest first.
func (l *Locks) subscribers(channel string) (list []lockview.Conn) {
	for _, to := range l.env.PubSub.To(pubsub.Channel, channel) {
		if s, ok := to.Owner.(*command.Session); ok {
			list = append(list, subscription{conn{s}, to.ID})
		}
	}
	return list
}

// before learns from a call, before it runs.
func (l *Locks) before(c *command.Call) {
	if t := l.tracker.Load(); t != nil && c.Cmd.Script != nil {
		keys, _ := keysAndArgs(c.Args)
		t.Keys(c.Tx.DB(), keys)
	}
}

// after learns from a call that has changed nothing: it may have failed to take a lock. Then the reply says how long
// the lease still is; of a fenced lock it is an array that begins so. It is 0 or null if a release or a renewal fails.
func (l *Locks) after(c *command.Call, reply resp.Value, changed bool) {
	t := l.tracker.Load()
	if t == nil || changed || c.Cmd.Script == nil {
		return
	}
	if elems := reply.Elems(); len(elems) > 0 {
		reply = elems[0]
	}
	if reply.Int() != 0 {
		keys, args := keysAndArgs(c.Args)
		t.Attempt(c.Tx.Time(), c.Tx.DB(), keys, args)
	}
}

// keysAndArgs splits the arguments of a call that runs a script: EVAL script numkeys key … arg …. It returns none if
// they are invalid.
func keysAndArgs(args [][]byte) (keys, rest [][]byte) {
	const numkeys = 2
	if len(args) <= numkeys {
		return nil, nil
	}
	n, err := command.ParseInt(args[numkeys])
	if err != nil || n < 0 || n > int64(len(args)-numkeys-1) {
		return nil, nil
	}
	keys = args[numkeys+1:]
	return keys[:n], keys[n:]
}

// stringCall is what a call that stores a string means for locks. The zero value stands for other calls.
type stringCall struct {
	takesLock bool // SET with NX and an expiry
	stores    bool // whether or not the key exists, as no lock is taken; SET XX or IFEQ may extend one
}

// stringCallOf looks at the options of a call.
func stringCallOf(c *command.Call) stringCall {
	if c.Cmd == nil {
		return stringCall{}
	}
	switch c.Cmd.Name {
	case "setex", "psetex", "getset":
		return stringCall{stores: true}
	case "set":
		var absent, present, expires bool
		for i := 3; i < c.Len(); i++ {
			absent = absent || c.Is(i, "nx")
			present = present || c.Is(i, "xx") || c.Is(i, "ifeq") || c.Is(i, "ifdeq")
			expires = expires || c.Is(i, "px") || c.Is(i, "ex") || c.Is(i, "pxat") || c.Is(i, "exat")
		}
		return stringCall{takesLock: absent && expires, stores: !absent && !present}
	}
	return stringCall{}
}

// committed passes the changes of a transaction to the tracker.
func (l *Locks) committed(tx *store.Tx, changes []command.KeyChange) {
	t := l.tracker.Load()
	if t == nil {
		return
	}
	by := lockview.Call{}
	if s, ok := tx.Owner.(*command.Session); ok {
		c := s.Called()
		call := stringCallOf(c)
		by = lockview.Call{Conn: conn{s}, Args: c.AllArgs(), Stores: call.stores}
		if call.takesLock {
			t.Set(tx.DB(), c.Arg(1))
		}
	}
	for _, c := range changes {
		if c.All {
			t.AllChanged(tx, by)
		} else {
			t.Changed(tx, c.DB, c.Key, by)
		}
	}
}

// emit sends an event to those who watch: clients by LOCK.WATCH, and the functions of a Go test.
func (l *Locks) emit(e *locks.Event) {
	if l.env.PubSub.Any() {
		l.publish(e)
	}
	l.watchers.Range(func(w, _ any) bool {
		w.(*watcher).put(*e)
		return true
	})
}

// publish sends an event to those who subscribe to its channel.
func (l *Locks) publish(e *locks.Event) {
	channel := watchChannel(strconv.Itoa(e.DB), e.Lock)
	if l.env.PubSub.Receivers(pubsub.Channel, channel) == 0 {
		return
	}
	if text, err := json.Marshal(e); err == nil {
		l.env.PubSub.Publish(nil, pubsub.Channel, channel, string(text))
	}
}

// watchChannel is the channel to which the events of a lock are published; its name is in the form of the channels of
// keyspace events.
func watchChannel(db, name string) string { return "__lock@" + db + "__:" + name }
