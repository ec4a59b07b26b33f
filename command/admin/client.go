package admin

// CLIENT: the subcommands about one connection. client_list.go has those that select connections, client_pause.go
// CLIENT PAUSE, client_tracking.go those about client-side caching. Other sessions run on other cores at the same
// time: a handler may only use what Session declares safe for concurrent use.

import (
	"errors"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// connectionFlags are the flags of most subcommands that concern only the connection itself. They run while Redis
// loads a file, but not in a script: its client has no connection.
const connectionFlags = command.NoScript | command.Loading | command.Stale

// clientCommand is CLIENT. KeepsCaching: its subcommands may come between CLIENT CACHING and the command that this is
// about.
var clientCommand = command.Command{Name: "client", Arity: -2, Flags: command.KeepsCaching, Since: "2.4.0",
	Summary: "Commands about connections.", Sub: slices.Concat(clientSubcommands, pauseCommands, trackingCommands)}

// The usage of what CLIENT KILL and CLIENT LIST have in common.
const (
	clientTypes = "NORMAL | MASTER | REPLICA | PUBSUB | PRIMARY {valkey-8.0}"
	moreFilters = "[NAME name]{valkey-9.0} [IDLE idle]{valkey-9.0} [FLAGS flags]{valkey-9.0} " +
		"[LIB-NAME lib-name]{valkey-9.0} [LIB-VER lib-ver]{valkey-9.0} [DB db]{valkey-9.0} [CAPA capa]{valkey-9.0} " +
		"[IP ip]{valkey-9.0} [NOT-ID client-id [client-id ...]]{valkey-9.0} " +
		"[NOT-TYPE <NORMAL | MASTER | REPLICA | PUBSUB | PRIMARY>]{valkey-9.0} [NOT-USER username]{valkey-9.0} " +
		"[NOT-ADDR ip:port]{valkey-9.0} [NOT-LADDR ip:port]{valkey-9.0} [NOT-NAME name]{valkey-9.0} " +
		"[NOT-FLAGS flags]{valkey-9.0} [NOT-LIB-NAME lib-name]{valkey-9.0} [NOT-LIB-VER lib-ver]{valkey-9.0} " +
		"[NOT-DB db]{valkey-9.0} [NOT-CAPA capa]{valkey-9.0} [NOT-IP ip]{valkey-9.0}"
)

var clientSubcommands = []command.Command{
	{Name: "capa", Usage: "capability [capability ...]", Arity: -3, Flags: connectionFlags, Since: "valkey-8.0.0",
		Changes: whileBusy,
		Summary: "Tells the server what the client can do.", Run: clientCapa},
	{Name: "getname", Arity: 2, Flags: connectionFlags, Since: "2.6.9",
		Changes: whileBusy,
		Summary: "Tells the connection's name.", Run: clientGetName},
	{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
		Summary: "Lists the subcommands.", Run: command.Help},
	{Name: "id", Arity: 2, Flags: connectionFlags, Since: "5.0.0",
		Changes: whileBusy,
		Summary: "Tells the connection's ID.", Run: clientID},
	{Name: "import-source", Usage: "<ON | OFF>", Arity: 3, Flags: connectionFlags, Since: "valkey-8.1.0",
		Summary: "Marks the connection as one that imports keys.", Run: clientImportSource},
	{Name: "info", Arity: 2, Flags: connectionFlags, Since: "6.2.0", Tips: "nondeterministic_output",
		Summary: "Describes the connection in one line.", Run: clientInfo},
	{Name: "kill",
		Usage: "<ip:port | [ID client-id [client-id ...]{valkey-8.1}] [TYPE <" + clientTypes + ">] [USER username] " +
			"[ADDR ip:port] [LADDR ip:port] [SKIPME <YES | NO>] [MAXAGE maxage]{7.4 valkey-8.0} " + moreFilters + ">",
		Arity: -3, Flags: adminFlags, Since: "2.4.0",
		Summary: "Closes the connections that fit.", Run: clientKill},
	{Name: "list",
		Usage: "[TYPE <" + clientTypes + ">] [ID client-id [client-id ...]] [USER username]{valkey-8.1} " +
			"[ADDR ip:port]{valkey-8.1} [LADDR ip:port]{valkey-8.1} [SKIPME <YES | NO>]{valkey-8.1} " +
			"[MAXAGE maxage]{valkey-8.1} " + moreFilters,
		Arity: -2, Flags: adminFlags, Since: "2.4.0", Tips: "nondeterministic_output",
		Summary: "Describes connections, a line each.", Run: clientList},
	{Name: "no-evict", Usage: "<ON | OFF>", Arity: 3, Flags: adminFlags, Since: "7.0.0",
		Changes: whileBusy,
		Summary: "Protects the connection from eviction.", Run: clientSwitch((*command.Session).SetNoEvict)},
	{Name: "no-touch", Usage: "<ON | OFF>", Arity: 3, Flags: connectionFlags, Since: "7.2.0",
		Changes: whileBusy,
		Summary: "Keeps the connection's commands from marking keys as used.",
		Run:     clientSwitch((*command.Session).SetNoTouch)},
	{Name: "reply", Usage: "<ON | OFF | SKIP>", Arity: 3, Flags: connectionFlags, Since: "3.2.0",
		Changes: []command.Change{{Since: "valkey-9.1", Gains: command.AllowBusy | command.NoMulti}},
		Summary: "Turns replies off and on, or skips one.", Run: clientReply},
	{Name: "setinfo", Usage: "<LIB-NAME libname | LIB-VER libver>", Arity: 4, Flags: connectionFlags, Since: "7.2.0",
		Changes: slices.Concat(toAllNodes, whileBusy),
		Summary: "Tells the server the name or version of the client's library.", Run: clientSetInfo},
	{Name: "setname", Usage: "connection-name", Arity: 3, Flags: connectionFlags, Since: "2.6.9",
		Changes: slices.Concat(toAllNodes, whileBusy),
		Summary: "Names the connection.", Run: clientSetName},
	{Name: "unblock", Usage: "client-id [TIMEOUT | ERROR]", Arity: -3, Flags: adminFlags, Since: "5.0.0",
		Summary: "Ends the wait of a client in a blocking command.", Run: clientUnblock},
}

var (
	errClientID      = errors.New("ERR Invalid client ID")
	errKillID        = errors.New("ERR client-id should be greater than 0")
	errNoSuchClient  = errors.New("ERR No such client")
	errNoImport      = errors.New("ERR Server is not in import mode")
	errUnblockReason = errors.New("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
)

// clientInfo returns the line of CLIENT LIST for the connection itself: CLIENT INFO.
func clientInfo(c *command.Call) resp.Value {
	c.Session.PublishInfo() // within EXEC, what has changed since its begin
	return resp.Verbatim("txt", c.Session.Describe(c.Tx.Time(), c))
}

// clientID returns the ID of the connection: CLIENT ID. IDs are never used again; a later connection has a larger one.
func clientID(c *command.Call) resp.Value { return resp.Int(c.Session.ID) }

// clientGetName returns the name of the connection, null without one: CLIENT GETNAME.
func clientGetName(c *command.Call) resp.Value {
	if name := c.Session.Name(); name != "" {
		return resp.BulkString(name)
	}
	return resp.Null
}

// clientSetName names the connection: CLIENT SETNAME connection-name. The empty name removes it. Names need not be
// unique. A name with a blank is an error, since CLIENT LIST could not show it.
func clientSetName(c *command.Call) resp.Value {
	return c.OKOr(c.Session.SetName(c.Arg(2)))
}

// clientSetInfo sets the name or version of the client library: CLIENT SETINFO <LIB-NAME libname | LIB-VER libver>. It
// is a command of Redis 7.2, but libraries send it to every server right after they connect.
func clientSetInfo(c *command.Call) resp.Value {
	set := c.Session.SetLibName
	switch {
	case c.Is(2, "lib-name"):
	case c.Is(2, "lib-ver"):
		set = c.Session.SetLibVersion
	default:
		return c.Fail(words.Errorf("ERR Unrecognized option '%s'", c.Arg(2)))
	}
	if !command.Printable(c.Arg(3)) {
		return c.Fail(words.Errorf("ERR %s cannot contain spaces, newlines or special characters.", c.Arg(2)))
	}
	set(string(c.Arg(3)))
	return resp.OK
}

// clientCapa implements CLIENT CAPA capability [capability ...]. Only REDIRECT is known; others are no error.
func clientCapa(c *command.Call) resp.Value {
	for i := 2; i < c.Len(); i++ {
		if c.Is(i, "redirect") {
			c.Session.SetRedirect()
		}
	}
	return resp.OK
}

// clientImportSource implements CLIENT IMPORT-SOURCE <ON | OFF>, which CLIENT LIST shows. While import-mode is on, such
// a client uses keys whose time has come as if it had not.
func clientImportSource(c *command.Call) resp.Value {
	switch {
	case c.Is(2, "off"):
		c.Session.SetImports(false)
	case c.Env().Config.Get("import-mode") == "no":
		return c.Fail(errNoImport)
	case c.Is(2, "on"):
		c.Session.SetImports(true)
	default:
		return c.Fail(command.ErrSyntax)
	}
	return resp.OK
}

// clientReply turns the replies of the connection off and on: CLIENT REPLY <ON | OFF | SKIP>. Only ON has a reply.
// SKIP suppresses the reply to the next command; after OFF it changes nothing. Messages of subscriptions and
// invalidations are pushes, not replies: they are still sent.
func clientReply(c *command.Call) resp.Value {
	s := c.Session
	switch strings.ToLower(string(c.Arg(2))) {
	case "on":
		if s.Replies() != command.ReplySkipNext { // SKIP before it, within a transaction, goes on
			s.SetReplies(command.ReplyOn)
		}
		return resp.OK
	case "off":
		s.SetReplies(command.ReplyOff)
	case "skip":
		if s.Replies() != command.ReplyOff {
			s.SetReplies(command.ReplySkipNext)
		}
	default:
		return c.Fail(command.ErrSyntax)
	}
	return resp.None
}

// clientSwitch returns the handler of CLIENT NO-EVICT or NO-TOUCH <ON | OFF>, which calls set.
func clientSwitch(set func(s *command.Session, on bool)) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		on := c.Is(2, "on")
		if !on && !c.Is(2, "off") {
			return c.Fail(command.ErrSyntax)
		}
		set(c.Session, on)
		return resp.OK
	}
}

// clientUnblock ends the wait of a client in a blocking command: CLIENT UNBLOCK client-id [TIMEOUT | ERROR]. The
// client gets the reply of a timeout, or with ERROR an error that begins with UNBLOCKED. The reply is 1 if it was
// blocked, else 0, also if there is no such client. A client that CLIENT PAUSE stops does not count as blocked.
func clientUnblock(c *command.Call) resp.Value {
	mode, err := clientMode(c, "error", "timeout", errUnblockReason)
	if err != nil {
		return c.Fail(err)
	}
	id, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	unblocked := false
	c.Env().Clients.Each(func(s *command.Session) {
		unblocked = unblocked || s.ID == id && s.Unblock(mode)
	})
	return resp.Flag(unblocked)
}

// clientMode reads the optional last argument of CLIENT UNBLOCK and PAUSE, and reports whether it is the one of its two
// values that is not the default. More arguments are an error, or make both of no effect (emulate.IgnoresMoreModes).
func clientMode(c *command.Call, other, standard string, unknown error) (isOther bool, err error) {
	switch {
	case c.Len() > 4 && c.Does(emulate.IgnoresMoreModes):
		return false, nil
	case c.Len() > 4:
		return false, command.ErrSubcommandArity(c)
	case c.Len() == 4 && !c.Is(3, other) && !c.Is(3, standard):
		return false, unknown
	}
	return c.Is(3, other), nil
}
