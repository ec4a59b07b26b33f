// Package engine is minilockd without connections: the commands below package server.
package engine

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/pubsub"
)

// Engine is an empty server. It may be used concurrently.
type Engine struct {
	env  *command.Env
	last atomic.Int64
}

// New returns an engine, which must be closed.
func New() *Engine {
	return &Engine{env: command.NewEnv(command.Options{Table: catalog.Table(emulate.Named("")),
		Clock: clock.NewOffset(clock.Real{})})}
}

// Close ends the engine's goroutines.
func (e *Engine) Close() { e.env.Close() }

// Session returns a new client.
func (e *Engine) Session() *Session {
	return &Session{command.NewSession(e.env, e.last.Add(1), "", "", noPeer{})}
}

// Session is a client that calls commands, one at a time. It does not support commands that push or block.
type Session struct {
	session *command.Session
}

// Call runs a command; its reply is valid until the next call.
func (s *Session) Call(args [][]byte) []byte {
	s.session.Out = s.session.Out[:0]
	s.session.Serve(args)
	return s.session.Out
}

// Close releases what the session holds.
func (s *Session) Close() error {
	s.session.Close()
	return nil
}

// noPeer is the peer of a session without a connection: nothing is pushed to it.
type noPeer struct{}

func (noPeer) Push(*pubsub.Message)         {}
func (noPeer) Post(out []byte) []byte       { return out[:0] }
func (noPeer) Deliver([]byte)               {}
func (noPeer) HoldPushes()                  {}
func (noPeer) Wake()                        {}
func (noPeer) Pending() int                 { return 0 }
func (noPeer) Kill()                        {}
func (noPeer) Restrict(command.Restriction) {}
