// Package command holds every command: what it is called, what it takes, where its keys are, and what it does.
//
// A command is one row of a family's table and one function, in one file: to add one, touch one file. All that Redis
// tells about commands (COMMAND, COMMAND DOCS, arity errors, which shards to lock, what a script may call) is derived
// from the row. A handler is a function from a Call to a resp.Value. It neither knows whether a socket, a script, EXEC
// or a Go caller runs it, nor does it lock, block or write to a connection.
//
// Session.Serve is the one way in: it looks the command up, decides whether it may run, locks the shards of its keys,
// runs it, and appends the reply.
package command
