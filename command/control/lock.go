package control

// LOCK.* shows the locks that clients hold: package locks has the kinds. What a lock's keys tell is there always; since
// when, by which connection, who waits for a lock without a queue, and the history need LOCK.TRACK ON.

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockview"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/pubsub"
)

// lockFlags keep the commands available when faults or CLIENT PAUSE stop others.
const lockFlags = command.ReadOnly | command.Control | command.Loading | command.Stale | command.NoScript

var lockCommands = []command.Command{
	{Name: "lock.list", Usage: "[pattern [ALLDBS]]", Arity: -1, Flags: lockFlags, Keys: command.Whole, Since: since,
		Summary: "Lists the locks of one database, or of all: holders, leases, waiters.", Run: lockList},
	{Name: "lock.info", Usage: "name", Arity: 2, Flags: lockFlags, Keys: command.OneKey, Access: "RO access", Since: since,
		Summary: "Shows one lock: its holders, lease and waiters.", Run: lockInfo},
	{Name: "lock.waiters", Usage: "name", Arity: 2, Flags: lockFlags, Keys: command.OneKey, Access: "RO access",
		Since: since, Summary: "Lists who waits for a lock.", Run: lockWaiters},
	{Name: "lock.held", Usage: "[pattern [ALLDBS]]", Arity: -1, Flags: lockFlags, Keys: command.Whole, Since: since,
		Summary: "Lists the locks that are held: none should be at the end of a test.", Run: lockHeld},
	{Name: "lock.deadlocks", Arity: 1, Flags: lockFlags, Keys: command.Whole, Since: since,
		Summary: "Lists the cycles of owners that wait for each other.", Run: lockDeadlocks},
	{Name: "lock.history", Usage: "name [COUNT count]", Arity: -2, Flags: lockFlags, Keys: command.OneKey,
		Access: "RO access", Since: since,
		Summary: "Lists what has happened to a lock, the oldest event first.", Run: lockHistory},
	{Name: "lock.track", Usage: "<ON [COUNT count] | OFF>", Arity: -2, Flags: lockFlags&^command.ReadOnly | command.Admin,
		Keys: command.Whole, Since: since,
		Summary: "Turns the history of locks on or off, and with it what only the server's calls tell of them.",
		Run:     lockTrack},
	{Name: "lock.watch", Usage: "[pattern [pattern ...]]", Arity: -1, Since: since,
		Flags:   lockFlags&^command.ReadOnly | command.PubSub | command.InSubscribed,
		Summary: "Subscribes to the events of locks.", Run: lockWatch},
}

// The errors of LOCK.*.
var (
	errNoHistory = errors.New("ERR lock history is off; LOCK.TRACK ON turns it on")
	errCount     = errors.New("ERR COUNT must be between 1 and 10000000")
)

// which are the locks that LOCK.LIST and LOCK.HELD show.
type which struct {
	pattern string // as of KEYS, "*" without one
	allDBs  bool   // else those of the selected database
}

// whichOf reads [pattern [ALLDBS]].
func whichOf(c *command.Call) (w which, err error) {
	w.pattern = "*"
	switch {
	case c.Len() > 3 || c.Len() == 3 && !c.Is(2, "alldbs"):
		return w, command.ErrSyntax
	case c.Len() > 1:
		w.pattern = string(c.Arg(1))
	}
	w.allDBs = c.Len() == 3
	return w, nil
}

// lockList implements LOCK.LIST [pattern [ALLDBS]]: a map for each lock, sorted by database and name.
func lockList(c *command.Call) resp.Value {
	return listThose(c, func(*locks.Lock) bool { return true })
}

// listThose replies with the locks that a function selects, of all databases with the number of each. Each lock is
// encoded at once, so that a long list needs little memory beside its reply.
func listThose(c *command.Call, wanted func(*locks.Lock) bool) resp.Value {
	w, err := whichOf(c)
	if err != nil {
		return c.Fail(err)
	}
	var list []resp.Value
	var memory valueMemory
	add := func(l *locks.Lock) {
		if !wanted(l) {
			return
		}
		f := lockFields(&memory, l)
		if w.allDBs {
			f.number("db", int64(l.DB))
		}
		list = append(list, memory.encoded(f.value(), c.Session.Proto()))
	}
	if w.allDBs {
		hooksOf(c).Locks.eachOfAll(c.Tx, w.pattern, add)
	} else {
		hooksOf(c).Locks.each(c.Tx, w.pattern, add)
	}
	return resp.Array(list...)
}

// lockInfo implements LOCK.INFO name, with null if there is no such lock.
func lockInfo(c *command.Call) resp.Value {
	l, ok := hooksOf(c).Locks.get(c.Tx, string(c.Key(1)))
	if !ok {
		return resp.Null
	}
	return lockValue(new(valueMemory), &l)
}

// lockWaiters implements LOCK.WAITERS name.
func lockWaiters(c *command.Call) resp.Value {
	l, _ := hooksOf(c).Locks.get(c.Tx, string(c.Key(1)))
	return arrayOf(new(valueMemory), l.Waiters, waiterValue)
}

// lockHeld implements LOCK.HELD [pattern [ALLDBS]]: the elements of LOCK.LIST that have holders.
func lockHeld(c *command.Call) resp.Value {
	return listThose(c, (*locks.Lock).Held)
}

// lockDeadlocks implements LOCK.DEADLOCKS: an array of the members of each cycle, over all databases.
func lockDeadlocks(c *command.Call) resp.Value {
	cycles := lockview.Deadlocks(hooksOf(c).Locks.all(c.Tx, "*"))
	return arrayOf(new(valueMemory), cycles, func(m *valueMemory, d *locks.Deadlock) resp.Value {
		return arrayOf(m, *d, waitValue)
	})
}

// lockHistory implements LOCK.HISTORY name [COUNT count]. With a count these are the last events.
func lockHistory(c *command.Call) resp.Value {
	count, err := countOption(c, 2, math.MaxInt32, locks.MaxHistory, errCount)
	if err != nil {
		return c.Fail(err)
	}
	t := hooksOf(c).Locks.tracker.Load()
	if t == nil {
		return c.Fail(errNoHistory)
	}
	return arrayOf(new(valueMemory), t.Events(c.Tx.DB(), string(c.Arg(1)), count), eventValue)
}

// lockTrack implements LOCK.TRACK ON [COUNT count] | OFF. ON leaves a history that is on, unless there is a count.
func lockTrack(c *command.Call) resp.Value {
	switch {
	case c.Is(1, "off") && c.Len() == 2:
		hooksOf(c).Locks.Stop()
		return resp.OK
	case !c.Is(1, "on"):
		return c.Fail(command.ErrSyntax)
	case c.Len() == 2 && hooksOf(c).Locks.Tracked():
		return resp.OK
	}
	count, err := countOption(c, 2, DefaultHistory, locks.MaxHistory, errCount)
	if err == nil {
		hooksOf(c).Locks.Start(c.Tx, count)
	}
	return c.OKOr(err)
}

// countOption reads COUNT count, which may be the last arguments, from i on. outOfRange is the error of a count that is
// not between 1 and most.
func countOption(c *command.Call, i, otherwise int, most int64, outOfRange error) (int, error) {
	switch {
	case c.Len() == i:
		return otherwise, nil
	case c.Len() != i+2 || !c.Is(i, "count"):
		return 0, command.ErrSyntax
	}
	n, err := c.IntBetween(i+1, 1, most, outOfRange)
	return int(n), err
}

// lockWatch implements LOCK.WATCH [pattern …]: PSUBSCRIBE to the channels of the events, of all locks without a
// pattern. PUNSUBSCRIBE with the names in the replies ends it.
func lockWatch(c *command.Call) resp.Value {
	if hooksOf(c).Locks.tracker.Load() == nil {
		return c.Fail(errNoHistory)
	}
	patterns := command.Strings(c.Rest(1))
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	for i, p := range patterns {
		patterns[i] = watchChannel("*", p)
	}
	if err := c.PermitPatterns(patterns); err != nil {
		return c.Fail(err)
	}
	var replies []resp.Value
	c.Session.Subscribe(pubsub.Pattern, patterns, func(name string, count int) {
		replies = append(replies, resp.Push(resp.BulkString("psubscribe"), resp.BulkString(name), resp.Int(int64(count))))
	})
	return resp.Series(replies...)
}
