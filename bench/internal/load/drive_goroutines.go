package load

import (
	"cmp"
	"sync"
	"time"
)

// byGoroutines keeps every connection busy for the window, each from a goroutine, then completes the current batches.
func byGoroutines(conns []*conn, window time.Duration) error {
	deadline := time.Now().Add(window)
	failures := make([]error, len(conns))
	var all sync.WaitGroup
	for i, c := range conns {
		all.Go(func() { failures[i] = c.run(deadline) })
	}
	all.Wait()
	return cmp.Or(failures...) // the first that is not nil
}

// run runs rounds until the deadline. It reads the clock only every few rounds: a direct call may take less time than
// that.
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
