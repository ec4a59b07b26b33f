// Package command is the core of the commands: the row that describes a command (Command), the call of one (Call), the
// state of a client (Session) and of the server (Env), and the path from a request to its reply. It is a part of the
// server, not an API.
//
// The core knows no command by name. The commands themselves are in two packages above it: command/data has those of
// keys and values, command/admin those of connections, scripts and the server; command/catalog joins both to one Table.
// Nor does it know sockets: the server package gives it a Peer for each connection.
//
// The path of a call:
//
//	Session.Serve   looks the command up in the Table, and rejects, pauses or queues the call
//	Session.run     finds the shards of its keys (Keys) and locks them (store.Tx.Do)
//	Call.invoke     calls the handler (Command.Run), measures it, and shows it to MONITOR
//	the handler     reads and changes values by Call.Tx and returns a resp.Value
//	Session.reply   encodes that value before the shards are unlocked, since it may alias their memory
//
// EXEC and scripts enter at Call.runNested, within a transaction that runs already. A handler does not know who calls
// it. It does not lock, block, write to a connection or read the clock.
//
// To add a command, add a row and a function to one file of command/data or command/admin. Dispatch, arity errors, the
// shards to lock, ACL, COMMAND, COMMAND DOCS, HELP and docs/commands.md follow from the row.
package command
