package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"
)

const loopback = "127.0.0.1"

var errNoPlace = errors.New("port 0 or an empty bind, and no unixsocket or tls-port: there is nothing to listen on; " +
	"the address " + loopback + ":0 takes a free port")

// listeners are those of a server: at least one.
type listeners struct{ plain, secure []net.Listener }

// all returns all, that for TCP first if there is one.
func (l listeners) all() []net.Listener { return slices.Concat(l.plain, l.secure) }

// listen opens all listeners that the options name.
func (o *Options) listen() (l listeners, err error) {
	defer func() {
		if err != nil {
			closeAll(l.all())
		}
	}()
	if l.plain, err = o.listenTCP(); err != nil {
		return l, err
	}
	if o.UnixSocket != "" {
		local, err := listenUnix(o.UnixSocket, o.place.socketMode)
		if err != nil {
			return l, err
		}
		l.plain = append(l.plain, local)
	}
	if l.secure, err = o.listenTLS(); err != nil {
		return l, err
	}
	if len(l.all()) == 0 {
		return l, errNoPlace
	}
	return l, nil
}

// listenTCP opens Listener, else nothing if the server is in memory, else Addr, else the port and the addresses of
// Config, else a free port.
func (o *Options) listenTCP() ([]net.Listener, error) {
	switch {
	case o.Listener != nil:
		return []net.Listener{o.Listener}, nil
	case o.InMemory:
		return []net.Listener{newMemoryListener(o.memoryAddr)}, nil
	case o.Addr != "":
		return listenAt("tcp", o.Addr)
	case o.place.port == "0", o.tlsOptions().Only:
		return nil, nil
	}
	return o.listenBound(cmp.Or(o.place.port, "0"))
}

// listenBound opens a port on the addresses of Config.
func (o *Options) listenBound(port string) ([]net.Listener, error) {
	hosts := o.place.bind
	switch {
	case hosts == nil:
		hosts = []string{loopback}
	case len(hosts) == 1 && hosts[0] == "": // bind "" is no address (redis.conf)
		return nil, nil
	}
	return listenAll(hosts, port)
}

// listenAll opens the same port on several addresses, written as in Redis' bind. If the port is 0, the first address
// determines it.
func listenAll(hosts []string, port string) (all []net.Listener, err error) {
	for _, host := range hosts {
		host, optional := strings.CutPrefix(host, "-")
		network, address := bindAddress(host, port)
		more, err := listenAt(network, address)
		switch {
		case err == nil:
			all = append(all, more...)
		case !optional || !unavailable(err):
			closeAll(all)
			return nil, err
		}
		if port == "0" && len(all) > 0 {
			_, port, _ = net.SplitHostPort(all[0].Addr().String())
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("none of the addresses %q can be listened on", hosts)
	}
	return all, nil
}

// bindAddress converts an address of bind to Go's form.
func bindAddress(host, port string) (network, address string) {
	switch host {
	case "*":
		return "tcp4", net.JoinHostPort("0.0.0.0", port)
	case "::*":
		return "tcp6", net.JoinHostPort("::", port)
	}
	return "tcp", net.JoinHostPort(host, port)
}

// unavailable reports whether the machine does not have the address, or does not know its protocol.
func unavailable(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT) ||
		errors.Is(err, syscall.EPROTONOSUPPORT)
}

func listenAt(network, address string) ([]net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), network, address)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("%w; the address %s:0 takes a free port", err, loopback)
	}
	if err != nil {
		return nil, err
	}
	return []net.Listener{l}, nil
}

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		_ = l.Close()
	}
}

// logStart logs what the user may not expect.
func (s *Server) logStart() {
	if len(s.options.noEffect) > 0 {
		s.options.Logger.Info("these parameters are taken and change nothing", "names", strings.Join(s.options.noEffect, " "))
	}
	s.warnIfOpen()
}

// warnIfOpen warns if all machines may use the server without a password. Redis' default is to reject other machines
// then (protected-mode).
func (s *Server) warnIfOpen() {
	a, ok := s.listener.Addr().(*net.TCPAddr)
	if ok && !a.IP.IsLoopback() && s.env.ACL.Open() && !s.env.Config.ProtectedMode() {
		s.options.Logger.Warn("clients of other machines are served without a password: listen on "+loopback+
			", or set requirepass", "address", a.String())
	}
}

// bound is the value of CONFIG GET bind: that in Config, else the address of the listener.
func (o *Options) bound(ip net.IP) []string {
	if o.Addr == "" && o.Listener == nil && len(o.place.bind) > 0 {
		return o.place.bind
	}
	return []string{ip.String()}
}
