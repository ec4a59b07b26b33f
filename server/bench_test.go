package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkStartClose starts and closes a server without clients: the cost of a server for each test.
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

// sink is a driver that discards replies.
type sink struct{}

func (sink) send(out []byte) (int, error) { return len(out), nil }
func (sink) shut()                        {}
func (sink) flush() bool                  { return true }
func (sink) kill()                        {}
func (sink) wake()                        {}
func (sink) ready()                       {}

// BenchmarkFeed measures a connection without a socket, from the bytes of a request to those of the reply. An operation
// is one request; requests come in batches.
func BenchmarkFeed(b *testing.B) {
	requests := map[string]string{
		"SET": "*3\r\n$3\r\nSET\r\n$16\r\nkey:000000000042\r\n$3\r\nxxx\r\n",
		"GET": "*2\r\n$3\r\nGET\r\n$16\r\nkey:000000000042\r\n",
	}
	for _, name := range []string{"SET", "GET"} {
		for _, batch := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/%d", name, batch), func(b *testing.B) {
				c := newConn(StartT(b), nil, nil)
				c.driver = sink{}
				bytes := []byte(strings.Repeat(requests[name], batch))
				buffer := make([]byte, 64<<10)
				b.ReportAllocs()
				for n := 0; n < b.N; n += batch {
					c.in.useBuffer(buffer)
					c.in.added(copy(c.in.space(), bytes))
					c.feed()
					c.flush()
					c.in.releaseBuffer()
				}
			})
		}
	}
}
