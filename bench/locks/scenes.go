package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/redisson"
	"github.com/minilockd/minilockd/bench/internal/report"
	"github.com/minilockd/minilockd/bench/internal/target"
)

// turn is one client's part of a round.
type turn struct {
	client string
	run    func() (load.Result, error)
}

// scenarios are run in this order.
var scenarios = []struct {
	name        string
	newScenario func(set settings, servers []target.Server) (table, error)
}{{"cycle", cycles}, {"handover", handOvers}, {"herd", manyWait}}

// Only ratios within a round compare well: a machine that others use too may be twice as fast a minute later.

// rounds runs the clients in turn on one server, in a random order in each round, so that after-effects of one, such as
// garbage, affect all others equally.
func rounds(t *table, server string, turns []turn) error {
	for round := range t.rounds {
		for _, i := range order(round, len(turns)) {
			one := turns[i]
			r, err := one.run()
			if err != nil {
				return fmt.Errorf("%s on %s: %w", one.client, server, err)
			}
			t.results.Add(server, one.client, r, nil)
		}
	}
	return nil
}

// order is a random order that is the same in each run. The first round has the order of the table.
func order(round, n int) []int {
	all := rand.New(rand.NewPCG(0, uint64(round))).Perm(n)
	if round == 0 {
		slices.Sort(all)
	}
	return all
}

// clientName is the key under which a client locks. Each has its own: the formats differ, and an unlock of one client
// would otherwise affect the next one.
func clientName(c client) string { return "bench:" + c.name }

// cycles is the table of the uncontended lock: each client has a lock of its own, and one goroutine.
func cycles(set settings, servers []target.Server) (table, error) {
	t := table{title: "Lock and unlock, uncontended", rounds: set.rounds, ratio: micros,
		columns: []column{
			{"µs", "%.1f", micros}, {"client CPU µs", "%.1f", load.Result.LoadMicros}, {"server CPU µs", "%.1f",
				load.Result.ServerMicros},
		},
		results: &report.Report{Reference: redisLock}}
	for _, s := range servers {
		if err := cyclesOn(s, set, &t); err != nil {
			return t, err
		}
	}
	return t, nil
}

// cyclesOn runs the cycles on one server. All clients stay connected, so that only one of them does anything at a time
// but none has to connect in its turn.
func cyclesOn(s target.Server, set settings, t *table) error {
	var turns []turn
	for _, c := range clients {
		newMutex, end := c.open(s.Place.Addr, nil)
		defer end()
		one := cycle{s.Place, newMutex(clientName(c))}
		if _, err := one.run(set.window); err != nil { // connects, and loads scripts
			return err
		}
		turns = append(turns, turn{c.name, func() (load.Result, error) { return one.run(set.window) }})
	}
	return rounds(t, s.Name, turns)
}

// handOverRounds and passes are the numbers of rounds, and of hand-overs of each client in a round. They are few, since
// a client that polls gets the lock at its next attempt only, tens of milliseconds after the unlock.
const (
	handOverRounds = 3
	passes         = 20
)

// handOvers is the table of hand-overs. With Java and Maven, Redisson is the reference.
func handOvers(_ settings, servers []target.Server) (t table, err error) {
	t = table{title: "Handing a lock over, from unlock to the end of the other's lock", rounds: handOverRounds,
		ratio: load.Result.P50,
		columns: []column{
			{"median µs", "%.0f", load.Result.P50}, {"worst µs", "%.0f", load.Result.P999}, {"client CPU µs", "%.0f",
				load.Result.LoadMicros},
			{"server CPU µs", "%.0f", load.Result.ServerMicros},
		},
		results: &report.Report{Reference: redisLock}}
	var java *redisson.Program
	if redisson.Installed() {
		if java, err = redisson.Start("HandOver.java"); err != nil {
			return t, err
		}
		defer func() { err = errors.Join(err, java.Close()) }()
		t.results.Reference = "Redisson"
	}
	for _, s := range servers {
		if err = handOversOn(s, java, &t); err != nil {
			return t, err
		}
	}
	return t, nil
}

// handOversOn runs the hand-overs on one server. The two ends have separate connections, as in two processes.
func handOversOn(s target.Server, java *redisson.Program, t *table) error {
	var turns []turn
	if java != nil {
		h := javaHandOver{s.Place, java}
		if err := h.prepare(); err != nil {
			return err
		}
		turns = append(turns, turn{"Redisson", func() (load.Result, error) { return h.run(holds(passes)) }})
	}
	for _, c := range clients {
		h := handOver{at: s.Place}
		for i := range h.ends {
			newMutex, end := c.open(s.Place.Addr, nil)
			defer end()
			h.ends[i] = newMutex(clientName(c))
		}
		turns = append(turns, turn{c.name, func() (load.Result, error) { return h.run(holds(passes)) }})
	}
	return rounds(t, s.Name, turns)
}

// manyWait is the table of many waiters, in a single round: each run has many turns already.
func manyWait(_ settings, servers []target.Server) (table, error) {
	t := table{title: "Many wait: what each turn costs", rounds: 1,
		columns: []column{
			{"turns", "%.0f", turnsOf}, {"commands", "%.2f", perOp}, {"µs", "%.0f", micros}, {"client CPU µs", "%.0f",
				load.Result.LoadMicros},
			{"server CPU µs", "%.0f", load.Result.ServerMicros},
		},
		results: &report.Report{}}
	for _, s := range servers {
		if err := rounds(&t, s.Name, waiterTurns(s)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// waiterTurns are the numbers of waiters for each client. Small ones are only for package lock, to show how it grows.
func waiterTurns(s target.Server) (turns []turn) {
	for _, size := range []struct{ clients, waiters int }{{1, 10}, {1, 100}, {1, 1000}, {10, 1000}} {
		for _, c := range clients {
			if c.name != lockMutex && size.waiters < 1000 {
				continue
			}
			h := &manyWaiters{at: s.Place, client: c, clients: size.clients, waiters: size.waiters}
			turns = append(turns, turn{fmt.Sprintf("%s, %d waiters in %d clients", c.name, size.waiters, size.clients), h.run})
		}
	}
	return turns
}

// write runs the selected scenarios, and writes a table of each.
func write(out io.Writer, set settings, servers []target.Server) error {
	for _, s := range scenarios {
		if !set.scenarios.MatchString(s.name) {
			continue
		}
		t, err := s.newScenario(set, servers)
		if err != nil {
			return err
		}
		if err := t.markdown(out); err != nil {
			return err
		}
	}
	return nil
}
