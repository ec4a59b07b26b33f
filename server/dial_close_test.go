package server

import (
	"context"
	"sync"
	"testing"
)

// A client that connects in memory just as the server closes is served or rejected, and none is left: closeT fails the
// test otherwise.
func TestDial_WhileTheServerCloses(t *testing.T) {
	for range 300 {
		s, err := Start(t.Context(), Options{InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		var clients sync.WaitGroup
		start := make(chan struct{})
		for range 4 {
			clients.Go(func() {
				<-start
				if nc, err := s.Dial(); err == nil {
					_, _ = nc.Read(make([]byte, 1))
					_ = nc.Close()
				}
				s.Do(context.Background(), "PING")
			})
		}
		close(start)
		closeT(t, s)
		clients.Wait()
	}
}
