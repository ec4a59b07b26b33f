package server

import (
	"net"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/command"
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
		s.member = &network.Member{Name: s.options.name, Host: loopback, Port: port, Dial: s.Dial, Data: s}
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

// host is the address that the server tells its master; "" if the master finds out itself.
func (s *Server) host() string {
	if s.member == nil {
		return ""
	}
	return s.member.Host
}

// dialer connects to other servers; nil for one that is in no network.
func (s *Server) dialer() command.Dialer {
	if s.member == nil {
		return nil
	}
	return func(host, port string) (net.Conn, error) { return s.options.network.Dial(s.member, host, port) }
}
