package server

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"

	"github.com/minilockd/minilockd/command/cluster"
	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/memconn"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/journal"
)

// Options configures a server. The zero value is a server on a free port of the loopback interface, without a password.
type Options struct {
	// Addr is the TCP address to listen on, "127.0.0.1:0" if empty. Port 0 takes a free one: see Server.Addr.
	Addr string
	// Listener is used in place of Addr, if it is not nil; the server closes it.
	Listener net.Listener
	// InMemory makes the server listen on no address: Server.Dial and Server.DialContext are the only ways to it. Lines
	// port and bind of Config have no effect then. In a bubble of testing/synctest, where network connections hang, a
	// server without Listener is always in memory.
	InMemory bool
	// UnixSocket is the path of a Unix domain socket to listen on as well (unixsocket in redis.conf); none if empty. A
	// socket of that name, left by a server that was killed, is replaced; any other file is an error. The socket is
	// removed when the server closes.
	UnixSocket string
	// TLS makes the server speak TLS as well, or only; see [TLS]. If it is nil, a line tls-port of Config does.
	TLS *TLS
	// Emulate is the server to stand for: "7.0", "7.2", "7.4", "8.0", "8.2", "8.4" for that version of Redis, "valkey-8.1"
	// or "valkey-9.1"; "8.2" if empty. It decides which commands and arguments there are, what HELLO and INFO say, and
	// the behavior where versions differ.
	Emulate string
	// Password is the password for AUTH (requirepass); if empty, clients need none.
	Password string
	// Databases is the number of databases, 16 if zero, at most MaxDatabases.
	Databases int
	// ScriptMemory is the largest memory of one script in bytes, 256 MB if zero. A script that needs more fails.
	ScriptMemory int64
	// MaxMemory is maxmemory: the largest size of all keys in bytes, as INFO counts them (used_memory); 0 is no limit.
	MaxMemory int64
	// MaxMemoryPolicy is maxmemory-policy, which selects the keys to evict; "noeviction" if empty.
	MaxMemoryPolicy string
	// Config is the text of a redis.conf: "notify-keyspace-events KEA\nmaxmemory 100mb". Fields of Options override its
	// lines. A line that Redis rejects, or that minilockd does not support (appendonly yes, daemonize yes), is
	// an error. Parameters of a process (logfile, pidfile) have no effect, except that CONFIG GET returns them.
	Config string
	// KeepData keeps the data in an RDB file, that which lines dir and dbfilename of Config name; dump.rdb in the working
	// directory without them. The server loads it at the start, and SAVE, BGSAVE, save points, SHUTDOWN and the end of
	// Start's context write it. Without KeepData it writes no file, whatever Config says.
	KeepData bool
	// ConfigFile is the name of the file that Config was read from, for INFO (config_file). The server does not read it.
	ConfigFile string
	// LogLevel is set to the value of loglevel, in Config and by CONFIG SET later. It should be the level of Logger's
	// handler. If it is nil, loglevel has no effect.
	LogLevel *slog.LevelVar
	// Faults are the first rules of Server.Faults: they hit connections and calls from the beginning. One that could never
	// hit anything is a *FaultError.
	Faults []fault.Rule
	// Journal is how many of the last commands Server.Commands keeps; 0 is none, until it is turned on.
	Journal int
	// LockHistory is how many events of locks Server.Locks keeps; 0 is none, until it is turned on.
	LockHistory int
	// FailOnHeldLocks makes the end of a test of StartT or StartN fail if a lock is held then, with who took it, when and
	// by which connection. It turns on the history of locks. Start ignores it otherwise.
	FailOnHeldLocks bool
	// Logger is used for all messages; connections, and errors that commands return, have level Debug. If it is nil,
	// nothing is logged, except that a hanging Close writes to standard error.
	Logger *slog.Logger

	// Seed fills the server before it accepts connections; see [Server.Seed]. An error of Start names the reader by its
	// method Name, if it has one, as a file does.
	Seed []io.Reader

	emulated   *emulate.Server
	clock      *clock.Offset    // that of other servers, see StartN; nil if the server has its own
	network    *network.Network // that of the servers of a Group; nil for a server by itself
	bus        *cluster.Bus     // that of the nodes of a Cluster; nil for other servers
	name       string           // in the network
	memoryAddr memconn.Addr     // of a server of a Group that is in memory
	sentinel   bool             // the server is a sentinel
	further    bool             // a server of a Group but the first: the Unix socket is that one's
	place      place            // see readConfig
	discard    bool             // no Logger was given
	noEffect   []string         // names of lines without effect
}

// MaxDatabases is the largest number of databases: it bounds the time of commands that go through all of them.
const MaxDatabases = config.MaxDatabases

// apply sets the fields that are set in more.
func (o *Options) apply(more Options) {
	o.Addr = cmp.Or(more.Addr, o.Addr)
	if more.Listener != nil {
		o.Listener = more.Listener
	}
	o.InMemory = o.InMemory || more.InMemory
	o.UnixSocket = cmp.Or(more.UnixSocket, o.UnixSocket)
	o.TLS = cmp.Or(more.TLS, o.TLS)
	o.Emulate = cmp.Or(more.Emulate, o.Emulate)
	o.Password = cmp.Or(more.Password, o.Password)
	o.Databases = cmp.Or(more.Databases, o.Databases)
	o.ScriptMemory = cmp.Or(more.ScriptMemory, o.ScriptMemory)
	o.MaxMemory = cmp.Or(more.MaxMemory, o.MaxMemory)
	o.MaxMemoryPolicy = cmp.Or(more.MaxMemoryPolicy, o.MaxMemoryPolicy)
	o.Seed = append(o.Seed, more.Seed...)
	if more.Config != "" && o.Config != "" {
		o.Config += "\n"
	}
	o.Config += more.Config
	o.KeepData = o.KeepData || more.KeepData
	o.ConfigFile = cmp.Or(more.ConfigFile, o.ConfigFile)
	o.LogLevel = cmp.Or(more.LogLevel, o.LogLevel)
	o.Faults = append(o.Faults, more.Faults...)
	o.Journal = cmp.Or(more.Journal, o.Journal)
	o.LockHistory = cmp.Or(more.LockHistory, o.LockHistory)
	o.FailOnHeldLocks = o.FailOnHeldLocks || more.FailOnHeldLocks
	o.Logger = cmp.Or(more.Logger, o.Logger)
}

// fill checks the options, sets defaults, and returns the server's parameters.
func (o *Options) fill() (*config.Config, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	config, err := o.readConfig()
	if err != nil {
		return nil, err
	}
	if err := o.checkPlace(); err != nil {
		return nil, err
	}
	o.Databases = cmp.Or(o.Databases, 16)
	if o.Logger == nil {
		o.Logger, o.discard = slog.New(slog.DiscardHandler), true
	}
	return config, nil
}

// check returns an error for values out of range.
func (o *Options) check() error {
	if o.Databases < 0 || o.Databases > MaxDatabases {
		return fmt.Errorf("Databases must be between 1 and %d, or 0 for 16: %d", MaxDatabases, o.Databases)
	}
	if emulate.Named(o.Emulate) == nil {
		return fmt.Errorf("Emulate must be one of %s, or empty for %s: %q", strings.Join(emulate.Names(), ", "),
			emulate.Default, o.Emulate)
	}
	if o.ScriptMemory < 0 {
		return fmt.Errorf("ScriptMemory must not be negative: %d", o.ScriptMemory)
	}
	if o.MaxMemory < 0 {
		return fmt.Errorf("MaxMemory must not be negative: %d", o.MaxMemory)
	}
	if o.Journal < 0 || o.Journal > journal.Max {
		return fmt.Errorf("Journal must be between 0 and %d: %d", journal.Max, o.Journal)
	}
	return nil
}

// checkPlace returns an error if the options exclude each other, or the place where the server runs.
func (o *Options) checkPlace() error {
	bubble := inBubble()
	o.InMemory = o.InMemory || bubble && o.Listener == nil
	hasAddress := o.Addr != "" || o.UnixSocket != "" || o.usesTLS()
	switch {
	case bubble && hasAddress:
		return errBubble
	case o.InMemory && (hasAddress || o.Listener != nil):
		return errInMemory
	case o.tlsOptions().Only && (o.Addr != "" || o.Listener != nil):
		return errTLSOnly
	}
	return nil
}

// The errors of checkPlace.
var (
	errBubble = errors.New("within a bubble of testing/synctest network connections hang: " +
		"set neither Addr, UnixSocket nor TLS, and connect by Server.Dial")
	errInMemory = errors.New("with InMemory there must be no Addr, Listener, UnixSocket or TLS")
)
