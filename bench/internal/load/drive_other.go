//go:build !linux

package load

import (
	"errors"
	"net"
	"sync"
	"time"
)

func dial(addr string) (transport, error) { return net.Dial("tcp", addr) }

// drive keeps every connection busy for the window, then lets the batches under way end.
func drive(conns []*conn, window time.Duration) error {
	deadline := time.Now().Add(window)
	failures := make([]error, len(conns))
	var all sync.WaitGroup
	for i, c := range conns {
		all.Go(func() { failures[i] = c.run(deadline) })
	}
	all.Wait()
	return errors.Join(failures...)
}

// run sends batch after batch until the deadline.
func (c *conn) run(deadline time.Time) error {
	for time.Now().Before(deadline) {
		if err := c.send(); err != nil {
			return err
		}
		for done := false; !done; {
			var err error
			if done, err = c.receive(); err != nil {
				return err
			}
		}
	}
	return nil
}
