package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

const connecting = NoScript | Loading | Stale

var clientCommand = Command{Name: "client", Arity: -2, Flags: KeepsCaching, Since: "2.4.0", Summary: "Commands about connections.", Sub: slices.Concat(clientSubcommands, pauseCommands, trackingCommands)}

var clientSubcommands = []Command{
	{Name: "getname", Arity: 2, Flags: connecting, Since: "2.6.9",
		Summary: "Tells the connection's name.", Run: clientGetName},
	{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "5.0.0",
		Summary: "Lists the subcommands.", Run: help},
	{Name: "id", Arity: 2, Flags: connecting, Since: "5.0.0",
		Summary: "Tells the connection's ID.", Run: clientID},
	{Name: "info", Arity: 2, Flags: connecting, Since: "6.2.0", Tips: "nondeterministic_output",
		Summary: "Describes the connection in one line.", Run: clientInfo},
	{Name: "kill", Usage: "<ip:port | [ID client-id] [TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [USER username] [ADDR ip:port] " +
		"[LADDR ip:port] [SKIPME <YES | NO>]>", Arity: -3, Flags: operating, Since: "2.4.0",
		Summary: "Closes the connections that fit.", Run: clientKill},
	{Name: "list", Usage: "[TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [ID client-id [client-id ...]]", Arity: -2, Flags: operating, Since: "2.4.0",
		Tips:    "nondeterministic_output",
		Summary: "Describes connections, a line each.", Run: clientList},
	{Name: "no-evict", Usage: "<ON | OFF>", Arity: 3, Flags: operating, Since: "7.0.0",
		Summary: "Protects the connection from eviction.", Run: clientSwitch((*Session).SetNoEvict)},
	{Name: "no-touch", Usage: "<ON | OFF>", Arity: 3, Flags: connecting, Since: "7.2.0",
		Summary: "Keeps the connection's commands from marking keys as used.",
		Run:     clientSwitch((*Session).SetNoTouch)},
	{Name: "reply", Usage: "<ON | OFF | SKIP>", Arity: 3, Flags: connecting, Since: "3.2.0",
		Summary: "Turns replies off and on, or skips one.", Run: clientReply},
	{Name: "setinfo", Usage: "<LIB-NAME libname | LIB-VER libver>", Arity: 4, Flags: connecting, Since: "7.2.0",
		Summary: "Tells the server the name or version of the client's library.", Run: clientSetInfo},
	{Name: "setname", Usage: "connection-name", Arity: 3, Flags: connecting, Since: "2.6.9",
		Summary: "Names the connection.", Run: clientSetName},
	{Name: "unblock", Usage: "client-id [TIMEOUT | ERROR]", Arity: -3, Flags: operating, Since: "5.0.0",
		Summary: "Ends the wait of a client in a blocking command.", Run: clientUnblock},
}

var (
	errClientID      = errors.New("ERR Invalid client ID")
	errKillID        = errors.New("ERR client-id should be greater than 0")
	errNoSuchClient  = errors.New("ERR No such client")
	errUnblockReason = errors.New("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
)

func clientInfo(c *Call) resp.Value {
	c.Session.PublishInfo() // within EXEC, what has changed since its begin
	return resp.Verbatim("txt", c.Session.Describe(c.Tx.Time(), c))
}

func clientID(c *Call) resp.Value { return resp.Int(c.Session.ID) }

func clientGetName(c *Call) resp.Value {
	if name := c.Session.Name(); name != "" {
		return resp.BulkString(name)
	}
	return resp.Null
}

func clientSetName(c *Call) resp.Value {
	return c.OKOr(c.Session.SetName(c.Arg(2)))
}

// clientSetInfo is sent by client libraries right after they connect (Redis 7.2).
func clientSetInfo(c *Call) resp.Value {
	set := c.Session.SetLibName
	switch {
	case c.Is(2, "lib-name"):
	case c.Is(2, "lib-ver"):
		set = c.Session.SetLibVersion
	default:
		return c.Fail(words.Errorf("ERR Unrecognized option '%s'", c.Arg(2)))
	}
	if !Printable(c.Arg(3)) {
		return c.Fail(words.Errorf("ERR %s cannot contain spaces, newlines or special characters.", c.Arg(2)))
	}
	set(string(c.Arg(3)))
	return resp.OK
}

// clientReply sets what becomes of the replies from now on. Only ON is answered itself.
func clientReply(c *Call) resp.Value {
	s := c.Session
	switch strings.ToLower(string(c.Arg(2))) {
	case "on":
		if s.Replies() != ReplySkipNext { // SKIP before it, within a transaction, goes on
			s.SetReplies(ReplyOn)
		}
		return resp.OK
	case "off":
		s.SetReplies(ReplyOff)
	case "skip":
		if s.Replies() != ReplyOff {
			s.SetReplies(ReplySkipNext)
		}
	default:
		return c.Fail(errSyntax)
	}
	return resp.None
}

// clientSwitch returns the handler of NO-EVICT or NO-TOUCH.
func clientSwitch(set func(s *Session, on bool)) func(*Call) resp.Value {
	return func(c *Call) resp.Value {
		on := c.Is(2, "on")
		if !on && !c.Is(2, "off") {
			return c.Fail(errSyntax)
		}
		set(c.Session, on)
		return resp.OK
	}
}

func clientUnblock(c *Call) resp.Value {
	if c.Len() > 4 {
		return c.Fail(errSubcommandArity(c))
	}
	if c.Len() == 4 && !c.Is(3, "timeout") && !c.Is(3, "error") {
		return c.Fail(errUnblockReason)
	}
	id, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	unblocked := false
	c.Env().Clients.Each(func(s *Session) {
		unblocked = unblocked || s.ID == id && s.Unblock(c.Is(3, "error"))
	})
	return resp.Flag(unblocked)
}
