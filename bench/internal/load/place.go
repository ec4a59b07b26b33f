package load

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/minilockd/minilockd/server"
)

// site is a place that has been reached.
type site struct {
	open  func() (transport, error) // a new connection, which blocks
	close func()
}

// reach starts the server if it is to be in this process.
func reach(p Place) (site, error) {
	switch p.Network {
	case TCP, Unix:
		return site{open: func() (transport, error) { return dial(p) }, close: func() {}}, nil
	case Memory:
		s, err := server.Start(context.Background(), server.Options{})
		if err != nil {
			return site{}, err
		}
		return site{open: func() (transport, error) { return pipeTo(s), nil }, close: func() { _ = s.Close() }}, nil
	case Direct:
		e := newEngine()
		return site{open: func() (transport, error) { return e.session(), nil }, close: e.close}, nil
	}
	return site{}, fmt.Errorf("no such network: %q", p.Network)
}

func dial(p Place) (net.Conn, error) { return net.DialTimeout(p.Network, p.Addr, silence) }

func pipeTo(s *server.Server) net.Conn {
	near, far := net.Pipe()
	s.ServeConn(far)
	return near
}

// silence is how long a server may not answer at all before the run is given up.
const silence = 10 * time.Second
