package server

import (
	"cmp"
	"fmt"
	"log/slog"
	"net"

	"github.com/minilockd/minilockd/internal/config"
)

// Options says how a server runs. The zero value is a server on a free port of the loopback interface, without a password.
type Options struct {
	// Addr is the TCP address to listen on, "127.0.0.1:0" if empty. Port 0 takes a free one: see Server.Addr.
	Addr string
	// Listener is listened on in place of Addr, if it is not nil; the server closes it. With one whose connections are made of
	// net.Pipe, server and clients live within a process, and within a bubble of testing/synctest.
	Listener net.Listener
	// UnixSocket is the path of a Unix domain socket to listen on as well (unixsocket in redis.conf); none if empty. A socket
	// of that name, left by a server that was killed, is replaced; any other file is an error. The socket is removed when the
	// server closes.
	UnixSocket string
	// Password is what clients must give to AUTH (requirepass); empty means that none is asked for.
	Password string
	// Databases is the number of databases, 16 if zero, at most MaxDatabases.
	Databases int
	// ScriptMemory is what one script may hold, in bytes, before it is ended with an error; 256 MB if zero.
	ScriptMemory int64
	// MaxMemory is what the keys may take, in bytes, as INFO counts them (used_memory); 0 is no limit.
	MaxMemory int64
	// MaxMemoryPolicy says which keys go when they take more, by its name in redis.conf; "noeviction" if empty.
	MaxMemoryPolicy string
	// Config is the text of a redis.conf: "notify-keyspace-events KEA\nmaxmemory 100mb". Fields of Options count more than its
	// lines. A line that Redis would not take, or that can't be honoured (replicaof, appendonly yes, daemonize yes), is an
	// error. What concerns a process of its own (dir, logfile, pidfile) is shown by CONFIG GET and changes nothing.
	Config string
	// ConfigFile is the name of the file that Config came from, which INFO shows (config_file). It is not read.
	ConfigFile string
	// LogLevel is set to what loglevel says, in Config and by CONFIG SET later: it is meant to be that of Logger's
	// handler. If it is nil, loglevel changes nothing.
	LogLevel *slog.LevelVar
	// Logger takes what the server has to tell: at Debug each connection and each error that a command answers. Nothing is
	// logged if it is nil.
	Logger *slog.Logger

	place   place    // see readConfig
	discard bool     // no Logger was given
	inert   []string // names of lines that change nothing
}

// MaxDatabases is the largest number of databases: commands that go through all of them must end soon.
const MaxDatabases = config.MaxDatabases

// apply makes one of several Options: those that come later count more, field by field.
func (o *Options) apply(more Options) {
	o.Addr = cmp.Or(more.Addr, o.Addr)
	if more.Listener != nil {
		o.Listener = more.Listener
	}
	o.UnixSocket = cmp.Or(more.UnixSocket, o.UnixSocket)
	o.Password = cmp.Or(more.Password, o.Password)
	o.Databases = cmp.Or(more.Databases, o.Databases)
	o.ScriptMemory = cmp.Or(more.ScriptMemory, o.ScriptMemory)
	o.MaxMemory = cmp.Or(more.MaxMemory, o.MaxMemory)
	o.MaxMemoryPolicy = cmp.Or(more.MaxMemoryPolicy, o.MaxMemoryPolicy)
	if more.Config != "" && o.Config != "" {
		o.Config += "\n"
	}
	o.Config += more.Config
	o.ConfigFile = cmp.Or(more.ConfigFile, o.ConfigFile)
	o.LogLevel = cmp.Or(more.LogLevel, o.LogLevel)
	o.Logger = cmp.Or(more.Logger, o.Logger)
}

// fill checks the options, gives what is left out its default, and makes the server's parameters.
func (o *Options) fill() (*config.Config, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	config, err := o.readConfig()
	if err != nil {
		return nil, err
	}
	o.Databases = cmp.Or(o.Databases, 16)
	if o.Logger == nil {
		o.Logger, o.discard = slog.New(slog.DiscardHandler), true
	}
	return config, nil
}

// check looks for values that no server can have.
func (o *Options) check() error {
	if o.Databases < 0 || o.Databases > MaxDatabases {
		return fmt.Errorf("Databases must be between 1 and %d, or 0 for 16: %d", MaxDatabases, o.Databases)
	}
	if o.ScriptMemory < 0 {
		return fmt.Errorf("ScriptMemory must not be negative: %d", o.ScriptMemory)
	}
	if o.MaxMemory < 0 {
		return fmt.Errorf("MaxMemory must not be negative: %d", o.MaxMemory)
	}
	if (o.Listener == nil || o.UnixSocket != "") && inBubble() {
		return errBubble
	}
	return nil
}
