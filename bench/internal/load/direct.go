package load

import (
	"errors"
	"log/slog"
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// engine is a server without connections: what package server puts them in front of.
type engine struct {
	env  command.Env
	last atomic.Int64
}

func newEngine() *engine {
	log, c := slog.New(slog.DiscardHandler), clock.NewOffset(clock.Real{})
	e := &engine{env: command.Env{
		Table: command.NewTable(), Store: store.New(c, 16), PubSub: new(pubsub.Registry), Clock: c, Config: command.NewConfig(),
		Stats: new(command.Stats), Scripts: luaeval.New(log), Log: log,
	}}
	e.env.NotifyEvents()
	return e
}

func (e *engine) close() { e.env.Store.Close() }

func (e *engine) session() *direct {
	return &direct{session: command.NewSession(&e.env, e.last.Add(1), "", "", nobody{})}
}

// direct is a client that calls commands. It is a transport only by name.
type direct struct {
	session *command.Session
}

// call runs a command; its reply is valid until the next call.
func (d *direct) call(args [][]byte) []byte {
	d.session.Out = d.session.Out[:0]
	d.session.Serve(args)
	return d.session.Out
}

var errNoBytes = errors.New("a direct call moves no bytes")

func (d *direct) Read([]byte) (int, error)  { return 0, errNoBytes }
func (d *direct) Write([]byte) (int, error) { return 0, errNoBytes }

func (d *direct) Close() error {
	d.session.Close()
	return nil
}

// nobody is the peer of a session without a connection: nothing is pushed to it.
type nobody struct{}

func (nobody) Push(*pubsub.Message) {}
func (nobody) Post([]byte)          {}
func (nobody) Cork()                {}
func (nobody) Wake()                {}
func (nobody) Kill()                {}
