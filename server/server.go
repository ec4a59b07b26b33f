package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/persistence"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/certs"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/internal/tlsconf"
	"github.com/minilockd/minilockd/luaeval"
)

// Server is a running server. All methods are safe for concurrent use.
type Server struct {
	options     Options
	env         *command.Env
	clock       *clock.Offset  // env has it with panic recovery
	listener    net.Listener   // the first; Addr returns its address
	others      []net.Listener // further addresses, and the Unix domain socket
	secure      []net.Listener // those of both that are for TLS
	tls         atomic.Pointer[tlsconf.Result]
	generated   *certs.Set // nil unless the server has made its certificates
	nextID      atomic.Int64
	idleClients chan *Client   // of Do
	dialed      atomic.Int64   // connections made by Dial
	work        sync.WaitGroup // the accept loop and every connection
	done        chan struct{}  // closed when the server begins to close
	watchdog    watchdog
	busy        atomic.Int32 // connection goroutines that serve a command
	idle        idleCheck
	detach      func() bool // makes the end of the context of Start have no effect

	member *network.Member // nil for a server that is in no network

	closeClock clock.Clock // for what Close logs when it waits for long; tests replace it

	restart lockrank.RWMutex[lockrank.Restart] // held while a restart closes the connections, or one is accepted

	mu          lockrank.Mutex[lockrank.Server] // guards what follows
	conns       map[int64]*conn
	loops       []*loop // see loops.go
	closed      bool
	partitioned bool // see clients.Partition
}

// Start listens and serves until Close is called or ctx ends. An error from listening names the address.
func Start(ctx context.Context, options Options) (*Server, error) {
	config, err := options.fill()
	if err != nil {
		return nil, fmt.Errorf("minilockd: %w", err)
	}
	if err := luaeval.Verify(); err != nil {
		return nil, fmt.Errorf("minilockd: %w", err)
	}
	listeners, err := options.listen()
	if err != nil {
		return nil, fmt.Errorf("minilockd: %w", err)
	}
	all := listeners.all()
	s := &Server{options: options, listener: all[0], others: all[1:], secure: listeners.secure, clock: options.clock,
		closeClock: clock.Real{},
		conns:      make(map[int64]*conn), done: make(chan struct{}), idleClients: make(chan *Client, maxIdleClients)}
	if err := s.startTLS(config); err != nil {
		closeAll(all)
		return nil, fmt.Errorf("minilockd: %w", err)
	}
	if s.clock == nil {
		s.clock = clock.NewOffset(clock.Real{})
	}
	s.env = s.newEnv(config)
	s.joinNetwork()
	if err := cmp.Or(s.addFaults(options.Faults), s.openData(), s.seedFirst(ctx)); err != nil {
		s.detach = func() bool { return true }
		s.end()
		return nil, fmt.Errorf("minilockd: %w", err)
	}
	replication.NodeOf(s.env).FollowConfigured()
	if options.Journal > 0 {
		s.Commands().Start(options.Journal)
	}
	s.trackLocks()
	s.logStart()
	for _, l := range listeners.plain {
		s.spawn(func() { s.accept(l, s.ServeConn) })
	}
	for _, l := range listeners.secure {
		s.spawn(func() { s.accept(l, s.serveSecure) })
	}
	s.detach = context.AfterFunc(ctx, func() {
		defer s.recoverPanic()
		persistence.Of(s.env).SaveAtSignal()
		s.end()
	})
	return s, nil
}

// newEnv returns what the sessions share, and makes CONFIG GET return the values in use.
func (s *Server) newEnv(config *config.Config) *command.Env {
	config.SetFixed("emulate", s.Emulate())
	config.SetFixed("requirepass", s.options.Password)
	config.SetFixed("unixsocket", s.options.UnixSocket)
	if s.options.bus != nil {
		s.fixCluster(config)
	}
	config.SetFixed("databases", strconv.Itoa(s.options.Databases))
	port, tlsPort := s.setPorts(config)
	s.nameMember(port)
	env := command.NewEnv(command.Options{Table: s.options.table(),
		Clock:   clock.NewGuarded(s.clock, s.recoverPanic),
		Config:  config,
		Clients: clients{s},
		Log:     s.options.Logger, Databases: s.options.Databases, ScriptMemory: s.options.ScriptMemory,
		Port: port, TLSPort: tlsPort,
		Network: s.options.network, Member: s.member, Cluster: s.joinBus(),
		NextID: func() int64 { return s.nextID.Add(1) }})
	env.Store.SetRecover(s.recoverPanic)
	return env
}

// setPorts sets the parameters about where the server listens. It returns the ports, 0 where it does not; plain is that
// in memory if the server listens on no other.
func (s *Server) setPorts(config *config.Config) (plain, secure int) {
	plain = s.options.memoryPort()
	config.SetFixed("port", "0")
	config.SetFixed("tls-port", "0")
	first, ok := s.listener.Addr().(*net.TCPAddr)
	if ok {
		config.SetFixed("bind", strings.Join(s.options.bound(first.IP), " "))
	}
	if len(s.secure) > 0 {
		secure = s.secure[0].Addr().(*net.TCPAddr).Port
		config.SetFixed("tls-port", strconv.Itoa(secure))
		ok = ok && s.listener != s.secure[0]
	}
	if ok {
		plain = first.Port
		config.SetFixed("port", strconv.Itoa(plain))
	}
	return plain, secure
}

// Addr returns the address that the server listens on, as host:port; "127.0.0.1:0" if it is in memory only.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Emulate returns the server that s stands for, in the form of Options.Emulate.
func (s *Server) Emulate() string { return s.options.emulated.Name }

// Done returns a channel that is closed when the server begins to close: by Close, SHUTDOWN, or the end of Start's
// context.
func (s *Server) Done() <-chan struct{} { return s.done }

// accept serves the connections of a listener until it is closed. Other errors, such as too many open files, may be
// temporary: it retries with growing pauses.
func (s *Server) accept(listener net.Listener, serve func(net.Conn)) {
	const firstPause, lastPause = 5 * time.Millisecond, time.Second
	pause := firstPause
	for {
		nc, err := listener.Accept()
		switch {
		case err == nil:
			pause = firstPause
			s.take(nc, serve)
			continue
		case errors.Is(err, net.ErrClosed):
			return
		}
		s.options.Logger.Warn("accept failed", "error", err, "pause", pause)
		select {
		case <-s.done:
			return
		case <-time.After(pause): //nolint:forbidigo // the system recovers in real time
			pause = min(2*pause, lastPause)
		}
	}
}

// take serves an accepted connection: after a panic, accept goes on.
func (s *Server) take(nc net.Conn, serve func(net.Conn)) {
	defer s.recoverPanic()
	serve(nc)
}

// ServeConn serves a connection that the caller has made, such as one end of a net.Pipe. It returns at once; the server
// closes the connection.
func (s *Server) ServeConn(nc net.Conn) {
	s.admit(nc, func() {
		switch {
		case s.full():
			s.reject(nc, tooManyClients)
			return
		case s.protectedFrom(nc.RemoteAddr()):
			s.reject(nc, protectedMode)
			return
		}
		s.env.Stats.Connections.Add(1)
		if !s.serveByLoop(nc) {
			s.serveByGoroutine(nc)
		}
	})
}

// admit calls serve with a new connection unless the server is closed, once it has restarted if it does that.
func (s *Server) admit(nc net.Conn, serve func()) {
	if !s.delayClose() {
		_ = nc.Close()
		return
	}
	defer s.work.Done()
	s.restart.RLock()
	defer s.restart.RUnlock()
	serve()
}

// delayClose makes Close wait until work.Done is called. It returns false if the server is closed. A goroutine that is
// not the server's own calls it before it adds a connection: Close could miss that otherwise.
func (s *Server) delayClose() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.work.Add(1)
	return true
}

// full reports whether as many clients are connected as maxclients allows.
func (s *Server) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.conns)) >= s.env.Config.MaxClients()
}

// The errors for clients that are rejected.
const (
	tooManyClients = "ERR max number of clients reached"
	protectedMode  = "DENIED Redis is running in protected mode and the default user has no password: " +
		"other machines are not served. Set a password (requirepass), or protected-mode to no"
)

// protectedFrom reports whether protected-mode rejects clients from that address: any but a loopback address, while the
// default user needs no password (redis.conf, protected-mode).
func (s *Server) protectedFrom(a net.Addr) bool {
	from, ok := a.(*net.TCPAddr)
	return ok && s.env.Config.ProtectedMode() && !from.IP.IsLoopback() && s.env.ACL.Open()
}

// reject sends a client the reason and closes its connection.
func (s *Server) reject(nc net.Conn, why string) {
	s.env.Stats.Rejected.Add(1)
	s.spawn(func() { // a write to a net.Pipe blocks until the other end reads
		defer nc.Close()
		_ = nc.SetDeadline(clock.Real{}.Now().Add(time.Second))
		_, _ = io.WriteString(nc, "-"+why+"\r\n")
	})
}

// add registers a connection; false means that the server is closing, or refuses it.
func (s *Server) add(c *conn) bool {
	if !c.session.Admit() || !s.register(c) {
		c.endTransfer()
		return false
	}
	s.scheduleIdleCheck(time.Duration(s.env.Config.Timeout()) * time.Second)
	s.logConnection("connection opened", c)
	return true
}

func (s *Server) register(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if s.partitioned {
		c.restrict().cut = true // nobody else knows it yet
	}
	s.conns[c.session.ID] = c
	return true
}

// logConnection logs the opening or closing of a connection at level Debug.
func (s *Server) logConnection(message string, c *conn) {
	if log := s.options.Logger; log.Enabled(context.Background(), slog.LevelDebug) {
		log.Debug(message, "client", c.session.ID, "address", c.session.Addr)
	}
}

func (s *Server) remove(c *conn) {
	s.logConnection("connection closed", c)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c.session.ID)
}
