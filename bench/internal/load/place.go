package load

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/minilockd/minilockd/bench/internal/engine"
	"github.com/minilockd/minilockd/server"
)

// site is a Place with a running server.
type site struct {
	open  func() (transport, error) // opens a new blocking connection
	close func()
}

// reach returns the site of a place, and starts the server if it is to run in this process. The caller must close the
// site.
func reach(p Place) (site, error) {
	switch p.Network {
	case TCP, Unix:
		return site{open: func() (transport, error) { return dial(p) }, close: func() {}}, nil
	case Loopback, Memory:
		return inside(p.Network)
	case Direct:
		e := engine.New()
		return site{open: func() (transport, error) { return direct{e.Session()}, nil }, close: e.Close}, nil
	}
	return site{}, fmt.Errorf("no such network: %q", p.Network)
}

// inside starts a server in this process, for connections by TCP or a pipe. It ends with the site.
func inside(network string) (site, error) {
	s, err := server.Start(context.Background(), server.Options{})
	if err != nil {
		return site{}, err
	}
	at := site{open: func() (transport, error) { return pipeTo(s), nil }, close: func() { _ = s.Close() }}
	if network == Loopback {
		at.open = func() (transport, error) { return dial(Place{Network: TCP, Addr: s.Addr()}) }
	}
	return at, nil
}

func dial(p Place) (net.Conn, error) { return net.DialTimeout(p.Network, p.Addr, replyTimeout) }

func pipeTo(s *server.Server) transport {
	near, far := net.Pipe()
	s.ServeConn(far)
	return pipe{near}
}

// pipe is a connection in memory, without system calls: a net.Pipe that does not hang with a large batch: a pipe has no
// buffer, so a server that replies to the part of a batch it has read, and a client that writes the rest before it
// reads, would wait for each other.
type pipe struct{ net.Conn }

// atOnce is request.minRead of package server: the least number of bytes that a server reads before it replies.
const atOnce = 2 << 10

// Write returns at once if b is large. The caller must not modify b until it has read the replies.
func (p pipe) Write(b []byte) (int, error) {
	if len(b) <= atOnce {
		return p.Conn.Write(b)
	}
	go func() { _, _ = p.Conn.Write(b) }() // the next read returns an error
	return len(b), nil
}

// replyTimeout is how long the epoll loop waits for any reply before the run fails, and how long connecting may take.
// Over other transports a server that hangs is ended by the time limit of the whole process (target.Generate).
const replyTimeout = 10 * time.Second
