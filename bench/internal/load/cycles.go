package load

import "time"

// cycles is the scenario in which every worker repeats the steps independently. drive is one epoll loop for sockets of
// another process; a server inside, or a Go client, gets a goroutine for each connection.
type cycles struct {
	conns []*conn
	drive func(conns []*conn, window time.Duration) error
}

// newCycles opens all connections before any sends a command. Worker numbers go on from one connection to the next.
func newCycles(at site, spec *Spec) (scenario, error) {
	c := &cycles{drive: byGoroutines}
	for i := range spec.Conns {
		t, err := at.open()
		if err != nil {
			c.close()
			return nil, err
		}
		c.conns = append(c.conns, newConn(t, spec, i*spec.Batch))
	}
	if spec.Place.Inside() || spec.GoClient {
		return c, nil
	}
	return c, c.toEpoll()
}

func (c *cycles) run(window time.Duration) error { return c.drive(c.conns, window) }

func (c *cycles) count() (now Result) {
	for _, one := range c.conns {
		now.Ops += one.ops
		now.Rejected += one.rejected
	}
	return now
}

func (c *cycles) times() []*latencies {
	var all []*latencies
	for _, one := range c.conns {
		all = append(all, &one.times)
	}
	return all
}

func (c *cycles) close() {
	for _, one := range c.conns {
		_ = one.Close()
	}
}
