// Package seed fills a server: from lines as one types them into redis-cli, or from an RDB file. It is a part of the
// server, not an API.
package seed

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/pubsub"
)

// Load runs the commands of a text, or adds what an RDB file contains to what is there. id is that of the client that
// runs the commands; it must be unique in the server.
//
// A line is a command with its arguments, with the quotes and escapes of redis-cli. Empty lines and those that begin
// with # are comments. The client may do everything, whatever the rules of the users say. The first line that fails
// ends the text; what the lines before it have done stays. Of an RDB file all is added or nothing.
func Load(env *command.Env, id int64, data []byte) error {
	if rdbfile.Is(data) {
		return LoadRDB(env, data)
	}
	c := newClient(env, id)
	defer c.session.Close()
	number := 0
	for line := range bytes.Lines(data) {
		number++
		err := c.run(bytes.TrimSpace(line))
		if c.isStopped() {
			err = errStopped
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if c.session.InMulti() {
		return errNoExec
	}
	return nil
}

var (
	errQuotes  = errors.New("ERR unbalanced quotes")
	errNoExec  = errors.New("ERR MULTI without EXEC")
	errStopped = errors.New("the server ends")
	errBlocks  = errors.New("ERR the command waits, and nothing else happens meanwhile")
)

// client runs lines. It is the peer of its session.
type client struct {
	session *command.Session
	env     *command.Env
	replies []byte
	woken   chan struct{} // capacity 1: the session may be resumed
}

func newClient(env *command.Env, id int64) *client {
	c := &client{env: env, woken: make(chan struct{}, 1)}
	c.session = command.NewSession(env, id, "seed", "", c)
	c.session.Login(acl.NewUsers(env.Config.Template()).Default)
	return c
}

// isStopped reports whether the server ends.
func (c *client) isStopped() bool {
	select {
	case <-c.env.Stopped():
		return true
	default:
		return false
	}
}

// run runs a line, whatever CLIENT REPLY says, and returns the first error of its reply.
func (c *client) run(line []byte) error {
	if len(line) == 0 || line[0] == '#' {
		return nil
	}
	args, ok := words.Split(line)
	if !ok {
		return errQuotes
	}
	c.replies = c.replies[:0]
	c.session.SetReplies(command.ReplyOn)
	c.session.Serve(args)
	if err := c.await(args); err != nil {
		return err
	}
	c.replies = append(c.replies, c.session.Out...)
	c.session.Out = c.session.Out[:0]
	return firstError(c.replies)
}

// await waits for a command that works in the background, such as CLOCK.SET. Others that wait would wait for ever.
func (c *client) await(args [][]byte) error {
	if !c.session.Blocked() {
		return nil
	}
	if cmd, err := c.env.Table.Lookup(args); err != nil || !cmd.Flags.Has(command.Control) {
		return errBlocks
	}
	for !c.session.CanResume() {
		<-c.woken
	}
	c.session.Resume(func() {})
	return nil
}

// firstError returns the first error among replies in RESP2, also within an array: that is one of EXEC.
func firstError(replies []byte) error {
	for len(replies) > 0 {
		line, rest, _ := bytes.Cut(replies, []byte("\r\n"))
		switch line[0] {
		case '-':
			return errors.New(string(line[1:]))
		case '$', '=':
			if length, err := command.ParseInt(line[1:]); err == nil && length >= 0 {
				rest = rest[min(len(rest), int(length)+2):]
			}
		}
		replies = rest
	}
	return nil
}

// Push implements pubsub.Sink.
func (c *client) Push(*pubsub.Message) {}

// Post implements command.Peer.
func (c *client) Post(out []byte) []byte {
	c.replies = append(c.replies, out...)
	return out[:0]
}

// Deliver implements command.Peer. It is called before the session can resume, and only for a command that blocks.
func (c *client) Deliver(reply []byte) {
	c.replies = append(c.replies, reply...)
	c.Wake()
}

// HoldPushes implements command.Peer.
func (c *client) HoldPushes() {}

// Wake implements command.Peer.
func (c *client) Wake() {
	select {
	case c.woken <- struct{}{}:
	default:
	}
}

// Pending implements command.Peer.
func (c *client) Pending() int { return 0 }

// Kill implements command.Peer.
func (c *client) Kill() {}

// Restrict implements command.Peer.
func (c *client) Restrict(command.Restriction) {}
