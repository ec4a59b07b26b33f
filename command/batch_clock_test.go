package command_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// countingClock counts how often it is read. It is stopped, so that no call is slow: the slow log reads it too.
type countingClock struct {
	commandtest.FixedClock
	looks int
}

func (c *countingClock) Now() time.Time {
	c.looks++
	return c.At
}

// The commands of a pipeline share readings of the clock: short ones a single one, and one that can be slow starts at
// the end of the command before.
func TestBatchClock_LooksOfABatch(t *testing.T) {
	for _, c := range []struct {
		line        string
		alone, many int // readings for one command, and for ten more of the batch
	}{
		{"GET a", 1, 0},
		{"LRANGE a 0 -1", 2, 10},
		{"PING", 1, 0},
	} {
		t.Run(c.line, func(t *testing.T) {
			base := &countingClock{FixedClock: commandtest.FixedClock{At: time.Now()}}
			env, _ := commandtest.NewEnvAt(t, base)
			client := commandtest.NewClient(t, env)
			client.Do("PING")
			serve := func(same bool) int {
				before := base.looks
				client.Session.ReuseTime(same)
				client.Do(c.line)
				return base.looks - before
			}
			require.Equal(t, c.alone, serve(false))
			sum := 0
			for range 10 {
				sum += serve(true)
			}
			require.Equal(t, c.many, sum)
			require.Equal(t, c.alone, serve(false))
		})
	}
}

// A command that is rejected or queued reads no clock: the next one of the pipeline does.
func TestBatchClock_AfterARejectedCommand(t *testing.T) {
	for _, line := range []string{"GET", "NOSUCH", "SUBSCRIBE", "MULTI"} {
		env, clock := commandtest.NewEnvAt(t, commandtest.FixedClock{At: time.Now()})
		c := commandtest.NewClient(t, env)
		for range 2 {
			c.Session.ReuseTime(false)
			c.Do(line)
			if line == "MULTI" {
				c.Session.ReuseTime(true)
				c.Do("DISCARD")
			}
			c.Session.ReuseTime(true)
			c.Do("SET k v PX 100000")
			require.Equal(t, strconv.FormatInt(clock.Now().Add(100*time.Second).UnixMilli(), 10), c.Do("PEXPIRETIME k"),
				line)
			clock.Advance(time.Hour)
		}
	}
}
