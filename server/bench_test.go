package server

import (
	"context"
	"testing"
)

// BenchmarkStartClose is a server's life without a client: what a test pays for having one of its own.
func BenchmarkStartClose(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s, err := Start(context.Background(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}
