package server

import (
	"bytes"
	"fmt"
	"testing"
)

// What a test pays that begins with Restore: the limits are 50 ms for 100,000 keys, and 100 µs for a server that is
// almost empty. The keys are strings, and small hashes with an expiry, as locks are.
func BenchmarkState(b *testing.B) {
	for _, keys := range []int{10, 100_000} {
		s := StartT(b)
		var text bytes.Buffer
		for i := range keys / 2 {
			fmt.Fprintf(&text, "SET string:%d \"the value of string %d\"\n", i, i)
			fmt.Fprintf(&text, "HSET lock:%d 5f0a2b1c-7c2f-4d6e-9c59-3f8b6d1a7e42:1 1\nPEXPIRE lock:%d 3600000\n", i, i)
		}
		if err := s.Seed(&text); err != nil {
			b.Fatal(err)
		}
		snapshot := s.Snapshot()
		for name, f := range map[string]func(){
			"snapshot": func() { snapshot = s.Snapshot() }, "restore": func() { s.Restore(snapshot) },
		} {
			b.Run(fmt.Sprintf("%s/keys=%d", name, keys), func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
	}
}
