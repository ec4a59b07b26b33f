package server

import (
	"net"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/network"
)

// memoryPort is the port in memoryAddr, 0 if there is none.
func (o *Options) memoryPort() int {
	_, port, _ := strings.Cut(string(o.memoryAddr), ":")
	n, _ := strconv.Atoi(port)
	return n
}

// nameMember says what the server of a Group is to the others.
func (s *Server) nameMember(port int) {
	if s.options.network != nil {
		s.member = &network.Member{Name: s.options.name, Host: loopback, Port: port, Dial: s.dialWithin}
	}
}

// joinNetwork lets the others of a Group connect to the server, in memory.
func (s *Server) joinNetwork() {
	if s.member != nil {
		s.options.network.Add(s.member)
	}
}

func (s *Server) leaveNetwork() {
	if s.member != nil {
		s.options.network.Remove(s.member)
	}
}

// dialWithin is Dial for other servers of the process. Another goroutine accepts the connection: MIGRATE connects while
// it holds shards, for which FAULT.RESTART may wait.
func (s *Server) dialWithin() (net.Conn, error) {
	near, far, err := s.newPipe()
	if err == nil {
		go s.take(far, s.ServeConn)
	}
	return near, err
}
