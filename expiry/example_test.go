package expiry_test

import (
	"fmt"

	"github.com/minilockd/minilockd/expiry"
)

// A ticket embeds its timer, so that setting it allocates nothing.
type ticket struct {
	expiry.Timer[ticket]
	user string
}

func ExampleWheel() {
	var wheel expiry.Wheel[ticket]
	alice, bob := &ticket{user: "alice"}, &ticket{user: "bob"}
	wheel.Set(&alice.Timer, alice, 1000)
	wheel.Set(&bob.Timer, bob, 2000)
	wheel.Set(&alice.Timer, alice, 3000) // moved

	for ms, ok := wheel.Next(); ok; ms, ok = wheel.Next() {
		// The owner of a real wheel sleeps until ms here, without its lock.
		wheel.Advance(ms, func(s *ticket) { fmt.Println(ms, s.user, s.IsSet()) })
	}
	// Output:
	// 2000 bob false
	// 3000 alice false
}
