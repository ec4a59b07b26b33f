package control

import (
	"fmt"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/textdump"
	"github.com/minilockd/minilockd/store"
)

// Dump returns all keys of all databases as text; see package textdump.
func (h *Hooks) Dump() (text string) {
	h.env.Store.Exclusively(func(tx *store.Tx) { text = textdump.Print(tx) })
	return text
}

// What is wrong because a client is just leaving is right soon after.
const (
	checkTries    = 100
	checkInterval = 10 * time.Millisecond
)

// Check returns an error if an invariant of the store is violated, such as a timer that does not fit the TTL of its
// key, an empty collection, or a waiter whose client is gone: that is a bug of the server. It visits all keys, so it is
// for tests. An error must still be there after about a second of real time.
func (h *Hooks) Check() error {
	for tries := 1; ; tries++ {
		err := h.env.Store.Check()
		if err == nil {
			return nil
		}
		if tries == checkTries {
			return fmt.Errorf("ERR minilockd is at fault: %w", err)
		}
		over := make(chan struct{})
		clock.Real{}.AfterFunc(checkInterval, func() { close(over) })
		<-over
	}
}
