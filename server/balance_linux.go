package server

import (
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// balance decides how many loops share the connections. A loop that keeps full while a core is idle gives half of what it has to
// another one. If not much more is served then, the clients need the cores themselves: all goes back to the first loop, since
// threads that compete for cores make everyone wait, and another attempt is made after a while only, or when services take far
// longer.
type balance struct {
	before float64   // services a second before the last loop was added; 0 when that has been judged
	from   sample    // when it was added
	rest   time.Time // when another may be, unless the load changes
	failed float64   // services a second before the one that did not pay
}

// sample is what the server and the machine have done up to a moment.
type sample struct {
	at     time.Time
	served uint64        // by all loops
	idle   time.Duration // of all cores
}

// A loop is full that has hardly rested for some rounds: once for so many services. There must have been that many in each
// round: where it is few that take long, another loop would not help.
const (
	fullRounds = 20
	fullShare  = 32
)

const (
	freeCore  = 0.3 // how many cores must be idle for another loop
	trialTime = fullRounds * watchPeriod
)

// worthwhile is how much more must be served with another loop, and how long to do without it if it is not. The longer a service
// takes, the less it matters that the threads get in each other's way.
func worthwhile(servicesPerSecond float64) (gain float64, pause time.Duration) {
	if servicesPerSecond < 50_000 {
		return 1.05, time.Second
	}
	return 1.2, 10 * time.Second
}

func takeSample(loops []*loop) sample {
	s := sample{at: clock.Real{}.Now()}
	for _, l := range loops {
		s.served += l.rounds.Load()
	}
	return s
}

// rate is the number of services a second since an earlier moment.
func (s sample) rate(before sample) float64 {
	return float64(s.served-before.served) / max(s.at.Sub(before.at).Seconds(), 1e-3)
}

// keepsFull counts the rounds without a rest, and reports whether there were enough.
func (s *loopSnapshot) keepsFull(last *loopSnapshot, loops []*loop) bool {
	served := s.rounds - last.rounds
	if served < fullShare || fullShare*(s.rests-last.rests) > served {
		return false
	}
	if last.full == 0 {
		s.full, s.since = 1, takeSample(loops)
		s.since.idle = idleTime()
		return false
	}
	s.full, s.since = last.full+1, last.since
	return s.full%fullRounds == 0
}

// add relieves a loop that has been full since a moment, if a core was idle.
func (b *balance) add(s *Server, full *loop, since sample, loops []*loop) {
	now := takeSample(loops)
	if b.before != 0 || now.at.Before(b.rest) && 2*now.rate(since) > b.failed {
		return
	}
	if idle := idleTime() - since.idle; idle.Seconds() < freeCore*now.at.Sub(since.at).Seconds() || !s.relieve(full) {
		return
	}
	b.before, b.from = now.rate(since), now
}

// judge ends the trial of a loop.
func (b *balance) judge(loops []*loop) {
	if b.before == 0 {
		return
	}
	now := takeSample(loops)
	if now.at.Sub(b.from.at) < trialTime {
		return
	}
	if gain, pause := worthwhile(b.before); now.rate(b.from) < gain*b.before {
		for _, l := range loops[1:] {
			l.handoff.Store(&handoff{target: loops[0], all: true})
		}
		b.rest, b.failed = now.at.Add(pause), b.before
	}
	b.before = 0
}
