package load

import "time"

// cycles is the scene in which every worker goes through the steps on its own.
type cycles struct {
	conns []*conn
	drive func(conns []*conn, window time.Duration) error
}

func newCycles(at site, spec *Spec) (scene, error) {
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

func (c *cycles) play(window time.Duration) error { return c.drive(c.conns, window) }

func (c *cycles) count() (now Result) {
	for _, one := range c.conns {
		now.Ops += one.ops
		now.Refused += one.refused
	}
	return now
}

func (c *cycles) times() []*stopwatch {
	var all []*stopwatch
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
