package server

import (
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkDial compares connections of Dial with a net.Pipe and with the loopback interface: 50 clients, each of which
// waits for its reply. "storm" is one script on one key, as of a lock that all try to take. p50 and p99 are those of a
// command.
func BenchmarkDial(b *testing.B) {
	const script = "return redis.call('incrby', KEYS[1], 1)"
	for _, load := range []struct{ name, request string }{
		{"SET", bulks("SET", "k", "v")},
		{"storm", bulks("EVAL", script, "1", "lock")},
	} {
		for name, open := range map[string]func(*Server) (net.Conn, error){
			"memory": (*Server).Dial,
			"pipe": func(s *Server) (net.Conn, error) {
				near, far := net.Pipe()
				s.ServeConn(far)
				return near, nil
			},
			"tcp": func(s *Server) (net.Conn, error) { return net.Dial("tcp", s.Addr()) },
		} {
			b.Run(load.name+"/"+name, func(b *testing.B) { benchClients(b, open, load.request) })
		}
	}
}

func benchClients(b *testing.B, open func(*Server) (net.Conn, error), request string) {
	const clients = 50
	s := StartT(b)
	took := make([][]time.Duration, clients)
	errs := make(chan error, clients)
	var all sync.WaitGroup
	b.ReportAllocs()
	for i := range clients {
		nc, err := open(s)
		if err != nil {
			b.Fatal(err)
		}
		all.Go(func() {
			defer nc.Close()
			took[i], err = exchange(nc, request, max(b.N/clients, 1))
			errs <- err
		})
	}
	all.Wait()
	for range clients {
		if err := <-errs; err != nil {
			b.Fatal(err)
		}
	}
	times := slices.Sorted(slices.Values(slices.Concat(took...)))
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
}

// exchange sends a request n times and reads a reply of one line each.
func exchange(nc net.Conn, request string, n int) (took []time.Duration, err error) {
	reply := make([]byte, 64)
	for range n {
		start := time.Now()
		if _, err := io.WriteString(nc, request); err != nil {
			return nil, err
		}
		for end := 0; end == 0 || reply[end-1] != '\n'; {
			got, err := nc.Read(reply[end:])
			if err != nil {
				return nil, fmt.Errorf("after %q: %w", reply[:end], err)
			}
			end += got
		}
		took = append(took, time.Since(start))
	}
	return took, nil
}
