package server

import (
	"context"
	"fmt"
	"io"

	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/command/seed"
)

// Snapshot is the state of a server at one moment; see [Server.Snapshot]. It is immutable, and safe for concurrent use.
type Snapshot struct{ state *control.Snapshot }

// Snapshot copies the state of the server: the keys of all databases, the clock, the parameters of CONFIG SET, the ACL
// users, the fault rules with their counters, the cache of scripts, and the functions. The command TEST.SNAPSHOT does
// the same over a connection.
func (s *Server) Snapshot() *Snapshot { return &Snapshot{s.control().Snapshot()} }

// Restore puts the server into the state of a snapshot, which may be one of another server of the process. It can be
// called any number of times with the same snapshot. Other clients see all of it or nothing.
//
// The clock shows the time of the snapshot again, at once, so each key has as much left of its TTL as then, and times
// that are part of values, such as the deadlines of a fair lock, are as far ahead. Connections stay, with their names,
// databases and subscriptions; blocked calls are served if the keys allow, EXEC fails if a watched key existed before
// or exists now, and clients that cache keys are told to forget them. There are no keyspace events.
//
// It panics if the snapshot has keys in a database that the server does not have.
func (s *Server) Restore(snapshot *Snapshot) {
	if err := s.control().Restore(snapshot.state); err != nil {
		panic("server: " + err.Error())
	}
}

// Reset puts the server into the state of its start: no keys, parameters and users as in its Options, no fault rules,
// no scripts and functions, and a clock that shows real time. It ends CLIENT PAUSE, partitions and the lag of a
// replica, which follows its master as before. Connections stay, as with Restore; CloseClients closes them. Counters of
// INFO and the slow log stay. The command TEST.RESET does the same.
func (s *Server) Reset() { s.control().Reset() }

// CloseClients closes all connections, as CLIENT KILL does. It does not wait until they are closed.
func (s *Server) CloseClients() { s.control().CloseClients(nil) }

// Dump returns the keys of all databases as text that is easy to read and to compare, "" if there are none: sorted by
// name, each with its type, its elements in their order, and the time at which it expires, in ms since 1970. The
// command TEST.DUMP returns the same.
func (s *Server) Dump() string { return s.control().Dump() }

// seedFirst fills the server from its Options. If ctx ends before, the server does, too, and with it a script that
// would run for ever.
func (s *Server) seedFirst(ctx context.Context) error {
	if len(s.options.Seed) == 0 {
		return nil
	}
	stop := context.AfterFunc(ctx, s.shutDown)
	err := s.seedAll(s.options.Seed)
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// seedAll is Seed for each of the readers.
func (s *Server) seedAll(readers []io.Reader) error {
	for _, r := range readers {
		err := s.seed(r)
		if file, ok := r.(interface{ Name() string }); ok && err != nil {
			err = fmt.Errorf("%s: %w", file.Name(), err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Seed fills the server, from the text of commands as redis-cli takes them or from an RDB file, which it recognizes by
// its first bytes.
//
// Of a text, each line is a command with its arguments, which may be quoted; empty lines and those that begin with #
// are comments. The commands may do everything, whatever requirepass and ACL rules say. The first one that fails ends
// the text, and what came before it stays; the error names the line and the error that the command has returned.
// Commands that block, such as BLPOP on an empty list, are an error.
//
// Of an RDB file, the keys of all databases and the functions are added to those that are there, and replace those of
// the same name; if something in it is not supported, nothing is added. Keys that have expired by the server's clock
// are left out.
func (s *Server) Seed(r io.Reader) error {
	if err := s.seedAll([]io.Reader{r}); err != nil {
		return fmt.Errorf("minilockd: %w", err)
	}
	return nil
}

func (s *Server) seed(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return seed.Load(s.env, s.nextID.Add(1), data)
}
