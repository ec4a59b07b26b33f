package load

import (
	"cmp"
	"sync"
	"time"
)

// byGoroutines keeps every connection busy for the window, each from a goroutine, then lets the batches under way end.
func byGoroutines(conns []*conn, window time.Duration) error {
	deadline := time.Now().Add(window)
	failures := make([]error, len(conns))
	var all sync.WaitGroup
	for i, c := range conns {
		all.Go(func() { failures[i] = c.run(deadline) })
	}
	all.Wait()
	return cmp.Or(failures...) // one tells it all
}

// run plays round after round until the deadline. It looks at the clock every few rounds: a direct call may take less.
func (c *conn) run(deadline time.Time) error {
	const between = 8
	for {
		for range between {
			if err := c.round(); err != nil {
				return err
			}
		}
		if !time.Now().Before(deadline) {
			return nil
		}
	}
}
