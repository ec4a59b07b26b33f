package admin

// ACL (Redis documentation: ACL). Rules and users are in internal/acl; here are the replies, and what a change of
// rules means for connections: as in Redis, clients of a removed user, and subscribers to channels that their user may
// no longer use, are disconnected. All other clients stay connected, and their next command is checked by the new
// rules.
//
// There is no ACL file. ACL LOAD and ACL SAVE return the error of a Redis without the parameter aclfile. Users of
// redis.conf are made when the server starts (acl.Users.Add).

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// aclCommand is ACL. CAT, GENPASS and WHOAMI tell nothing about other users, so they do not have the flag admin.
var aclCommand = command.Command{Name: "acl", Arity: -2, Since: "6.0.0",
	Summary: "Commands about users and what they may do.", Sub: []command.Command{
		{Name: "cat", Usage: "[category]", Arity: -2, Flags: connectionFlags, Since: "6.0.0",
			Summary: "Lists the categories of commands, or the commands of one.", Run: aclCat},
		{Name: "deluser", Usage: "username [username ...]", Arity: -3, Flags: adminFlags, Since: "6.0.0",
			Changes: slices.Concat(namesHidden, toAllNodes),
			Summary: "Removes users and closes their connections.", Run: aclDelUser},
		{Name: "dryrun", Usage: "username command [arg [arg ...]]", Arity: -4, Flags: adminFlags, Since: "7.0.0",
			Summary: "Tells whether a user may make a call, without making it.", Run: aclDryRun},
		{Name: "genpass", Usage: "[bits]", Arity: -2, Flags: connectionFlags, Since: "6.0.0",
			Summary: "Makes a password up.", Run: aclGenPass},
		{Name: "getuser", Usage: "username", Arity: 3, Flags: adminFlags, Since: "6.0.0",
			Changes: namesHidden, Summary: "Shows a user's rules.", Run: aclGetUser},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "6.0.0",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "list", Arity: 2, Flags: adminFlags, Since: "6.0.0",
			Summary: "Shows all users with their rules, a line each.", Run: aclList},
		{Name: "load", Arity: 2, Flags: adminFlags, Since: "6.0.0",
			Summary: "Would read the users from a file.", Run: aclNoFile},
		{Name: "log", Usage: "[count | RESET]", Arity: -2, Flags: adminFlags, Since: "6.0.0",
			Summary: "Shows what users were refused.", Run: aclShowLog},
		{Name: "save", Arity: 2, Flags: adminFlags, Since: "6.0.0",
			Changes: toAllNodes,
			Summary: "Would write the users to a file.", Run: aclNoFile},
		{Name: "setuser", Usage: "username [rule [rule ...]]", Arity: -3, Flags: adminFlags, Since: "6.0.0",
			Changes: toAllNodes,
			Summary: "Makes a user, or changes one.", Run: aclSetUser, Secret: &command.Secrets{From: 2}},
		{Name: "users", Arity: 2, Flags: adminFlags, Since: "6.0.0", Summary: "Lists the users.", Run: aclUsers},
		{Name: "whoami", Arity: 2, Flags: connectionFlags, Since: "6.0.0",
			Summary: "Tells the connection's user.", Run: aclWhoAmI},
	}}

// namesHidden hides the names of users in MONITOR and the slow log.
var namesHidden = []command.Change{{Since: "7.2", Secret: &command.Secrets{From: 2}}}

var (
	errDefaultUser = errors.New("ERR The 'default' user cannot be removed")
	errGenPassBits = errors.New("ERR ACL GENPASS argument must be the number of bits for the output password, a " +
		"positive number up to 4096")
	errNoACLFile = errors.New("ERR This Redis instance is not configured to use an ACL file. You may want to " +
		"specify users via the " +
		"ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in " +
		"order to store users in the Redis configuration.")
)

// aclWhoAmI returns the name of the user: ACL WHOAMI. It is "default" until AUTH or HELLO name another one.
func aclWhoAmI(c *command.Call) resp.Value { return resp.BulkString(c.Session.User().Name) }

// aclNoFile is ACL LOAD and ACL SAVE, which always fail.
func aclNoFile(c *command.Call) resp.Value {
	if c.Does(emulate.RedisUnnamed) {
		return resp.Error(strings.ReplaceAll(errNoACLFile.Error(), "Redis ", ""))
	}
	return c.Fail(errNoACLFile)
}

// aclUsers returns the names of all users, sorted: ACL USERS.
func aclUsers(c *command.Call) resp.Value {
	return eachUser(c, func(u *acl.User) string { return u.Name })
}

// aclList returns a line for each user, sorted by name, in the form in which redis.conf declares users: ACL LIST. It
// shows hashes of passwords, never a password.
func aclList(c *command.Call) resp.Value { return eachUser(c, (*acl.User).Describe) }

// eachUser returns one text for each user, sorted by name.
func eachUser(c *command.Call, text func(*acl.User) string) resp.Value {
	var lines []string
	for _, u := range c.Env().ACL.All() {
		lines = append(lines, text(u))
	}
	return resp.Strings(lines)
}

// aclCat returns all categories, in the order of Redis, or the commands and subcommands of one: ACL CAT [category].
// The category may have any letter case.
func aclCat(c *command.Call) resp.Value {
	switch {
	case c.Len() > 3:
		return c.Fail(command.ErrSubcommandArity(c))
	case c.Len() == 2:
		return resp.Strings(command.Categories)
	case !slices.Contains(command.Categories, strings.ToLower(string(c.Arg(2)))):
		return c.Fail(words.Errorf("ERR Unknown category '%s'", c.Arg(2)))
	}
	return listCommands(c.Env().Table, func(cmd *command.Command) bool { return cmd.InCategory(string(c.Arg(2))) })
}

// aclSetUser makes a user or changes it: ACL SETUSER username [rule [rule ...]]. A new user is off and may do nothing.
// The rules are applied from left to right, all or none: the error names the first one that is not valid.
//
// Subscribers that the new rules cut off are disconnected. MONITOR and the slow log show none of the rules, since they
// may hold passwords.
func aclSetUser(c *command.Call) resp.Value {
	name := string(c.Arg(2))
	if !acl.ValidName(name) {
		return c.Fail(acl.ErrUserName)
	}
	rules, err := acl.JoinSelectors(command.Strings(c.Rest(3)))
	if err != nil {
		return c.Fail(err)
	}
	u, err := c.Env().ACL.Edit(name, func(to *acl.Rules) error {
		if rule, err := to.ApplyAll(rules); err != nil {
			return words.Errorf("ERR Error in ACL SETUSER modifier '%s': %w", rule, err)
		}
		return nil
	})
	if err != nil {
		return c.Fail(err)
	}
	dropListeners(c, u)
	return resp.OK
}

// dropListeners closes the connections of a user that are subscribed to channels which its rules no longer allow.
func dropListeners(c *command.Call, u *acl.User) {
	c.Env().Clients.Each(func(s *command.Session) {
		if s.User() == u && s.Subscribed() && !s.MaySubscribe(u) {
			closeClient(c, s)
		}
	})
}

// closeClient closes a connection. That of the call itself is closed only after it has got the reply.
func closeClient(c *command.Call, s *command.Session) {
	if s == c.Session {
		s.Closing = true
		return
	}
	s.Kill()
}

// aclDelUser removes users and returns how many there were: ACL DELUSER username [username ...]. Their connections are
// closed, also that of the caller, who gets the reply before. If the default user is among the names, nothing is
// removed: it always exists, since new connections begin with it.
func aclDelUser(c *command.Call) resp.Value {
	if slices.Contains(command.Strings(c.Rest(2)), acl.DefaultName) {
		return c.Fail(errDefaultUser)
	}
	removed := int64(0)
	for _, name := range c.Rest(2) {
		u := c.Env().ACL.Remove(string(name))
		if u == nil {
			continue
		}
		removed++
		c.Env().Clients.Each(func(s *command.Session) {
			if s.User() == u {
				closeClient(c, s)
			}
		})
	}
	return resp.Int(removed)
}

// aclGetUser returns flags, hashes of passwords and rules of a user as a map, null if there is none: ACL GETUSER
// username. The rules of the root selector are fields of the map itself; each other selector is a map under
// "selectors".
func aclGetUser(c *command.Call) resp.Value {
	u := c.Env().ACL.Get(string(c.Arg(2)))
	if u == nil {
		return resp.Null
	}
	rules := u.Rules()
	root, others := rules.Selectors()[0], make([]resp.Value, 0, len(rules.Selectors())-1)
	for _, s := range rules.Selectors()[1:] {
		others = append(others, resp.Map(selectorFields(c, s)...))
	}
	fields := []resp.Value{resp.BulkString("flags"), bulkSet(rules.Flags()),
		resp.BulkString("passwords"), resp.Strings(rules.Passwords())}
	fields = append(fields, selectorFields(c, root)...)
	return resp.Map(append(fields, resp.BulkString("selectors"), resp.Array(others...))...)
}

// selectorFields returns names and values of the rules of a selector. As in Redis 7.0 each value is one string; older
// versions return lists.
func selectorFields(c *command.Call, s *acl.Selector) []resp.Value {
	fields := []resp.Value{
		resp.BulkString("commands"), resp.BulkString(s.Commands()),
		resp.BulkString("keys"), resp.BulkString(s.Keys()),
		resp.BulkString("channels"), resp.BulkString(s.Channels()),
	}
	if c.Does(emulate.DatabaseRules) {
		fields = append(fields, resp.BulkString("databases"), resp.BulkString(s.Databases()))
	}
	return fields
}

// aclGenPass returns a random password: ACL GENPASS [bits]. It has a hexadecimal digit for every 4 bits, rounded up;
// 256 bits, 64 digits, are the default and 4,096 the most.
func aclGenPass(c *command.Call) resp.Value {
	bits := int64(256)
	switch {
	case c.Len() > 3:
		return c.Fail(command.ErrSubcommandArity(c))
	case c.Len() == 3:
		var err error
		if bits, err = c.Int(2); err != nil {
			return c.Fail(err)
		}
	}
	if bits <= 0 || bits > 4096 {
		return c.Fail(errGenPassBits)
	}
	digits := (bits + 3) / 4
	random := make([]byte, (digits+1)/2)
	_, _ = rand.Read(random)
	return resp.BulkString(hex.EncodeToString(random)[:digits])
}

// aclDryRun checks whether a user may make a call, without running it: ACL DRYRUN username command [arg [arg ...]].
// Only the unknown user or command and wrong arity are errors. A denied call gets the reason as a string, not as an
// error.
func aclDryRun(c *command.Call) resp.Value {
	u := c.Env().ACL.Get(string(c.Arg(2)))
	if u == nil {
		return c.Fail(words.Errorf("ERR User '%s' not found", c.Arg(2)))
	}
	args := c.Rest(3)
	cmd, err := c.Env().Table.Lookup(args)
	switch {
	case cmd == nil:
		return c.Fail(words.Errorf("ERR Command '%s' not found", args[0]))
	case err != nil:
		return c.Fail(err)
	}
	if reason := c.DryRun(u, cmd, args); reason != "" {
		return resp.BulkString(reason)
	}
	return resp.OK
}

// aclShowLog returns the latest denied calls, 10 by default, the latest first, or removes all: ACL LOG [count |
// RESET]. A negative count returns none.
func aclShowLog(c *command.Call) resp.Value {
	log, count := &c.Env().ACL.Log, int64(10)
	switch {
	case c.Len() > 3:
		return c.Fail(command.ErrSubcommandArity(c))
	case c.Is(2, "reset"):
		log.Reset()
		return resp.OK
	case c.Len() == 3:
		n, err := c.Int(2)
		if err != nil {
			return c.Fail(err)
		}
		count = max(n, 0)
	}
	entries := log.Latest(count)
	replies := make([]resp.Value, len(entries))
	for i := range entries {
		replies[i] = logEntryFields(c, &entries[i])
	}
	return resp.Array(replies...)
}

// logEntryFields returns the map for an entry of ACL LOG. age-seconds has milliseconds as decimals; client-info is the
// line of CLIENT LIST when the call was denied.
func logEntryFields(c *command.Call, r *acl.LogEntry) resp.Value {
	fields := []resp.Value{
		resp.BulkString("count"), resp.Int(r.Count),
		resp.BulkString("reason"), resp.BulkString(r.Reason.String()),
		resp.BulkString("context"), resp.BulkString(r.Context),
		resp.BulkString("object"), resp.BulkString(r.Object),
		resp.BulkString("username"), resp.BulkString(r.User),
		resp.BulkString("age-seconds"), c.Double(float64(c.Tx.Time().Sub(r.At).Milliseconds()) / 1000),
		resp.BulkString("client-info"), resp.BulkString(r.Client),
	}
	if c.Does(emulate.DenialsNumbered) {
		fields = append(fields,
			resp.BulkString("entry-id"), resp.Int(r.ID),
			resp.BulkString("timestamp-created"), resp.Int(r.Created.UnixMilli()),
			resp.BulkString("timestamp-last-updated"), resp.Int(r.At.UnixMilli()))
	}
	return resp.Map(fields...)
}
