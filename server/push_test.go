package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/testenv"
)

const subscribed = "*3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n"

// A message reaches all subscribers: few, for which the publisher's connection writes, and many, for which the loops
// write.
func TestPush_ReachesAll(t *testing.T) {
	eachDriver(t, func(t *testing.T, _ *Server, dial func() net.Conn) {
		for _, count := range []int{1, maxDeferred, 3 * maxDeferred} {
			t.Run(fmt.Sprint(count), func(t *testing.T) {
				publisher := dial()
				subscribers := make([]net.Conn, count)
				for i := range subscribers {
					subscribers[i] = dial()
					ask(t, subscribers[i], "SUBSCRIBE ch\r\n", subscribed)
				}
				for i := range 20 {
					text := fmt.Sprintf("m%02d", i)
					ask(t, publisher, "PUBLISH ch "+text+"\r\n", fmt.Sprintf(":%d\r\n", count))
					for _, nc := range subscribers {
						ask(t, nc, "", bulks("message", "ch", text))
					}
				}
				for _, nc := range subscribers {
					ask(t, nc, "UNSUBSCRIBE\r\n", strings.Replace(strings.Replace(subscribed, "$9\r\n", "$11\r\nun", 1), ":1", ":0",
						1))
				}
			})
		}
	})
}

// A subscriber that does not read delays no other client, and then gets everything in order.
func TestPush_SlowReader(t *testing.T) {
	const messages = 400 // more than sockets hold
	s := StartT(t)
	slow, publisher := dial(t, s), dial(t, s)
	ask(t, slow, "SUBSCRIBE ch\r\n", subscribed)
	large := strings.Repeat("x", 256<<10)
	for i := range messages {
		ask(t, publisher, fmt.Sprintf("PUBLISH ch %03d%s\r\n", i, large[:32<<10]), ":1\r\n")
	}
	for i := range messages {
		ask(t, slow, "", bulks("message", "ch", fmt.Sprintf("%03d%s", i, large[:32<<10])))
	}
}

func publishUntil(stop <-chan struct{}, nc net.Conn) {
	reply := make([]byte, 4)
	for {
		select {
		case <-stop:
			return
		default:
		}
		_, _ = nc.Write([]byte("PUBLISH ch text\r\n"))
		_, _ = io.ReadFull(nc, reply)
	}
}

// If a connection closes while another writes for it, no other connection gets its messages.
func TestPush_SubscribersComeAndGo(t *testing.T) {
	s := StartT(t)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		publisher := dial(t, s)
		wg.Go(func() { publishUntil(stop, publisher) })
	}
	for range 300 {
		nc := dial(t, s)
		ask(t, nc, "SUBSCRIBE ch\r\n", subscribed)
		_ = nc.Close()
		other := dial(t, s) // may get the descriptor
		ask(t, other, "PING\r\n", "+PONG\r\n")
		_ = other.Close()
	}
	close(stop)
	wg.Wait()
}

// Every reply to SUBSCRIBE is received while messages for the same connection are written.
func TestPush_ConfirmationsAmongMessages(t *testing.T) {
	eachDriver(t, func(t *testing.T, _ *Server, dial func() net.Conn) {
		rounds := 2000
		if !testenv.Long() {
			rounds = 200
		}
		var subscribers, publishers sync.WaitGroup
		stop := make(chan struct{})
		for range 3 {
			publisher := dial()
			publishers.Go(func() { publishUntil(stop, publisher) })
		}
		for range 8 {
			nc := dial()
			subscribers.Go(func() {
				lines := bufio.NewScanner(nc)
				for i := range rounds {
					for _, verb := range []string{"subscribe", "unsubscribe"} {
						_, _ = nc.Write([]byte(verb + " ch\r\n"))
						for lines.Scan() && lines.Text() != verb {
						}
						if lines.Text() != verb {
							t.Errorf("round %d: %q, not %q: %v", i, lines.Text(), verb, lines.Err())
							return
						}
					}
				}
			})
		}
		subscribers.Wait()
		close(stop)
		publishers.Wait()
	})
}
