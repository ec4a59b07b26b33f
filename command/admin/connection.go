package admin

// Commands about the connection itself: AUTH, HELLO, PING, SELECT and the like. HELLO, AUTH, QUIT and RESET are the
// commands that a client may send before it has authenticated.

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// noAuthFlags are the flags of the commands that need no authentication. No ACL rule can deny them.
const noAuthFlags = command.NoScript | command.Loading | command.Stale | command.Fast | command.NoAuth

// connectionCommands are CLIENT and the commands about the connection itself. QUIT and RESET run at once within MULTI
// and end it.
var connectionCommands = []command.Command{
	clientCommand,
	{Name: "auth", Usage: "[username] password", Arity: -2, Flags: noAuthFlags | command.AllowBusy, Since: "1.0.0",
		Summary: "Authenticates the connection.", Run: auth, Secret: &command.Secrets{From: 1}},
	{Name: "echo", Usage: "message", Arity: 2, Flags: command.Loading | command.Stale | command.Fast, Since: "1.0.0",
		Summary: "Returns the given string.", Run: echo},
	{Name: "hello", Usage: "[protover [AUTH username password] [SETNAME clientname]]", Arity: -1,
		Flags: noAuthFlags | command.AllowBusy, Since: "6.0.0",
		Summary: "Handshakes with the Redis server.", Run: hello, Secret: helloSecrets},
	{Name: "ping", Usage: "[message]", Arity: -1, Flags: command.Fast | command.InSubscribed, Since: "1.0.0",
		Tips:    "request_policy:all_shards response_policy:all_succeeded",
		Summary: "Returns the server's liveliness response.", Run: ping},
	{Name: "quit", Arity: -1,
		Flags:   noAuthFlags | command.AllowBusy | command.InSubscribed | command.Immediate | command.EndsMulti,
		Since:   "1.0.0",
		Summary: "Closes the connection.", Run: quit},
	{Name: "reset", Arity: 1,
		Flags:   noAuthFlags | command.AllowBusy | command.InSubscribed | command.Immediate | command.EndsMulti,
		Since:   "6.2.0",
		Summary: "Resets the connection.", Run: reset},
	{Name: "select", Usage: "index", Arity: 2, Databases: command.Databases{Args: command.Positions(1), Selects: true},
		Flags: command.Loading | command.Stale | command.Fast, Since: "1.0.0",
		Changes: whileBusy,
		Summary: "Changes the selected database.", Run: selectDB},
}

// helloSecrets hides both the user name and the password of HELLO, as Redis does.
var helloSecrets = &command.Secrets{From: 2, Options: []command.Option{{Word: "auth", Values: 2, Secret: true},
	{Word: "setname", Values: 1}}}

// ping returns PONG, or its argument: PING [message]. In the subscribed mode of RESP2 every message of the server is
// an array, so the reply is one, too: "pong" and the argument or an empty string.
func ping(c *command.Call) resp.Value {
	if c.Len() > 2 {
		return c.Fail(command.ErrArity(c.Cmd))
	}
	message := resp.BulkString("")
	if c.Len() == 2 {
		message = resp.Bulk(c.Arg(1))
	}
	switch {
	case c.Session.InSubscribedMode():
		return resp.Array(resp.BulkString("pong"), message)
	case c.Len() == 2:
		return message
	}
	return resp.Status("PONG")
}

// echo returns its argument: ECHO message.
func echo(c *command.Call) resp.Value { return resp.Bulk(c.Arg(1)) }

// quit closes the connection after the reply OK: QUIT. Commands that follow it in the pipeline are not run.
func quit(c *command.Call) resp.Value {
	c.Session.Closing = true
	return resp.OK
}

// selectDB changes the database of the connection: SELECT index. Within a script it holds until the script ends. An
// index that is not below the parameter databases is an error.
func selectDB(c *command.Call) resp.Value {
	n, err := c.Int32(1)
	if err != nil {
		return c.Fail(err)
	}
	if n != 0 && c.OneDatabase() {
		return resp.Error("ERR SELECT is not allowed in cluster mode")
	}
	if err := c.CheckDatabases(n); err != nil {
		return c.Fail(err)
	}
	c.Tx.Select(int(n))
	return resp.OK
}

// auth authenticates the connection: AUTH [username] password. Without a user name it is the default user; if that one
// needs no password, the call is an error, since the client seems to expect one.
func auth(c *command.Call) resp.Value {
	user, password := acl.DefaultName, c.Arg(1)
	switch {
	case c.Len() > 3:
		return c.Fail(command.ErrSyntax)
	case c.Len() == 3:
		user, password = string(c.Arg(1)), c.Arg(2)
	case c.Env().ACL.Default.Rules().NoPass():
		return resp.Error("ERR AUTH <password> called without any password configured for the default user. " +
			"Are you sure your configuration is correct?")
	}
	return c.OKOr(authenticate(c, user, string(password)))
}

// authenticate makes the client a user if this is one of its passwords. If not, the attempt is in ACL LOG, with the
// name of the command as the object, and the client stays the user that it was.
func authenticate(c *command.Call, user, password string) error {
	u := c.Env().ACL.Authenticate(user, password)
	if u == nil {
		c.Session.LogDenied(acl.LogEntry{Reason: acl.DeniedAuth, Context: "toplevel", Object: string(c.Arg(0)),
			User: user})
		return command.ErrWrongPass
	}
	c.Session.Login(u)
	return nil
}

// hello chooses the protocol and describes the server: HELLO [protover [AUTH username password] [SETNAME clientname]].
// Without arguments the protocol stays as it is, and after any error, too. A client that is not authenticated must
// give AUTH, else the error is NOAUTH.
func hello(c *command.Call) resp.Value {
	s, proto := c.Session, c.Session.Proto()
	rest := c.Rest(1)
	if len(rest) > 0 {
		n, err := c.Int(1)
		switch {
		case err != nil:
			return resp.Error("ERR Protocol version is not an integer or out of range")
		case n != resp.RESP2 && n != resp.RESP3:
			return resp.Error("NOPROTO unsupported protocol version")
		}
		proto, rest = int(n), rest[1:]
	}
	setName, err := helloOptions(c, rest)
	if err != nil {
		return c.Fail(err)
	}
	if !s.Authenticated() {
		version := ""
		if c.Does(emulate.HelloNamesProto) {
			version = "<proto> "
		}
		return resp.Error("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO " +
			version + "AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol " +
			"version at the same time")
	}
	setName()
	s.SetProto(proto)
	return greet(c)
}

// helloOptions applies AUTH username password and SETNAME clientname. Redis 7.0 applies them in the order in which they
// are given, up to the first error, and what was applied before the error stays. Later versions read them all first;
// the last of each counts, and the returned function sets the name.
func helloOptions(c *command.Call, rest [][]byte) (setName func(), err error) {
	setName, auth := func() {}, func() error { return nil }
	atOnce := !c.Does(emulate.HelloReadsAll)
	for len(rest) > 0 && err == nil {
		switch option := rest; {
		case command.EqualFold(rest[0], "auth") && len(rest) > 2:
			auth = func() error { return authenticate(c, string(option[1]), string(option[2])) }
			if atOnce {
				err = auth()
			}
			rest = rest[3:]
		case command.EqualFold(rest[0], "setname") && len(rest) > 1:
			if err = command.CheckClientName(rest[1]); err == nil {
				setName = func() { _ = c.Session.SetName(option[1]) }
			}
			if atOnce {
				setName()
			}
			rest = rest[2:]
		default:
			err = words.Errorf("ERR Syntax error in HELLO option '%s'", command.Clip(rest[0], 128))
		}
	}
	if err == nil && !atOnce {
		err = auth()
	}
	return setName, err
}

// roleName is the role as HELLO names it.
func roleName(c *command.Call) string {
	if c.Env().IsReplica() {
		return "replica"
	}
	return "master"
}

// modeName is the mode as HELLO and INFO name it.
func modeName(e *command.Env) string {
	switch {
	case e.Cluster != nil:
		return "cluster"
	case e.Sentinel != nil:
		return "sentinel"
	}
	return "standalone"
}

// greet returns the reply of HELLO: a map, encoded in the protocol that the client has just chosen.
func greet(c *command.Call) resp.Value {
	server := c.Env().Identity()
	fields := []resp.Value{
		resp.BulkString("server"), resp.BulkString(server.Product),
		resp.BulkString("version"), resp.BulkString(server.Version),
		resp.BulkString("proto"), resp.Int(int64(c.Session.Proto())),
		resp.BulkString("id"), resp.Int(c.Session.ID),
		resp.BulkString("mode"), resp.BulkString(modeName(c.Env())),
	}
	if c.Env().Sentinel == nil {
		fields = append(fields, resp.BulkString("role"), resp.BulkString(roleName(c)))
	}
	fields = append(fields, resp.BulkString("modules"), resp.Array(engines(c)...))
	if c.Does(emulate.ZoneInHello) {
		if zone := c.Env().Config.Get("availability-zone"); zone != "" {
			fields = append(fields, resp.BulkString("availability_zone"), resp.BulkString(zone))
		}
	}
	return resp.Map(fields...)
}

// reset gives the connection the state of a new one: RESET. It leaves MULTI, subscriptions and MONITOR, selects
// database 0, and needs AUTH again if the default user has a password.
func reset(c *command.Call) resp.Value {
	c.Session.Reset()
	return resp.Status("RESET")
}
