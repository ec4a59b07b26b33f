// Package workload is the list of workloads that servers are compared by.
package workload

import (
	"fmt"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// A Workload is what connections do, without the server and the duration.
type Workload struct {
	Name  string // of the table and of -workloads; ends in connections x commands per write
	Spec  load.Spec
	Short bool // part of a short run
	Chart bool // part of the chart
}

// RunsOn reports whether the workload supports a kind of connection: a direct call has neither pushed messages nor
// batches, and the fan-out's generator needs sockets.
func (w Workload) RunsOn(p load.Place) bool {
	switch {
	case w.Spec.Scenario == load.Fanout || w.Spec.GoClient:
		return !p.Inside()
	case w.Spec.Scenario == load.HandOver:
		return p.Network != load.Direct
	}
	return p.Network != load.Direct || w.Spec.Batch == 1
}

// A workload is a spec in one or more shapes. A connection with one command per write shows what a round trip costs,
// many of them what a busy server does, 16 commands per write the cost of commands without that of the network.

// shape is the number of connections, the number of commands in a write, and the sections of the workload.
type shape struct {
	conns, batch int
	part         part
}

// part is a set of the runs and outputs that a workload belongs to; all are part of a full run.
type part uint8

const (
	quick  part = 1 << iota // of a short run
	hasBar                  // of the chart
)

const (
	some     = 50  // connections, as many as redis-benchmark has by default
	many     = 500 // connections
	perWrite = 16  // commands per write
)

// All returns the workloads, in the order in which they run and are printed: those of locks first, since that is what
// the server is for.
func All() []Workload {
	var p plan
	p.add("own locks", load.Spec{Steps: lockSteps()}, shape{1, 1, 0}, shape{1, perWrite, 0},
		shape{some, 1, quick | hasBar}, shape{some, perWrite, quick | hasBar}, shape{many, 1, 0}, shape{many, perWrite, 0})
	p.add("4 shared locks", load.Spec{Steps: lockSteps(), SharedKeys: 4}, shape{some, 1, hasBar}, shape{some, perWrite, 0})
	p.add("fair lock, queue of 20", load.Spec{Opening: fairOpening(), Steps: fairSteps(), OwnKeys: 1},
		shape{some, 1, quick | hasBar}, shape{some, perWrite, 0})
	p.add("read-write lock, 10 readers", load.Spec{Steps: readWriteSteps(), OwnKeys: 1}, shape{some, 1, quick},
		shape{some, perWrite, 0})
	p.add("hand-over", load.Spec{Scenario: load.HandOver, Steps: lockSteps(), Listen: listenSteps(), SharedKeys: 1},
		shape{1, 1, quick})
	p.add("storm of tryLock", load.Spec{Steps: stormSteps(), SharedKeys: 1}, shape{some, 1, quick})
	p.addFanout(1, 0)
	p.addFanout(100, quick|hasBar)
	p.addFanout(1000, 0)
	p.add("SET+GET", load.Spec{Steps: stringSteps(32)}, shape{1, 1, 0}, shape{1, perWrite, 0}, shape{some, 1, hasBar},
		shape{some, perWrite, quick | hasBar}, shape{many, 1, 0}, shape{many, perWrite, 0})
	p.add("HINCRBY+PEXPIRE+PTTL", load.Spec{Steps: hashSteps()}, shape{some, 1, 0}, shape{some, perWrite, 0})
	p.add("LRANGE 100", load.Spec{Opening: listOpening(), Steps: listSteps(), OwnKeys: 1}, shape{some, 1, quick},
		shape{some, perWrite, 0})
	p.add("ZADD+ZRANGE", load.Spec{Steps: zsetSteps()}, shape{some, 1, 0}, shape{some, perWrite, 0})
	p.add("return 1", load.Spec{Steps: oneSteps()}, shape{some, 1, 0}, shape{some, perWrite, 0})
	p.add("slow scripts", load.Spec{Steps: slowSteps()}, shape{some, 1, 0})
	p.add("1 KB values", load.Spec{Steps: stringSteps(1 << 10)}, shape{some, 1, 0}, shape{some, perWrite, 0})
	p.add("1 MB values", load.Spec{Steps: stringSteps(1 << 20), OwnKeys: 1}, shape{1, 1, 0}, shape{some, 1, quick})
	p.add("own locks, Go client", load.Spec{Steps: lockSteps(), GoClient: true}, shape{some, 1, 0})
	p.add("SET+GET, Go client", load.Spec{Steps: stringSteps(32), GoClient: true}, shape{some, 1, 0})
	p.addGroups()
	return p.list
}

// plan is the list of workloads while it is made.
type plan struct {
	list []Workload
}

// add makes a workload of the spec in each of the shapes. The shape is part of the name.
func (p *plan) add(name string, spec load.Spec, shapes ...shape) {
	spec.Setup = setup()
	for _, s := range shapes {
		spec.Conns, spec.Batch = s.conns, s.batch
		p.list = append(p.list, Workload{
			Name: fmt.Sprintf("%s %dx%d", name, s.conns,
				s.batch), Spec: spec, Short: s.part&quick != 0, Chart: s.part&hasBar != 0,
		})
	}
}

// Fanout is PUBLISH to a number of subscribers, also for package growth.
func Fanout(subscribers int) Workload {
	var p plan
	p.addFanout(subscribers, quick)
	return p.list[0]
}

func (p *plan) addFanout(subscribers int, in part) {
	p.add(fmt.Sprintf("PUBLISH to %d", subscribers), load.Spec{
		Scenario: load.Fanout, Subscribers: subscribers, Steps: fanoutSteps(subscribers), Listen: fanoutListen(),
		SharedKeys: 1,
	}, shape{1, 1, in})
}

// addGroups adds a workload for each group of commands, so that a command that became slow is noticed in its group even
// if no other workload uses it.
func (p *plan) addGroups() {
	for _, g := range groups {
		p.add("group of "+g.name, load.Spec{Steps: lines(g.name, g.cycle), OwnKeys: 4}, shape{some, perWrite, 0})
	}
}

// OwnLocks is for the scaling with cores, and for package growth: acquire and release by so many connections, each on
// locks of its own, one command after the other.
func OwnLocks(conns int) Workload {
	var p plan
	p.add("own locks", load.Spec{Steps: lockSteps()}, shape{conns, 1, quick})
	return p.list[0]
}
