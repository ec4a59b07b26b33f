package server

import (
	"log/slog"
	"net"
)

// Options says how a server runs. The zero value is a server on a free port of the loopback interface, without a password.
type Options struct {
	// Addr is the TCP address to listen on, "127.0.0.1:0" if empty. Port 0 takes a free one: see Server.Addr.
	Addr string
	// Listener is listened on in place of Addr, if it is not nil; the server closes it. With one whose connections are made of
	// net.Pipe, server and clients live within a process, and within a bubble of testing/synctest.
	Listener net.Listener
	// UnixSocket is the path of a Unix domain socket to listen on as well (unixsocket in redis.conf); none if empty. A file
	// of that name is removed first, as Redis does, and the socket is when the server closes.
	UnixSocket string
	// Password is what clients must give to AUTH (requirepass); empty means that none is asked for.
	Password string
	// Databases is the number of databases, 16 if zero.
	Databases int
	// ScriptMemory is what one script may hold, in bytes, before it is ended with an error; 256 MB if zero.
	ScriptMemory int64
	// MaxMemory is what the keys may take, in bytes, as INFO counts them (used_memory); 0 is no limit.
	MaxMemory int64
	// MaxMemoryPolicy says which keys go when they take more, by its name in redis.conf; "noeviction" if empty.
	MaxMemoryPolicy string
	// Logger takes what the server has to tell; nothing is logged if it is nil.
	Logger *slog.Logger
}

func (o *Options) fill() {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Databases == 0 {
		o.Databases = 16
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
}
